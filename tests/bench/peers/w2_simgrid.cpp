// W2 (../yardstick/plain_election.hpp describes it) on SimGrid: every candidate is an actor. The
// API server is a shared object and a request sleeps 2.5 ms each way, so no network model is in the
// figure.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

#include <simgrid/s4u.hpp>

#include "../yardstick/cpu_clock.hpp"
#include "rows.hpp"

namespace {

namespace s4u = simgrid::s4u;

constexpr double days = 1;
constexpr double one_way = 0.0025;
constexpr double lease_duration = 15;
constexpr double renew_deadline = 10;
constexpr double retry_period = 2;
constexpr int nobody = -1;

struct Election {
  s4u::Host* host = nullptr;
  s4u::ActorPtr actor[3];
  bool up[3] = {true, true, true};
  std::mt19937_64 random{1};
  int holder = nobody;
  std::uint64_t version = 1;
  double killed_at = -1;
  peers::Counts counts;
};

Election election;

double now() {
  return s4u::Engine::get_clock();
}

void sleep_for(double duration) {
  s4u::this_actor::sleep_for(duration);
  ++election.counts.events;
}

struct Observation {
  std::uint64_t version = 0;
  double at = 0;
  bool leads = false;
};

// The new version, or 0 after a conflict.
std::uint64_t update(int index, std::uint64_t expected) {
  sleep_for(one_way);
  std::uint64_t written = 0;
  if (election.version == expected) {
    election.holder = index;
    written = ++election.version;
  }
  sleep_for(one_way);
  return written;
}

bool try_update(int index, std::uint64_t expected, Observation& seen) {
  const std::uint64_t written = update(index, expected);
  if (written == 0) return false;
  seen.version = written;
  seen.at = now();
  return true;
}

bool attempt(int index, Observation& seen) {
  if (seen.leads && try_update(index, seen.version, seen)) return true;
  sleep_for(one_way);
  const int holder = election.holder;
  const std::uint64_t version = election.version;
  sleep_for(one_way);
  if (version != seen.version) {
    seen.version = version;
    seen.at = now();
  }
  if (holder != nobody && holder != index && seen.at + lease_duration > now()) return false;
  return try_update(index, version, seen);
}

void note_election() {
  ++election.counts.elections;
  if (election.killed_at < 0) return;
  election.counts.failover_sum += now() - election.killed_at;
  ++election.counts.failovers;
  election.killed_at = -1;
}

void lead(int index, Observation& seen) {
  seen.leads = true;
  note_election();
  double renewed_at = now();
  while (true) {
    sleep_for(retry_period);
    if (attempt(index, seen)) {
      renewed_at = now();
    } else if (now() - renewed_at >= renew_deadline) {
      break;
    }
  }
  seen.leads = false;
}

void candidate(int index, double start) {
  Observation seen;
  sleep_for(start);
  while (true) {
    while (!attempt(index, seen)) {
      sleep_for(retry_period * (1 + 1.2 * peers::uniform(election.random)));
    }
    lead(index, seen);
  }
}

void run_candidate(int index, double start) {
  election.actor[index] =
      s4u::Actor::create("candidate", election.host, [index, start] { candidate(index, start); });
}

void restart(int index) {
  sleep_for(30);
  election.up[index] = true;
  run_candidate(index, 0);
}

void kill_leaders() {
  while (true) {
    sleep_for(300);
    const int holder = election.holder;
    if (holder == nobody || !election.up[holder]) continue;
    election.up[holder] = false;
    election.actor[holder]->kill();
    election.killed_at = now();
    s4u::Actor::create("restart", election.host, [holder] { restart(holder); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  s4u::Engine engine(&argc, argv);
  auto* zone = s4u::create_full_zone("zone");
  election.host = zone->create_host("host", 1e9)->seal();
  zone->seal();
  for (int i = 0; i < 3; ++i) run_candidate(i, retry_period * peers::uniform(election.random));
  s4u::Actor::create("kill", election.host, kill_leaders);

  const double begin = yardstick::cpu_seconds();
  engine.run_until(86'400 * days);
  peers::print_rows("simgrid", election.counts, yardstick::cpu_seconds() - begin, days);
  // The actors never end; unwinding them is not part of the model.
  std::fflush(stdout);
  std::_Exit(0);
}

// What a state costs: an exploration through the shipped electors, and beside it what plain C++
// needs for the states of a small lease, all of them stored whole. Prints rows in states per CPU
// second, the numbers of states, which are those of the models, and what the exploration keeps.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>

#include <tenure/explore/verdict.hpp>
#include <tenure/scenario/grid.hpp>
#include <tenure/scenario/scenario.hpp>

#include "yardstick/cpu_clock.hpp"
#include "yardstick/plain_exploration.hpp"

namespace {

using namespace tenure;
using namespace std::chrono_literals;

void print_row(const char* name, const char* unit, double value) {
  std::printf("{\"name\":\"%s\",\"unit\":\"%s\",\"value\":%.9g}\n", name, unit, value);
}

// client-go electors whose renewals are GET and UPDATE, as in small_lease.pml, and any message may
// be lost. That no two believe to lead is checked in every state.
scenario::Scenario election(std::uint32_t replicas,
                            Duration lease_duration,
                            Duration renew_deadline,
                            Duration retry_period,
                            Duration request_timeout) {
  scenario::Candidates group;
  group.name = "web";
  group.replicas = replicas;
  group.elector.lease_duration = lease_duration;
  group.elector.renew_deadline = renew_deadline;
  group.elector.retry_period = retry_period;
  group.elector.request_timeout = request_timeout;
  group.elector.behaviour.fast_path = false;
  group.start = Distribution::constant(0s);
  group.restart.exit_on_lost = false;
  group.restart.policy = scenario::Restart::Policy::never;
  scenario::Fault loss;
  loss.name = "loss";
  loss.kind = scenario::Loss{};
  loss.at_any = true;
  loss.target.role = scenario::Target::Role::all;
  scenario::Scenario election;
  election.name = "exploration";
  election.candidates = {group};
  election.cluster.latency =
      scenario::OneWay{Distribution::constant(0s), Distribution::constant(0s)};
  election.faults = {loss};
  election.explore.emplace().tick = 1s;
  return election;
}

struct Measured {
  explore::Exploration exploration;
  double seconds = 0;
};

Measured measured(const scenario::Scenario& election) {
  const Duration tick = election.explore->tick;
  const scenario::OnGrid on_grid = scenario::on_grid(election, tick);
  auto setup =
      std::make_shared<world::Setup>(*scenario::build_on_grid(on_grid.scenario, tick).setup);
  setup->duration = longest_duration;
  const double begin = yardstick::cpu_seconds();
  Measured all{explore::explore(setup, explore::options_of(election)), 0};
  all.seconds = yardstick::cpu_seconds() - begin;
  return all;
}

void measure_two() {
  const auto [all, seconds] = measured(election(2, 15s, 10s, 2s, 5s));
  const auto states = static_cast<double>(all.progress.states);
  print_row("exploration", "1/cpu-s", states / seconds);
  print_row("exploration-states", "1", states);
  print_row("bytes-per-state", "bytes", static_cast<double>(all.visited_memory) / states);
  print_row("exploration-memory", "MiB", static_cast<double>(all.progress.memory) / (1 << 20));
}

// With identical candidates, and the usual time-out of a request: half of renewDeadline.
void measure_three() {
  const auto [all, seconds] = measured(election(3, 6s, 4s, 1s, 2s));
  print_row("exploration-of-three", "cpu-s", seconds);
  print_row("exploration-of-three-states", "1", static_cast<double>(all.progress.states));
  print_row("exploration-of-three-memory", "MiB",
            static_cast<double>(all.progress.memory) / (1 << 20));
}

void measure_plain() {
  yardstick::PlainExploration plain{small_lease::slow};
  const double begin = yardstick::cpu_seconds();
  plain.run();
  const double seconds = yardstick::cpu_seconds() - begin;
  print_row("plain-exploration", "1/cpu-s", static_cast<double>(plain.states()) / seconds);
  print_row("plain-exploration-states", "1", static_cast<double>(plain.states()));
}

}  // namespace

int main() {
  measure_two();
  measure_three();
  measure_plain();
}

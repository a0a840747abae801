// What a state costs: an exploration through the shipped electors, and beside it what plain C++
// needs for the states of a small lease, all of them stored whole. Prints rows in states per CPU
// second, the numbers of states, which are those of the models, and what the exploration keeps.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>

#include <tenure/explore/explorer.hpp>
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

// Two client-go electors with 15s/10s/2s, their renewals by GET and UPDATE, and any message may be
// lost.
scenario::Scenario election() {
  scenario::Candidates pair;
  pair.name = "web";
  pair.replicas = 2;
  pair.elector.request_timeout = 5s;
  pair.elector.behaviour.fast_path = false;
  pair.start = Distribution::constant(0s);
  pair.restart.exit_on_lost = false;
  pair.restart.policy = scenario::Restart::Policy::never;
  scenario::Fault loss;
  loss.name = "loss";
  loss.kind = scenario::Loss{};
  loss.at_any = true;
  loss.target.role = scenario::Target::Role::all;
  scenario::Scenario election;
  election.name = "exploration";
  election.candidates = {pair};
  election.cluster.latency =
      scenario::OneWay{Distribution::constant(0s), Distribution::constant(0s)};
  election.faults = {loss};
  return election;
}

void measure_exploration() {
  constexpr Duration tick = 1s;
  const scenario::OnGrid on_grid = scenario::on_grid(election(), tick);
  auto setup =
      std::make_shared<world::Setup>(*scenario::build_on_grid(on_grid.scenario, tick).setup);
  setup->duration = longest_duration;
  const double begin = yardstick::cpu_seconds();
  const explore::Exploration all = explore::explore(setup, {});
  const double seconds = yardstick::cpu_seconds() - begin;
  const auto states = static_cast<double>(all.progress.states);
  print_row("exploration", "1/cpu-s", states / seconds);
  print_row("exploration-states", "1", states);
  print_row("bytes-per-state", "bytes", static_cast<double>(all.visited_memory) / states);
  print_row("exploration-memory", "MiB", static_cast<double>(all.progress.memory) / (1 << 20));
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
  measure_exploration();
  measure_plain();
}

// What recording the full history of a run in memory costs: the five-minute experiment with and
// without a recorder that keeps every fact, messages included. Prints the row `history-on`.
#include <cstdint>
#include <cstdio>

#include <tenure/record/recorder.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/run.hpp>
#include <tenure/scenario/document.hpp>
#include <tenure/scenario/scenario.hpp>

#include "yardstick/cpu_clock.hpp"

namespace {

using namespace tenure;

constexpr std::uint64_t runs = 4000;

double cpu_of_runs(const run::Experiment& experiment, record::KeepHistory* history) {
  run::Runner runner{experiment};
  const double begin = yardstick::cpu_seconds();
  for (std::uint64_t number = 0; number < runs; ++number) {
    SeededOracle oracle{experiment.seed, number};
    if (history != nullptr) history->forget();
    runner.run(oracle, history);
  }
  return yardstick::cpu_seconds() - begin;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  Diagnostics diagnostics;
  const auto documents = scenario::load_documents(arguments[1], diagnostics);
  if (documents.size() != 1) return 2;
  const auto scenario = scenario::decode(documents.front(), diagnostics);
  if (!scenario) return 2;
  const run::Experiment experiment = run::experiment_of(*scenario);
  record::KeepHistory history;
  cpu_of_runs(experiment, &history);
  const double without = cpu_of_runs(experiment, nullptr);
  const double with = cpu_of_runs(experiment, &history);
  std::printf("{\"name\":\"history-on\",\"unit\":\"ratio\",\"value\":%.6g}\n", with / without);
}

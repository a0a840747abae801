// Any bytes as a sweep of one scenario: points or diagnostics, never a crash. What is a point can
// be made again from its overrides.
#include <cstdint>
#include <cstdlib>
#include <string>

#include <tenure/scenario/sweep.hpp>

namespace {

using namespace tenure;
using namespace tenure::scenario;

constexpr const char* swept =
    "apiVersion: tenure/v1alpha1\nkind: Scenario\nmetadata: {name: swept}\nspec:\n"
    "  runs: 10\n"
    "  candidates:\n"
    "    - {name: web, replicas: 3, elector: {type: client-go, leaseDuration: 15s, "
    "renewDeadline: 10s, retryPeriod: 2s}}\n"
    "  faults: [{name: kill, type: crash, target: leader, at: {uniform: [60s, 70s]}}]\n";

// A point takes a millisecond or two under the sanitizers.
constexpr std::size_t most = 100;

void demand(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 4096) return 0;
  SweepInput input;
  input.sweep_name = "fuzz.yaml";
  input.sweep_text.assign(reinterpret_cast<const char*>(data), size);
  input.scenario_name = "swept.yaml";
  input.scenario_text = swept;
  Diagnostics problems;
  const auto plan = plan_of(input, problems, most);
  demand(plan.has_value() == (problems.errors() == 0));
  static_cast<void>(rendered(problems));
  if (!plan) return 0;
  demand(!plan->points.empty() && plan->points.size() <= most);
  for (std::size_t i = 0; i < plan->points.size(); ++i) {
    const Point& point = plan->points[i];
    if (!point.skipped.empty()) continue;
    Diagnostics none;
    Document document = plan->scenario_document;
    for (const std::string& override : overrides_of(*plan, i))
      demand(apply_override(document, override, none));
    auto again = decode(document, none);
    demand(again.has_value());
    again->runs = point.scenario.runs;
    again->seed = point.scenario.seed;
    demand(*again == point.scenario);
  }
  return 0;
}

// The closed forms as figures of a scenario.
#include <algorithm>
#include <optional>

#include <tenure/base/variant.hpp>
#include <tenure/scenario/bounds.hpp>
#include <tenure/scenario/sweep.hpp>

namespace tenure::scenario {
namespace {

// The longest round trip of any request; nothing if it has no bound.
std::optional<Duration> longest_round_trip(const Latency& latency) {
  const Duration most = std::visit(
      overloaded{
          [](const RoundTrip& l) { return std::max(l.read.upper_bound(), l.write.upper_bound()); },
          [](const OneWay& l) {
            return longer(l.request.upper_bound(), l.response.upper_bound());
          }},
      latency);
  return most < longest_duration ? std::optional{most} : std::nullopt;
}

}  // namespace

std::optional<BoundsInput> bounds_input(const Scenario& scenario) {
  const auto& groups = scenario.candidates;
  const auto group = std::find_if(groups.begin(), groups.end(), [](const Candidates& g) {
    return g.elector.type == Elector::Type::client_go;
  });
  if (group == groups.end()) return std::nullopt;
  BoundsInput in;
  in.lease_duration = group->elector.lease_duration;
  in.renew_deadline = group->elector.renew_deadline;
  in.retry_period = group->elector.retry_period;
  in.release_on_cancel = group->elector.release_on_cancel;
  in.request_timeout = group->elector.request_timeout.value_or(Duration{});
  in.fast_path = group->elector.behaviour.fast_path;
  in.candidates = 0;
  for (const Candidates& each : groups) in.candidates += each.replicas;
  in.latency = longest_round_trip(scenario.cluster.latency).value_or(Duration{});
  return in;
}

std::optional<Quantity> closed_form_of(const Scenario& scenario, ClosedForm of) {
  const auto input = bounds_input(scenario);
  const Bounds bounds = input ? bounds_of(*input) : Bounds{};
  if (!bounds.timing) return std::nullopt;
  switch (of) {
    case ClosedForm::api_outage_survived:
      return Quantity::of(bounds.timing->outage_failing);
    case ClosedForm::safety_margin:
      return Quantity::of(bounds.timing->margin);
    case ClosedForm::clock_ratio:
      return Quantity::of(bounds.timing->clock_ratio);
    case ClosedForm::pause_survived:
      return Quantity::of(bounds.timing->harmless_pause);
  }
  return std::nullopt;
}

}  // namespace tenure::scenario

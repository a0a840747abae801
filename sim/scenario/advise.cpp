#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <tenure/base/assert.hpp>
#include <tenure/base/text.hpp>
#include <tenure/scenario/advise.hpp>
#include <tenure/scenario/crash_law.hpp>

namespace tenure::scenario {
namespace {

using namespace std::chrono_literals;
using Kind = Need::Kind;
using Model = Need::Model;
using stats::Aggregation;

__extension__ using Wide = __int128;

constexpr std::int64_t billion = 1'000'000'000;

std::int64_t fitting(Wide value) {
  constexpr Wide most = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::min(value, most));
}

// The law is that of instant replies. What they take delays the next leader by at most four GETs
// and an UPDATE (client-go 9.2).
Duration failover(const Need& need, const Bounds& bounds) {
  const BoundsInput& in = bounds.input;
  if (need.aggregation == Aggregation::max) return bounds.timing->crash.most;
  const CrashLaw law{bounds.timing->lease, in.retry_period, in.candidates - 1};
  const Duration instant =
      need.aggregation == Aggregation::mean ? law.mean() : law.quantile(need.quantile);
  return longer(instant, in.latency * 5);
}

// Counted from the signal: an attempt may be under way, a GET and an UPDATE release.
Duration handover(const Bounds& bounds) {
  if (!bounds.input.release_on_cancel.value_or(false)) return bounds.timing->crash.most;
  return longer(bounds.timing->release.most, bounds.input.latency * 4);
}

// How long the old leader leads at most after its last renewal was written; its release may hang.
Duration lead_after_cut(const Bounds& bounds) {
  const BoundsInput& in = bounds.input;
  return longer(longer(in.renew_deadline, in.retry_period),
                longer(bounds.timing->release_hang, in.latency));
}

std::int64_t clock_ratio(const Bounds& bounds) {
  return fitting(Wide{bounds.timing->lease.count()} * billion / lead_after_cut(bounds).count());
}

// PUT/s + GET/s in 1e-9, rounded up.
std::int64_t requests(const Bounds& bounds) {
  const auto upward = [](Ratio rate) {
    const Wide product = Wide{rate.numerator} * billion;
    return (product + rate.denominator - 1) / rate.denominator;
  };
  return fitting(upward(bounds.timing->puts_per_second) + upward(bounds.timing->gets_per_second));
}

std::int64_t amount_of(const Need& need, const Bounds& bounds) {
  const Timing& t = *bounds.timing;
  switch (need.kind) {
    case Kind::failover:
      return failover(need, bounds).count();
    case Kind::outage:
      return (need.model == Model::hanging ? t.outage_hanging : t.outage_failing).count();
    case Kind::pause:
      return (need.model == Model::cut ? t.lease - lead_after_cut(bounds) : t.harmless_pause)
          .count();
    case Kind::clock_ratio:
      return clock_ratio(bounds);
    case Kind::requests:
      return requests(bounds);
    case Kind::handover:
      return handover(bounds).count();
    case Kind::margin:
      return (need.model == Model::hanging ? t.margin - t.release_hang : t.margin).count();
  }
  return 0;
}

std::string latency_text(const Bounds& bounds, int round_trips) {
  if (bounds.input.latency == 0s) return {};
  return fmt::format(" + {} round trips", round_trips);
}

std::string failover_formula(const Need& need, const Bounds& bounds) {
  if (need.aggregation == Aggregation::max) return "L + 2(1+J)R" + latency_text(bounds, 5);
  const Duration extra = failover(need, bounds) - bounds.timing->lease - bounds.input.latency * 5;
  const double retries =
      static_cast<double>(extra.count()) / static_cast<double>(bounds.input.retry_period.count());
  return fmt::format("L {} {:.2f} R, law of a crash{}", retries < 0 ? "-" : "+",
                     retries < 0 ? -retries : retries, latency_text(bounds, 5));
}

// That a connection is found dead sooner than a request times out is not counted on.
std::string hanging_formula(const Bounds& bounds) {
  const auto timeout = bounds.timing->request_timeout;
  if (!timeout) return "no time limit: one swallowed request costs the lead";
  const bool is_half = !bounds.input.request_timeout && *timeout * 2 == bounds.input.renew_deadline;
  std::string text = is_half ? std::string{"D/2, the client's time limit"}
                             : fmt::format("the client's time limit, {}", seconds_text(*timeout));
  if (bounds.timing->unanswered < *timeout) {
    text += fmt::format("; that a dead connection is found after {} is not counted on",
                        seconds_text(bounds.timing->unanswered));
  }
  return text;
}

// "D + R + h", as it stands below L.
std::string cut_terms(const Bounds& bounds, std::string_view sign) {
  std::string text = fmt::format("D {0} R", sign);
  if (bounds.timing->release_hang > 0s) text += fmt::format(" {} h", sign);
  if (bounds.input.latency > 0s) text += fmt::format(" {} 1 round trip", sign);
  return text;
}

std::string hang_note(const Bounds& bounds) {
  const Duration hang = bounds.timing->release_hang;
  return hang > 0s ? fmt::format(", release hanging h = {}", seconds_text(hang)) : std::string{};
}

}  // namespace

bool releases(std::span<const Need> needs, const Terms& terms) {
  if (terms.release_on_cancel) return *terms.release_on_cancel;
  return std::any_of(needs.begin(), needs.end(),
                     [](const Need& need) { return need.kind == Kind::handover; });
}

BoundsInput bounds_input(const Setting& setting, const Terms& terms, bool releases) {
  BoundsInput in;
  in.lease_duration = setting.lease_duration;
  in.renew_deadline = setting.renew_deadline;
  in.retry_period = setting.retry_period;
  in.candidates = terms.candidates;
  in.request_timeout = terms.request_timeout;
  in.release_on_cancel = releases;
  in.fast_path = terms.fast_path;
  in.latency = terms.latency;
  return in;
}

Figure figure_of(const Need& need, const Bounds& bounds) {
  TENURE_ASSERT(bounds.timing.has_value(), "a refused setting has no figures");
  const std::int64_t amount = amount_of(need, bounds);
  if (need.kind == Kind::failover && need.strict) return {amount, amount < need.amount};
  // At L - R itself the leader resumes in the instant in which a follower may take over: a record
  // that is exactly L old has expired (client-go-elector.md, isLeaseValid).
  if (need.kind == Kind::pause && need.model == Model::healthy)
    return {amount, amount > need.amount};
  return {amount, is_upper(need.kind) ? amount <= need.amount : amount >= need.amount};
}

std::string formula_of(const Need& need, const Bounds& bounds) {
  switch (need.kind) {
    case Kind::failover:
      return failover_formula(need, bounds);
    case Kind::outage:
      return need.model == Model::hanging ? hanging_formula(bounds) : "(ceil(D/R) - 1) R";
    case Kind::pause:
      if (need.model == Model::healthy)
        return bounds.input.latency > 0s ? "L - R - 1 round trip" : "L - R";
      return "L - " + cut_terms(bounds, "-") + hang_note(bounds);
    case Kind::clock_ratio:
      return fmt::format("L / ({}){}", cut_terms(bounds, "+"), hang_note(bounds));
    case Kind::requests:
      return bounds.input.latency > 0s ? "1/(R + 1 round trip) + (n-1)/(1.6 R)"
                                       : "1/R + (n-1)/(1.6 R)";
    case Kind::handover:
      if (!bounds.input.release_on_cancel.value_or(false)) return "no release: as after a crash";
      return "(1+J)R" + latency_text(bounds, 6);
    case Kind::margin:
      if (need.model == Model::hanging && bounds.timing->release_hang > 0s)
        return "L - D - R - h" + hang_note(bounds);
      return "L - D - R";
  }
  return {};
}

std::string to_text(const Setting& setting) {
  return fmt::format("{}/{}/{}", seconds_text(setting.lease_duration),
                     seconds_text(setting.renew_deadline), seconds_text(setting.retry_period));
}

std::string_view to_text(Ladder ladder) {
  switch (ladder) {
    case Ladder::round:
      return "round";
    case Ladder::seconds:
      return "whole seconds";
    case Ladder::tenths:
      return "tenths";
    case Ladder::any:
      return "nanoseconds";
  }
  return {};
}

}  // namespace tenure::scenario

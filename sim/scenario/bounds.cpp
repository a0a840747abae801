#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <tenure/base/assert.hpp>
#include <tenure/elect/client_go.hpp>
#include <tenure/scenario/bounds.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::scenario {
namespace {

using namespace std::chrono_literals;

__extension__ using Wide = __int128;

// 1 + J and 2 (1 + J), J being client-go's JitterFactor.
constexpr Ratio one_and_jitter{11, 5};
constexpr Ratio twice_one_and_jitter{22, 5};

Duration difference(Duration a, Duration b) {
  return longer(a, -b);
}

Duration times(Duration duration, std::int64_t factor) {
  return scaled(duration, Ratio{factor, 1});
}

// The fraction, shortened until both numbers fit.
Ratio fraction(Wide numerator, Wide denominator) {
  constexpr Wide most = std::numeric_limits<std::int64_t>::max();
  while (numerator > most || denominator > most) {
    numerator /= 2;
    denominator /= 2;
  }
  return {static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

// The time limit of one request, nothing if there is none.
std::optional<Duration> timeout_of(const BoundsInput& input) {
  if (!input.request_timeout) return elect::kubeconfig_timeout(input.renew_deadline);
  if (*input.request_timeout <= 0s) return std::nullopt;
  return input.request_timeout;
}

// Whole seconds, as leaseDurationSeconds carries them.
Duration as_recorded(Duration lease_duration) {
  return std::chrono::floor<std::chrono::seconds>(lease_duration);
}

// client-go's own checks; then the API server's, which takes no leaseDurationSeconds of 0
// (kubernetes, pkg/apis/coordination/validation/validation.go).
std::string refusal_of(const BoundsInput& in) {
  elect::ClientGoConfig config;
  config.lease_duration = in.lease_duration;
  config.renew_deadline = in.renew_deadline;
  config.retry_period = in.retry_period;
  if (const auto refused = elect::refusal(config)) {
    return "client-go refuses to start: " + std::string{*refused};
  }
  if (as_recorded(in.lease_duration) == 0s) {
    return "leaseDurationSeconds would be 0: the API server refuses every write (422)";
  }
  return {};
}

// The start of the last attempt of a renewal round: attempts fall `step` apart, strictly before the
// deadline.
Duration last_attempt(Duration deadline, Duration step) {
  return Duration{(deadline.count() - 1) / step.count() * step.count()};
}

// An attempt whose renewal hangs goes on to a GET, so that it takes two time limits, and the next
// one starts at the following tick or at once. The lead is kept if the outage is over when the last
// of these requests starts.
Duration outage_hanging(const BoundsInput& in) {
  const auto timeout = timeout_of(in);
  if (!timeout) return 0s;
  const Duration step = std::max(in.retry_period, times(*timeout, 2));
  const Duration renewal = last_attempt(in.renew_deadline, step);
  const Duration get = longer(renewal, *timeout);
  return get < in.renew_deadline ? get : renewal;
}

// An unanswered request fails after the client's time limit, and without one when its connection
// is found dead.
Duration unanswered_for(const BoundsInput& in) {
  return std::min(timeout_of(in).value_or(world::dead_connection_timeout),
                  world::dead_connection_timeout);
}

// The release is a GET and an UPDATE under a limit of D; the GET may hang.
Duration release_hang(const BoundsInput& in) {
  if (!in.release_on_cancel.value_or(false)) return 0s;
  return std::min(in.renew_deadline, unanswered_for(in));
}

// Followers count L from the last write that changed the Lease, the leader D + R from its last
// success, or D alone where that made it the leader. In between lies, where a reply was lost, the
// time limit of that request and the GET and UPDATE behind it, all in one attempt and so with the
// same renewTime: the server answers 200 and stores nothing
// (scenarios/hazards/renewal-that-changes-nothing.yaml). A round cannot give up a request that
// takes as long as itself and go on; acquiring has no deadline. Without the fast path every attempt
// writes a new time, but in the first renewal that time may be the acquisition's.
Duration lossy_margin(const BoundsInput& in, Duration lease) {
  const Duration unanswered = unanswered_for(in);
  const Duration requests = times(in.latency, 2);
  const Duration repeated = longer(in.fast_path ? unanswered : Duration{0s}, requests);
  const bool fits_a_round = unanswered < in.renew_deadline;
  const Duration renewal = std::min(fits_a_round ? repeated : requests, in.renew_deadline);
  const Duration late = std::max(longer(renewal, in.retry_period), repeated);
  return difference(lease, longer(in.renew_deadline, late));
}

// How long the Lease can stay as it is while its holder is well: from a renewal to the next, or
// without the fast path from an acquisition over a first renewal that shows nothing new.
Duration longest_unchanged(const BoundsInput& in) {
  return longer(in.retry_period, times(in.latency, in.fast_path ? 1 : 3));
}

Timing timing_of(const BoundsInput& in) {
  const Duration lease = as_recorded(in.lease_duration);
  const Duration deadline = in.renew_deadline;
  const Duration retry = in.retry_period;
  const Duration longest_poll = scaled(retry, one_and_jitter);
  const Duration round = longer(deadline, retry);
  const Duration cycle = longer(retry, times(in.latency, in.fast_path ? 1 : 2));
  Timing t;
  t.lease = lease;
  t.request_timeout = timeout_of(in);
  t.unanswered = unanswered_for(in);
  t.poll = {retry, longest_poll};
  t.crash = {std::max<Duration>(0s, difference(lease, longest_unchanged(in))),
             longer(longer(lease, scaled(retry, twice_one_and_jitter)), times(in.latency, 5))};
  t.release = {0s, longer(longest_poll, times(in.latency, 2))};
  t.cold_start = {lease, longer(longer(lease, longest_poll), times(in.latency, 5))};
  t.step_down = {difference(deadline, in.latency), round};
  t.release_hang = release_hang(in);
  t.margin = difference(lease, round);
  t.lossy_margin = lossy_margin(in, lease);
  t.clock_ratio = {lease.count(), round.count()};
  t.harmless_pause = t.crash.least;
  t.pause_overlap = round;
  t.outage_failing = last_attempt(deadline, retry);
  t.outage_hanging = outage_hanging(in);
  t.puts_per_second = {std::chrono::nanoseconds{1s}.count(), cycle.count()};
  // A follower's mean wait is (1 + J/2) R = 8/5 R.
  t.gets_per_second = fraction(Wide{in.candidates - 1} * 5'000'000'000, Wide{retry.count()} * 8);
  return t;
}

// The law of a follower's wait until its next poll, in units of R: V has the density and the tail
// below (residual life of waits uniform on [1, 2.2], whose mean is 1.6).
double poll_density(double x) {
  if (x <= 1) return 1 / 1.6;
  return x < 2.2 ? (2.2 - x) / (1.2 * 1.6) : 0;
}

double poll_later_than(double x) {
  if (x <= 0) return 1;
  if (x <= 1) return 1 - x / 1.6;
  return x < 2.2 ? (2.2 - x) * (2.2 - x) / (2 * 1.2 * 1.6) : 0;
}

// That two such waits, to notice the last renewal and to poll after expiry, exceed x together.
double both_later_than(double x) {
  constexpr int cells = 220;
  double sum = 0;
  for (int i = 0; i < cells; ++i) {
    const double v = (i + 0.5) * 2.2 / cells;
    sum += poll_density(v) * poll_later_than(x - v);
  }
  return sum * 2.2 / cells;
}

}  // namespace

Bounds bounds_of(const BoundsInput& input) {
  TENURE_ASSERT(input.candidates >= 1, "an election has a candidate");
  TENURE_ASSERT(input.latency >= 0s, "a round trip takes no negative time");
  Bounds bounds{input, refusal_of(input), std::nullopt};
  if (bounds.refusal.empty()) bounds.timing = timing_of(input);
  return bounds;
}

std::optional<BoundsInput> bounds_input(const Preset& preset) {
  if (preset.elector != "client-go") return std::nullopt;
  BoundsInput input;
  input.lease_duration = preset.lease_duration;
  input.renew_deadline = preset.renew_deadline;
  input.retry_period = preset.retry_period;
  input.candidates = preset.replicas;
  input.request_timeout = preset.request_timeout.value_or(0s);
  input.release_on_cancel = preset.release_on_cancel;
  input.preset = preset.name;
  return input;
}

// The crash falls at an age uniform on [0, R), and the first of the followers wins: the mean over
// the age a of P(V + W > 1 + a)^followers, in units of R.
double share_beyond_rule_of_thumb(std::uint32_t candidates) {
  TENURE_ASSERT(candidates >= 2, "somebody must take over");
  constexpr int cells = 100;
  double sum = 0;
  for (int i = 0; i < cells; ++i) {
    sum += std::pow(both_later_than(1 + (i + 0.5) / cells), candidates - 1);
  }
  return sum / cells;
}

}  // namespace tenure::scenario

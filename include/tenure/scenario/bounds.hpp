// The timing of a client-go election in closed form, from its three durations and without a
// simulation: what `tenure bounds` prints.
//
// Model: network and API server answer at once unless a latency is given, followers wait between R
// and (1+J) R after each attempt (J = 1.2, client-go's JitterFactor), and all clocks run at the
// same speed unless a line speaks of their rates. L, D and R are leaseDuration, renewDeadline and
// retryPeriod; the Lease carries L in whole seconds, so that is what counts for everybody else.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tenure/base/ratio.hpp>
#include <tenure/base/time.hpp>
#include <tenure/scenario/preset.hpp>

namespace tenure::scenario {

struct Scenario;

struct BoundsInput {
  Duration lease_duration = std::chrono::seconds{15};
  Duration renew_deadline = std::chrono::seconds{10};
  Duration retry_period = std::chrono::seconds{2};
  std::uint32_t candidates = 3;             // at least 1, the leader included
  std::optional<Duration> request_timeout;  // nothing: client-go's own, max(1s, D/2); 0: no limit
  std::optional<bool> release_on_cancel;    // nothing: as `false`, and what a release would give
  // Since v0.30 a leader tries an UPDATE before it reads the Lease; where that fails it goes on in
  // the same attempt, so that a write may be repeated without effect.
  bool fast_path = true;
  // The longest round trip of one API request; enters crash, release, cold start, step-down, pause
  // and the leader's request rate.
  Duration latency{};
  std::string_view preset = {};  // whose numbers these are, for the advice; may be empty

  friend bool operator==(const BoundsInput&, const BoundsInput&) = default;
};

struct DurationRange {
  Duration least{};
  Duration most{};

  friend bool operator==(const DurationRange&, const DurationRange&) = default;
};

struct Timing {
  Duration lease{};                         // L as others see it: whole seconds
  std::optional<Duration> request_timeout;  // in effect; nothing: no limit
  Duration unanswered{};                    // after which a request fails whose reply is lost
  DurationRange poll;                       // between two attempts of a follower
  DurationRange crash;                      // leader crash to new leader, if another candidate runs
  DurationRange release;                    // release committed to new leader, likewise
  DurationRange cold_start;   // start of a fresh candidate to its lead, when the holder is gone
  DurationRange step_down;    // leader cut off to OnStoppedLeading, while requests fail fast
  Duration release_hang{};    // what a swallowed release adds to that; 0 without releaseOnCancel
  Duration margin{};          // L - D - R; negative: two leaders may overlap for so long
  Duration lossy_margin{};    // what is left of it when replies may be lost and writes repeated
  Ratio clock_ratio;          // how much faster than the leader's a rival's clock may run
  Duration harmless_pause{};  // a shorter pause of the leader never makes two leaders
  Duration pause_overlap{};   // for how long two leaders may run, at most, after a longer one
  Duration outage_failing{};  // an API outage that is surely survived, requests failing at once
  Duration outage_hanging{};  // the same, requests hanging until the client gives up
  Ratio puts_per_second;      // of the leader, in steady state
  Ratio gets_per_second;      // of all followers together

  friend bool operator==(const Timing&, const Timing&) = default;
};

struct Bounds {
  BoundsInput input;
  std::string refusal;           // why nobody can lead with these numbers; empty: they are valid
  std::optional<Timing> timing;  // nothing when refused

  friend bool operator==(const Bounds&, const Bounds&) = default;
};

Bounds bounds_of(const BoundsInput& input);

// The numbers of a preset; nothing if it is no client-go elector, for which other formulas hold.
std::optional<BoundsInput> bounds_input(const Preset& preset);

// The numbers of a scenario's first group of client-go candidates; nothing if it has none. A
// latency without a bound counts as none.
std::optional<BoundsInput> bounds_input(const Scenario& scenario);

// The share of leader crashes, at zero latency, after which the next leader needs more than L + R,
// the common rule of thumb: within about a hundredth where L >= 5 R. At least two candidates.
double share_beyond_rule_of_thumb(std::uint32_t candidates);

enum class BoundsText : std::uint8_t {
  lines,      // one line per bound, and what the rule of thumb misses
  explained,  // with the derivation of each line, and where published rules differ
};

// Ends in a newline.
std::string rendered(const Bounds& bounds, BoundsText text);

}  // namespace tenure::scenario

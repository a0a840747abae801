// What an election must withstand, which durations of client-go do, and which needs cannot hold
// together: what `tenure advise` answers.
//
// A need compares one figure of a setting with an amount. The figures are those of bounds.hpp, in
// whole nanoseconds and billionths, and the law of a crash for its quantiles and mean. For a given
// retryPeriod an outage asks for a longer renewDeadline, a pause, a clock ratio and a margin for a
// longer leaseDuration, and only the failover for shorter ones; so the shortest that are long
// enough are right if any are, and a search has to look for a retryPeriod alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenure/base/ratio.hpp>
#include <tenure/base/time.hpp>
#include <tenure/scenario/bounds.hpp>
#include <tenure/stats/threshold.hpp>

namespace tenure::scenario {

struct Need {
  enum class Kind : std::uint8_t {
    failover,     // after a crash of the leader
    outage,       // of the API server: the leader is kept
    pause,        // of the leader: never two leaders
    clock_ratio,  // a rival's clock to the leader's, and a cut: never two leaders
    requests,     // of all candidates together, in steady state
    handover,     // from SIGTERM to the next leader, with a release
    margin,       // what the last reply may have taken when the leader is cut off
  };
  enum class Model : std::uint8_t {
    only,     // there is one
    refused,  // outage, margin: requests fail at once
    hanging,  // outage, margin: nobody answers
    healthy,  // pause: the network works
    cut,      // pause: the leader is cut off meanwhile
  };

  Kind kind = Kind::failover;
  Model model = Model::only;
  stats::Aggregation aggregation = stats::Aggregation::max;  // of a failover: max, mean, quantile
  Ratio quantile{1, 1};
  bool strict = false;       // of a failover: "<"
  std::int64_t amount = 0;   // nanoseconds; of a clock ratio and requests per second in 1e-9
  bool is_standing = false;  // not asked for, needed all the same

  friend bool operator==(const Need&, const Need&) = default;
};

inline constexpr std::size_t need_kinds = 7;

// The flag without its dashes: "survive-outage".
std::string_view flag_of(Need::Kind kind);

// Whether the figure must be at most the amount, rather than at least.
bool is_upper(Need::Kind kind);

struct NeedProblem {
  std::string text;
  std::vector<std::string> hints;
};

// The value of such a flag: "p(99) < 40s", "20s:hanging", "1.1", "0.5/s", "26s".
std::optional<Need> parse_need(Need::Kind kind, std::string_view text, NeedProblem& problem);

// The margin that is needed without being asked for: that a mere cut never makes two leaders.
Need standing_margin(Duration latency);

// "p(99) < 40s", "20s, refused"; with another amount than its own, "p(99) < 45s".
std::string value_text(const Need& need, std::int64_t amount);
std::string value_text(const Need& need);
// The amount alone: "39.55s", "1.25", "0.45/s".
std::string amount_text(const Need& need, std::int64_t amount);

struct Setting {
  Duration lease_duration{};
  Duration renew_deadline{};
  Duration retry_period{};

  friend bool operator==(const Setting&, const Setting&) = default;
};

// "15s/10s/2s".
std::string to_text(const Setting& setting);

// What is given.
struct Terms {
  std::uint32_t candidates = 3;             // at least 2
  std::optional<Duration> request_timeout;  // as in BoundsInput
  Duration latency{};                       // of every round trip
  bool fast_path = true;
  std::optional<bool> release_on_cancel;  // nothing: where a handover is needed
};

// Whether the leader releases: see Terms.
bool releases(std::span<const Need> needs, const Terms& terms);

BoundsInput bounds_input(const Setting& setting, const Terms& terms, bool releases);

// What a setting comes to in one need.
struct Figure {
  std::int64_t amount = 0;
  bool kept = false;

  friend bool operator==(const Figure&, const Figure&) = default;
};

// Of a setting that client-go takes.
Figure figure_of(const Need& need, const Bounds& bounds);

// Where that comes from: "(ceil(D/R) - 1) R".
std::string formula_of(const Need& need, const Bounds& bounds);

// From where durations are taken. The Lease carries whole seconds, so leaseDuration is always some.
enum class Ladder : std::uint8_t {
  round,    // 1s, 2s, 5s, 15s, 1m: what people write
  seconds,  // whole ones
  tenths,   // of a second
  any,      // nanoseconds
};
std::string_view to_text(Ladder ladder);

inline constexpr Duration shortest_retry = std::chrono::milliseconds{100};
inline constexpr Duration longest_lease = std::chrono::hours{24};

struct Advised {
  Setting setting;
  Ladder ladder = Ladder::round;

  friend bool operator==(const Advised&, const Advised&) = default;
};

// At most `most` settings that meet all needs, fewest requests first, each next one led again
// sooner after a crash. They are taken from the roundest ladder that has any; the cheapest of a
// finer one is among them if it saves a tenth of the requests. Empty: there is none, whatever the
// durations.
std::vector<Advised> advise(std::span<const Need> needs, const Terms& terms, std::size_t most);

// What one of the needs in a conflict would have to become for all needs to hold together; where
// that is not enough, as there is another conflict, then for those of this one.
struct Relief {
  std::size_t need = 0;                // its index
  std::optional<std::int64_t> limit;   // to a thousandth; nothing: no amount is enough
  bool with_all = true;                // false: only those of this conflict hold then
  std::optional<std::int64_t> amount;  // the limit, rounded until durations can be typed for it
  std::optional<Setting> setting;      // meets them then; without a limit, those others
};

// A smallest set of needs that no setting meets together; the rest can be met without any one of
// them.
struct Conflict {
  std::vector<Relief> needs;
};

// Of needs that cannot hold together.
Conflict conflict_of(std::span<const Need> needs, const Terms& terms);

}  // namespace tenure::scenario

// A scenario as the simulator takes it: every default filled in, every rule checked. Where a layer
// below has the same closed set of words, its enumeration is used and nothing has to be converted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <tenure/base/diagnostics.hpp>
#include <tenure/base/distribution.hpp>
#include <tenure/base/ratio.hpp>
#include <tenure/base/shifted.hpp>
#include <tenure/base/time.hpp>
#include <tenure/check/metrics.hpp>
#include <tenure/check/property.hpp>
#include <tenure/elect/client_go.hpp>
#include <tenure/fault/fault.hpp>
#include <tenure/record/fact.hpp>
#include <tenure/scenario/alerts.hpp>
#include <tenure/scenario/document.hpp>
#include <tenure/stats/threshold.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::scenario {

// Where something stood in its file, for later messages. Not part of what a scenario says, so two
// of them are always equal.
struct Origin {
  Position where;

  friend bool operator==(const Origin&, const Origin&) { return true; }
};

struct LeaseName {
  std::string name = "leader";
  std::string space = "default";  // the namespace

  friend bool operator==(const LeaseName&, const LeaseName&) = default;
};

struct ClusterNode {
  std::string name;
  std::string zone;  // empty: none

  friend bool operator==(const ClusterNode&, const ClusterNode&) = default;
};

// One draw for the way there and back, half each way, an odd nanosecond on the way back.
struct RoundTrip {
  Distribution read;   // GET
  Distribution write;  // everything else

  friend bool operator==(const RoundTrip&, const RoundTrip&) = default;
};

// Two draws, for all verbs.
struct OneWay {
  Distribution request;
  Distribution response;

  friend bool operator==(const OneWay&, const OneWay&) = default;
};

using Latency = std::variant<RoundTrip, OneWay>;

struct Cluster {
  std::vector<ClusterNode> nodes;  // empty: one per process, named like it
  Latency latency;

  friend bool operator==(const Cluster&, const Cluster&) = default;
};

// The knobs of client-go that changed between versions.
using Behaviour = elect::ClientGoProfile;

struct Elector {
  enum class Type : std::uint8_t { client_go, naive_loop };

  Type type = Type::client_go;
  int version = elect::newest_client_go_minor;  // client-go: v0.<version>
  Duration lease_duration = std::chrono::seconds{15};
  Duration renew_deadline = std::chrono::seconds{10};  // client-go
  Duration retry_period = std::chrono::seconds{2};
  bool release_on_cancel = false;           // client-go
  std::optional<Duration> request_timeout;  // none: a request may wait for ever
  bool validate = true;                     // client-go's own checks at start
  Duration leader_sleep{};                  // naive-loop: between two renewals
  Behaviour behaviour;                      // client-go

  friend bool operator==(const Elector&, const Elector&) = default;
};

struct Clock {
  Shifted offset;           // of the wall clock at time 0; + is ahead of true time
  Shifted gain_per_second;  // what both clocks gain per true second: +200ppm is 200us

  friend bool operator==(const Clock&, const Clock&) = default;
};

struct Restart {
  using Policy = world::RestartPolicy;
  enum class Identity : std::uint8_t { fresh, same };  // `fresh` is written "new"

  Policy policy = Policy::always;
  Distribution delay;
  Identity identity = Identity::fresh;
  bool exit_on_lost = true;

  friend bool operator==(const Restart&, const Restart&) = default;
};

struct Shutdown {
  Duration grace_period = std::chrono::seconds{30};
  Distribution on_stopped_leading;  // how long the callback takes

  friend bool operator==(const Shutdown&, const Shutdown&) = default;
};

struct Candidates {
  std::string name;
  std::uint32_t replicas = 1;      // the processes are name-0, name-1, ...
  std::vector<std::string> nodes;  // where they run, round robin; empty: the cluster's nodes
  Elector elector;
  std::optional<std::string> identity;  // one for all of them; none: the process name
  Clock clock;
  Distribution start;
  Restart restart;
  Shutdown shutdown;
  Origin origin;

  friend bool operator==(const Candidates&, const Candidates&) = default;
};

struct Target {
  enum class Role : std::uint8_t {
    leader,
    followers,
    believers,
    all,
    candidate,
    node,
    zone,
    apiserver
  };
  using Mode = fault::Target::Mode;

  Role role = Role::leader;
  std::string name;  // of the candidate's process, the node or the zone
  Mode mode = Mode::all;
  std::int64_t value = 0;  // fixed: how many; the percent modes: per cent

  friend bool operator==(const Target&, const Target&) = default;
};

struct Crash {
  std::optional<Distribution> restart_delay;  // none: the candidate's own

  friend bool operator==(const Crash&, const Crash&) = default;
};
struct Terminate {
  std::optional<Duration> grace_period;  // none: the candidate's own

  friend bool operator==(const Terminate&, const Terminate&) = default;
};
struct Drain {
  friend bool operator==(const Drain&, const Drain&) = default;
};
struct Pause {
  using Clocks = fault::PauseClocks;
  Clocks clocks = Clocks::run;

  friend bool operator==(const Pause&, const Pause&) = default;
};
struct Partition {
  using Direction = fault::Direction;
  Direction direction = Direction::both;

  friend bool operator==(const Partition&, const Partition&) = default;
};
struct Delay {
  Distribution latency;  // added to each message
  Duration jitter{};     // uniformly up to so much more or less, never below 0

  friend bool operator==(const Delay&, const Delay&) = default;
};
struct Loss {
  Ratio fraction{1, 1};

  friend bool operator==(const Loss&, const Loss&) = default;
};
struct ApiOutage {
  using Mode = fault::OutageMode;
  Mode mode = Mode::refuse;
  int code = 503;  // of the answer in mode `error`

  friend bool operator==(const ApiOutage&, const ApiOutage&) = default;
};

using FaultKind = std::variant<Crash, Terminate, Drain, Pause, Partition, Delay, Loss, ApiOutage>;

// The word a scenario uses for it: "crash".
std::string_view type_of(const FaultKind& kind);

struct Fault {
  std::string name;
  FaultKind kind;
  Target target;                // of network faults the first of `between`
  std::optional<Target> other;  // of network faults the second of `between`
  Distribution at;
  bool at_any = false;                   // "at: any": at every tick of an exploration, `at` unused
  std::optional<Distribution> duration;  // none: until the end of the run
  std::optional<Distribution> every;     // none: once
  // With `every`; none: until the end of the run. With "at: any" at most so many; none: any number.
  std::optional<std::uint64_t> count;
  Ratio probability{1, 1};
  Origin origin;

  friend bool operator==(const Fault&, const Fault&) = default;
};

using PropertyId = check::PropertyId;
using Metric = check::MetricId;

struct Property {
  enum class Expect : std::uint8_t { holds, violated, any };
  using Level = record::Level;

  std::string name;             // as written: "beliefSafety" or "B1"
  std::vector<PropertyId> ids;  // it holds when each of them does
  Expect expect = Expect::holds;
  bool allow_vacuous = false;
  Level level = Level::context;
  std::optional<Duration> within;  // of boundedFailover; none: the closed-form bound
  std::optional<Duration> window;  // of eventualStability; none: L + 2(1+J)R
  Origin origin;

  friend bool operator==(const Property&, const Property&) = default;
};

struct Threshold {
  using Aggregation = stats::Aggregation;
  using Op = stats::Comparison;
  using Decision = stats::Decision;

  Metric metric = Metric::failover;
  std::string fault;  // failover[kill]; empty: all
  Aggregation aggregation = Aggregation::max;
  Ratio percentile;  // of p(N): 99 or 99.9 exactly
  Op op = Op::less;
  std::variant<Duration, Ratio> value;
  Decision decision = Decision::confident;
  bool abort_on_fail = false;  // once it fails for good, no more runs are made
  std::string text;            // as written: "p(99) < 20s"
  Origin origin;

  friend bool operator==(const Threshold&, const Threshold&) = default;
};

// Before all runs are made: at a look, they end when enough is known.
struct Stopping {
  // Enough: the interval of this figure is so narrow.
  struct Precision {
    Threshold figure;               // its metric, fault and aggregation; its value is the width,
    std::optional<Ratio> relative;  // unless that is a share of the estimate
    std::string width;              // as written: "5%"

    friend bool operator==(const Precision&, const Precision&) = default;
  };

  std::vector<std::uint64_t> looks;    // ascending; empty: 1000, 2000, 4000, ...
  std::optional<Precision> precision;  // none: enough when every threshold is decided

  friend bool operator==(const Stopping&, const Stopping&) = default;
};

// Which runs keep their full history.
struct Record {
  enum class Which : std::uint8_t { none, failures, first, all };
  Which which = Which::failures;
  std::uint64_t first = 0;

  friend bool operator==(const Record&, const Record&) = default;
};

// Bounds of an exhaustive exploration.
struct Explore {
  Duration tick{};                        // all times of the explored model are multiples of it
  std::optional<std::uint64_t> max_tick;  // simulated ticks; none: until there is no new state
  std::uint64_t max_states = 20'000'000;
  std::uint64_t max_memory = std::uint64_t{4} << 30;  // bytes
  bool symmetry = true;                               // identical candidates are interchangeable
  bool reduction = true;  // of the orders inside one instant, only those that can matter

  friend bool operator==(const Explore&, const Explore&) = default;
};

// One answer that a run gets instead of a random one: the `number`-th draw of a stream, by the name
// of the stream ("process/c-0/jitter").
struct Choice {
  std::string stream;
  std::uint64_t number = 0;
  std::uint64_t answer = 0;

  friend bool operator==(const Choice&, const Choice&) = default;
};

// What makes a scenario the script of one run: exploration and shrinking write their results so.
struct Choices {
  // What every draw gets that is not listed: its simplest answer, 0 (of a range the lowest value,
  // of a share "no", of an order the first), or the one that the seed gives it.
  enum class Otherwise : std::uint8_t { simplest, seeded };

  std::optional<Duration> tick;  // the run is on the grid of an exploration
  Otherwise otherwise = Otherwise::simplest;
  std::vector<Choice> answers;

  friend bool operator==(const Choices&, const Choices&) = default;
};

struct Scenario {
  std::string name;
  std::string description;
  Duration duration = std::chrono::minutes{5};
  Duration warmup = std::chrono::seconds{30};
  std::uint64_t runs = 1000;
  std::uint64_t seed = 1;
  LeaseName lease;
  Cluster cluster;
  std::vector<Candidates> candidates;
  std::vector<Fault> faults;
  std::vector<Property> properties;
  std::vector<Threshold> thresholds;
  std::optional<Alerts> alerts;
  std::optional<Stopping> stopping;
  Record record;
  std::optional<Explore> explore;
  std::optional<Choices> choices;

  friend bool operator==(const Scenario&, const Scenario&) = default;
};

// "Scenario", "Sweep", "Role", ...; empty when the document does not say.
std::string kind_of(const Document& document);

// The scenario of a document; nothing when `diagnostics` holds an error, from this function or from
// before: what is wrong in one place of a file spoils all of it. Each file has Diagnostics of its
// own.
std::optional<Scenario> decode(const Document& document, Diagnostics& diagnostics);

// Reports every fault that happens `at: any` (E0320): an exploration tries all instants, a run has
// no one to choose from. `document` is where the scenario was decoded from.
void refuse_any_instant(const Document& document,
                        const Scenario& scenario,
                        Diagnostics& diagnostics);

// Reports an answer of `choices` that a run did not follow (E0321): its draw is one of 0 to
// `bound`, or, without a bound, was never asked for.
void report_misfit(const Document& document,
                   const Scenario& scenario,
                   std::size_t answer,
                   std::optional<std::uint64_t> bound,
                   Diagnostics& diagnostics);

// One threshold of a metric ("failover[kill]", "p(99) < 20s"), for command lines and sweeps.
std::optional<Threshold> parse_threshold(std::string_view metric,
                                         std::string_view text,
                                         std::string& problem);

// The scenario with all defaults, in the form of a scenario file: decoding it gives an equal one.
nlohmann::ordered_json scenario_json(const Scenario& scenario);

}  // namespace tenure::scenario

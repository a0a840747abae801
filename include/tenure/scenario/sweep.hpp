// A sweep as its file says it, and the points it stands for: every one a scenario of its own.
//
// A sweep depends on two texts, its own and that of the scenario it varies, and on what the command
// line overrides. SweepInput is these and nothing else, so that shards made on other machines can
// be told apart from shards of another sweep, and joined again from themselves alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <tenure/base/diagnostics.hpp>
#include <tenure/scenario/expression.hpp>
#include <tenure/scenario/scenario.hpp>

namespace tenure::scenario {

inline constexpr std::size_t most_points = 100'000;
inline constexpr std::uint64_t most_sweep_runs = 1'000'000'000;  // of all points together

struct SweepInput {
  std::string sweep_name;  // the file, for messages
  std::string sweep_text;  // empty: none, the scenario is the only point
  std::string scenario_name;
  std::string scenario_text;
  std::vector<std::string> sets;  // --set arguments, for the scenario
  std::optional<std::uint64_t> runs;
  std::optional<std::uint64_t> seed;

  friend bool operator==(const SweepInput&, const SweepInput&) = default;
};

// One value of a parameter: as a scenario writes it, and as formulas compute with it.
struct ParameterValue {
  std::string text;
  std::optional<Quantity> quantity;  // nothing: a word, like `true`

  friend bool operator==(const ParameterValue&, const ParameterValue&) = default;
};

// From one value to another, at even distances or at even ratios.
struct ValueRange {
  enum class Scale : std::uint8_t { linear, log };

  Quantity from;
  Quantity to;
  std::optional<Quantity> step;        // of a grid
  std::optional<std::uint64_t> count;  // of a grid, at least 2; neither: a design draws from it
  Scale scale = Scale::linear;
};

struct Parameter {
  std::string name;
  std::string path;  // the field it sets; empty: it only enters formulas
  std::variant<std::vector<ParameterValue>, ValueRange, Expression> values;
  Position where;
};

// A field that is set from the parameters of its point, without being one.
struct Follower {
  std::string path;
  Expression formula;
  Position where;
};

struct Constraint {
  Expression formula;
  Position where;
};

// How the values of ranges are combined.
struct Design {
  enum class Kind : std::uint8_t { grid, sobol, latin_hypercube };

  Kind kind = Kind::grid;
  std::uint64_t points = 0;  // of the other two
  std::uint64_t seed = 1;
};

using Assignment = std::vector<std::pair<std::string, ParameterValue>>;

struct Named {
  Assignment values;
  Position where;
};

// A figure of a point: an aggregation of a metric.
struct Objective {
  Metric metric = Metric::failover;
  std::string fault;  // failover[kill].p(99); empty: all
  stats::Aggregation aggregation = stats::Aggregation::mean;
  Ratio percentile;
  std::string text;  // as written
};

// What a setting has in closed form, without a run: the lines of `tenure bounds`.
enum class ClosedForm : std::uint8_t {
  api_outage_survived,
  safety_margin,
  clock_ratio,
  pause_survived
};

// "apiOutageSurvived >= 8s"
struct ClosedFormCondition {
  ClosedForm of = ClosedForm::safety_margin;
  stats::Comparison op = stats::Comparison::at_least;
  Quantity value;
  std::string text;
};

using Condition = std::variant<Threshold, ClosedFormCondition>;

struct Sweep {
  enum class Seeds : std::uint8_t { common, independent };

  std::string name;
  std::string description;
  std::string scenario_path;
  std::optional<std::uint64_t> runs_per_point;  // nothing: the scenario's runs
  Seeds seeds = Seeds::common;
  Design design;
  std::vector<Parameter> parameters;
  std::vector<Follower> followers;
  std::vector<Constraint> constraints;
  std::vector<Named> excluded;
  std::vector<Named> included;
  std::vector<Objective> minimized;
  std::vector<Condition> needed;
};

// The path of the scenario that a sweep document varies; nothing: it names none.
std::optional<std::string> scenario_path_of(const Document& sweep);

// The sweep of a document, but for what depends on its scenario. Nothing: `diagnostics` says why.
std::optional<Sweep> decode_sweep(const Document& document, Diagnostics& diagnostics);

// One point: values of all parameters, and what they make of the scenario.
struct Point {
  std::vector<ParameterValue> values;  // by Sweep::parameters
  bool is_included = false;            // it stands outside of the product
  std::string skipped;                 // why it is not run; empty: it is
  Scenario scenario;                   // of a point that is run
};

struct SweepPlan {
  Sweep sweep;
  Document scenario_document;
  Scenario present;  // the scenario as it is without the sweep
  std::vector<Point> points;
  std::optional<std::size_t> present_point;  // the one with the scenario's own values
  std::size_t combined = 0;                  // points of the product
  std::size_t excluded = 0;
  std::size_t refused = 0;      // by the elector's own checks
  std::size_t constrained = 0;  // by constraints alone
  std::vector<Diagnostic> warnings;

  std::uint64_t runs_per_point() const { return present.runs; }
  std::size_t run_points() const { return points.size() - refused - constrained; }
};

// All points of a sweep, at most so many. Nothing: `diagnostics` says why, or `stop` was set
// meanwhile from outside.
std::optional<SweepPlan> plan_of(const SweepInput& input,
                                 Diagnostics& diagnostics,
                                 std::size_t most = most_points,
                                 const std::atomic<bool>* stop = nullptr);

// The `--set` arguments that make a point's scenario of the original one.
std::vector<std::string> overrides_of(const SweepPlan& plan, std::size_t point);

// "L=15s R=2s": the values that the sweep's file chooses, without those of formulas.
std::string label_of(const Sweep& sweep, const Point& point);

// The value of a closed form for a client-go scenario; nothing: there is none.
std::optional<Quantity> closed_form_of(const Scenario& scenario, ClosedForm of);
std::string_view to_text(ClosedForm of);

}  // namespace tenure::scenario

// From a sweep to its points.
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tenure/base/oracle.hpp>
#include <tenure/base/text.hpp>
#include <tenure/scenario/sweep.hpp>

#include "override.hpp"
#include "point_values.hpp"

namespace tenure::scenario {
namespace {

// What client-go's constructor refuses is a point without an election, not a mistake of the file.
bool is_refusal(const Diagnostic& diagnostic) {
  return diagnostic.code == "E0301" || diagnostic.code == "E0302" || diagnostic.code == "E0305";
}

std::vector<std::string> parameter_overrides(const Sweep& sweep, const Point& point) {
  std::vector<std::string> overrides;
  for (std::size_t i = 0; i < point.values.size(); ++i) {
    const std::string& path = sweep.parameters[i].path;
    if (!path.empty()) overrides.push_back(path + "=" + point.values[i].text);
  }
  return overrides;
}

class Planner {
 public:
  Planner(const SweepInput& input,
          Diagnostics& diagnostics,
          std::size_t most,
          const std::atomic<bool>* stop)
      : input_(input), diagnostics_(diagnostics), most_(most), stop_(stop) {}

  std::optional<SweepPlan> plan() {
    if (input_.sweep_text.empty()) return plain();
    if (!load_sweep() || !load_scenario() || !check_names()) return std::nullopt;
    if (!combine() || !include() || !check_size()) return std::nullopt;
    for (Point& point : plan_.points) {
      if (is_stopped() || !make(point)) return std::nullopt;
    }
    warn_about_excluded();
    return std::move(plan_);
  }

 private:
  bool is_stopped() const { return stop_ != nullptr && stop_->load(); }

  void error(Position where,
             std::string code,
             std::string text,
             std::vector<std::string> hints = {}) {
    Diagnostic diagnostic = sweep_.source->diagnostic(Diagnostic::Level::error, std::move(code),
                                                      where, std::move(text));
    diagnostic.hints = std::move(hints);
    diagnostics_.add(std::move(diagnostic));
  }

  // A scenario without a sweep is its only point.
  std::optional<SweepPlan> plain() {
    if (!load_scenario()) return std::nullopt;
    sweep_ = plan_.scenario_document;
    if (plan_.present.runs > most_sweep_runs) {
      error({}, "E0315",
            fmt::format("{} runs; the limit is {}", plan_.present.runs, most_sweep_runs));
      return std::nullopt;
    }
    plan_.sweep.name = plan_.present.name;
    plan_.combined = 1;
    plan_.points.emplace_back().scenario = plan_.present;
    plan_.present_point = 0;
    return std::move(plan_);
  }

  // The one document of a file.
  bool load(const std::string& name, const std::string& text, Document& out) {
    auto documents = parse_documents(name, text, format_of(name), diagnostics_);
    if (diagnostics_.errors() != 0) return false;
    if (documents.size() == 1) {
      out = std::move(documents.front());
      return true;
    }
    Diagnostic diagnostic;
    diagnostic.code = "E0006";
    diagnostic.file = name;
    diagnostic.text = fmt::format("{} documents in {}; a sweep is one, of one scenario",
                                  documents.size(), visible(name));
    diagnostics_.add(std::move(diagnostic));
    return false;
  }

  bool load_sweep() {
    if (!load(input_.sweep_name, input_.sweep_text, sweep_)) return false;
    auto sweep = decode_sweep(sweep_, diagnostics_);
    if (!sweep) return false;
    plan_.sweep = std::move(*sweep);
    return true;
  }

  bool load_scenario() {
    Document& document = plan_.scenario_document;
    if (!load(input_.scenario_name, input_.scenario_text, document)) return false;
    for (const std::string& set : input_.sets) {
      if (!apply_override(document, set, diagnostics_)) return false;
    }
    auto scenario = decode(document, diagnostics_);
    if (scenario) refuse_any_instant(document, *scenario, diagnostics_);
    if (diagnostics_.errors() != 0) return false;
    const bool aborts =
        std::any_of(scenario->thresholds.begin(), scenario->thresholds.end(),
                    [](const Threshold& threshold) { return threshold.abort_on_fail; });
    if (scenario->stopping || aborts) {
      diagnostics_.add(document.source->diagnostic(
          Diagnostic::Level::error, "E0218", Position{},
          fmt::format("runs that may stop early ({}) are neither swept nor made in parts",
                      aborts ? "abortOnFail" : "spec.stopping")));
      return false;
    }
    if (scenario->alerts) {
      diagnostics_.add(document.source->diagnostic(
          Diagnostic::Level::error, "E0220", Position{},
          "alerts (spec.alerts) in a sweep or in parts are not modelled in this version"));
      return false;
    }
    for (const Diagnostic& diagnostic : diagnostics_.all()) plan_.warnings.push_back(diagnostic);
    plan_.present = std::move(*scenario);
    if (plan_.sweep.runs_per_point) plan_.present.runs = *plan_.sweep.runs_per_point;
    if (input_.runs) plan_.present.runs = *input_.runs;
    if (input_.seed) plan_.present.seed = *input_.seed;
    return true;
  }

  // Faults that objectives and conditions speak of, and fields that are the sweep's own.
  bool check_names() {
    for (const Objective& objective : plan_.sweep.minimized)
      check_fault(objective.metric, objective.fault, objective.text);
    for (const Condition& condition : plan_.sweep.needed) {
      if (const auto* threshold = std::get_if<Threshold>(&condition))
        check_fault(threshold->metric, threshold->fault, threshold->text);
    }
    std::vector<Target> known;
    for (const Parameter& parameter : plan_.sweep.parameters)
      check_path(parameter.path, parameter.where, known);
    for (const Follower& follower : plan_.sweep.followers)
      check_path(follower.path, follower.where, known);
    return diagnostics_.errors() == 0;
  }

  // A field that points set, as its parameter or follower spells it.
  struct Target {
    std::string path;
    std::vector<std::string> steps;
  };

  // What is set twice would be set in vain, as would what is the sweep's own.
  void check_path(const std::string& path, Position where, std::vector<Target>& known) {
    std::vector<std::string> steps = resolved_path(plan_.scenario_document, path);
    const std::vector<std::string> own[] = {
        {"spec", "runs"}, {"spec", "seed"}, {"metadata"}, {"kind"}, {"apiVersion"}};
    const auto is_met = [&](const std::vector<std::string>& other) {
      return overlap(steps, other);
    };
    if (std::any_of(std::begin(own), std::end(own), is_met)) {
      error(where, "E0218", fmt::format("{} cannot vary from point to point", quoted(path)),
            {"runsPerPoint and seeds say how the points are run"});
    }
    const auto first = std::find_if(known.begin(), known.end(),
                                    [&](const Target& other) { return is_met(other.steps); });
    if (first != known.end()) {
      const bool is_same = first->path == path;
      error(where, "E0312",
            fmt::format("{} is set twice at each point{}", quoted(path),
                        is_same ? "" : fmt::format(": {} sets it, too", quoted(first->path))));
    }
    known.push_back({path, std::move(steps)});
  }

  void check_fault(Metric metric, const std::string& fault, const std::string& text) {
    if (fault.empty()) return;
    const bool is_known = std::any_of(plan_.present.faults.begin(), plan_.present.faults.end(),
                                      [&](const Fault& f) { return f.name == fault; });
    if (is_known && metric == Metric::failover) return;
    error({}, is_known ? "E0220" : "E0317",
          is_known ? fmt::format("{} of a single fault is not modelled in this version",
                                 check::to_text(metric))
                   : fmt::format("there is no fault {} in the scenario, in {}", quoted(fault),
                                 quoted(text)));
  }

  // ---- the product

  // All combinations, with what formulas make of them.
  bool combine() {
    NoPoints why;
    auto combinations = combinations_of(plan_.sweep, most_, why);
    if (!combinations && why.are_too_many) return too_many(why.where);
    if (!combinations) {
      error(why.where, "E0209", fmt::format("the range of {} holds no value", why.range));
      return false;
    }
    std::set<std::string> known;  // by key: 6s and 6000ms are one value
    for (PointValues& values : *combinations) {
      if (is_stopped() || !compute(values, {})) return false;
      if (!known.insert(key_of(values)).second) {
        error({}, "E0312", fmt::format("the sweep has the point {} twice", label(values)));
        return false;
      }
      if (is_excluded(values)) continue;
      plan_.points.emplace_back().values = std::move(values);
    }
    plan_.combined = combinations->size();
    return true;
  }

  bool too_many(Position where) {
    error(where, "E0315", fmt::format("the sweep has more than {} points", most_),
          {"use fewer values, or a design: {type: sobol, points: 256}"});
    return false;
  }

  std::optional<std::string> computed(const Expression& formula,
                                      const PointValues& values,
                                      Position where) {
    std::string problem;
    const auto value = formula.value(lookup_in(plan_.sweep, values), problem);
    const auto text = value ? text_of(*value) : std::nullopt;
    if (value && !text) problem = "its value is neither a number nor a duration, or too large";
    if (text) return text;
    error(where, "E0222", fmt::format("{} cannot be computed: {}", quoted(formula.text()), problem),
          {fmt::format("at the point {}", label(values))});
    return std::nullopt;
  }

  // The values of formulas, but for those that are `given`.
  bool compute(PointValues& values, const std::vector<bool>& given) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto* formula = std::get_if<Expression>(&plan_.sweep.parameters[i].values);
      if (formula == nullptr || (!given.empty() && given[i])) continue;
      const auto text = computed(*formula, values, plan_.sweep.parameters[i].where);
      if (!text) return false;
      values[i] = {*text, quantity_of(*text)};
    }
    return true;
  }

  bool matches(const Named& named, const PointValues& values) const {
    return std::all_of(named.values.begin(), named.values.end(), [&](const auto& wanted) {
      return are_equal(values[index_of(plan_.sweep, wanted.first)], wanted.second);
    });
  }

  bool is_excluded(const PointValues& values) {
    excluded_by_.resize(plan_.sweep.excluded.size());
    bool is_out = false;
    for (std::size_t i = 0; i < excluded_by_.size(); ++i) {
      if (!matches(plan_.sweep.excluded[i], values)) continue;
      ++excluded_by_[i];
      is_out = true;
    }
    if (is_out) ++plan_.excluded;
    return is_out;
  }

  void warn_about_excluded() {
    for (std::size_t i = 0; i < excluded_by_.size(); ++i) {
      if (excluded_by_[i] != 0) continue;
      plan_.warnings.push_back(sweep_.source->diagnostic(Diagnostic::Level::warning, "W0306",
                                                         plan_.sweep.excluded[i].where,
                                                         "this exclude matches no point"));
    }
  }

  // ---- single points

  bool include() {
    const std::vector<Parameter>& parameters = plan_.sweep.parameters;
    std::set<std::string> known;
    if (!plan_.sweep.included.empty()) {
      for (const Point& point : plan_.points) known.insert(key_of(point.values));
    }
    for (const Named& named : plan_.sweep.included) {
      PointValues values(parameters.size());
      std::vector<bool> given(parameters.size());
      for (const auto& [name, value] : named.values) {
        values[index_of(plan_.sweep, name)] = value;
        given[index_of(plan_.sweep, name)] = true;
      }
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        const bool is_formula = std::holds_alternative<Expression>(parameters[i].values);
        if (given[i] || is_formula || parameters[i].path.empty()) continue;
        error(named.where, "E0202", fmt::format("the included point has no {}", parameters[i].name),
              {"a point is included whole: it names every parameter that is no formula"});
        return false;
      }
      // A parameter without a field may be left out where no formula needs it.
      if (!compute(values, given)) return false;
      if (!known.insert(key_of(values)).second) {
        error(named.where, "E0312",
              fmt::format("the sweep has the point {} already", label(values)));
        return false;
      }
      Point& point = plan_.points.emplace_back();
      point.values = std::move(values);
      point.is_included = true;
    }
    return true;
  }

  bool check_size() {
    const std::uint64_t points = plan_.points.size();
    if (points == 0) {
      error({}, "E0209", "the sweep has no point");
      return false;
    }
    if (points > most_) return too_many({});
    if (plan_.runs_per_point() <= most_sweep_runs / points) return true;
    error({}, "E0315",
          fmt::format("{} points with {} runs each; the limit is {} runs in all", points,
                      plan_.runs_per_point(), most_sweep_runs));
    return false;
  }

  std::string label(const PointValues& values) const { return text_of(plan_.sweep, values); }

  // The scenario of a point with some of its fields set; nothing: it was refused or is wrong.
  std::optional<Scenario> decoded(const std::vector<std::string>& overrides,
                                  Diagnostics& problems) {
    Document document = plan_.scenario_document;
    for (const std::string& override : overrides) {
      if (!apply_override(document, override, problems)) return std::nullopt;
    }
    auto scenario = decode(document, problems);
    if (scenario) refuse_any_instant(document, *scenario, problems);
    if (problems.errors() != 0) return std::nullopt;
    return scenario;
  }

  bool make(Point& point) {
    const auto index = static_cast<std::size_t>(&point - plan_.points.data());
    Diagnostics problems;
    auto scenario = decoded(overrides_of(plan_, index), problems);
    if (!scenario) return explain(point, problems);
    if (scenario->faults.size() != plan_.present.faults.size() ||
        scenario->properties.size() != plan_.present.properties.size()) {
      error({}, "E0218", "a sweep cannot change the number of faults or properties");
      return false;
    }
    for (const auto& [constraint, where] : plan_.sweep.constraints) {
      std::string problem;
      const auto holds = constraint.value(lookup_in(plan_.sweep, point.values), problem);
      if (!holds) {
        error(where, "E0222",
              fmt::format("{} cannot be computed: {}", quoted(constraint.text()), problem),
              {fmt::format("at the point {}", label(point.values))});
        return false;
      }
      if (holds->numerator != 0) continue;
      point.skipped = fmt::format("constraint {}", constraint.text());
      ++plan_.constrained;
      return true;
    }
    point.scenario = std::move(*scenario);
    point.scenario.runs = plan_.present.runs;
    point.scenario.seed = seed_of(point);
    note_if_present(index);
    return true;
  }

  // Everything about a point is drawn from its seed, so that its runs can be made again by
  // `tenure replay` alone.
  std::uint64_t seed_of(const Point& point) const {
    const std::uint64_t seed = plan_.present.seed;
    if (plan_.sweep.seeds == Sweep::Seeds::common) return seed;
    constexpr std::uint64_t most = ~std::uint64_t{0} >> 1U;
    return SeededOracle{seed, 0}.pick({stream_named("sweep/seed/" + label(point.values)), 0}, most);
  }

  // Whether the point is how the scenario stands, but for what follows from a formula.
  void note_if_present(std::size_t index) {
    if (plan_.present_point) return;
    Diagnostics problems;
    auto bare = decoded(parameter_overrides(plan_.sweep, plan_.points[index]), problems);
    if (!bare) return;
    bare->runs = plan_.present.runs;
    bare->seed = plan_.present.seed;
    if (*bare == plan_.present) plan_.present_point = index;
  }

  // "spec.nosuch=5s: there is no ...", at the parameter or follower with that path.
  Diagnostic at_its_path(const Diagnostic& problem) const {
    const auto sets = [&](const std::string& path) {
      return !path.empty() && problem.text.starts_with(path + "=");
    };
    std::optional<Position> where;
    for (const Parameter& parameter : plan_.sweep.parameters) {
      if (sets(parameter.path)) where = parameter.where;
    }
    for (const Follower& follower : plan_.sweep.followers) {
      if (sets(follower.path)) where = follower.where;
    }
    if (!where) return problem;
    Diagnostic placed =
        sweep_.source->diagnostic(problem.level, problem.code, *where, problem.text);
    placed.hints = problem.hints;
    return placed;
  }

  bool explain(Point& point, const Diagnostics& problems) {
    const auto is_error = [](const Diagnostic& d) { return d.level == Diagnostic::Level::error; };
    const auto first = std::find_if(problems.all().begin(), problems.all().end(), is_error);
    const bool only_refused =
        std::all_of(problems.all().begin(), problems.all().end(),
                    [&](const Diagnostic& d) { return !is_error(d) || is_refusal(d); });
    if (only_refused) {
      point.skipped = "refused by client-go: " + first->text;
      ++plan_.refused;
      return true;
    }
    for (Diagnostic diagnostic : problems.all()) {
      if (!is_error(diagnostic)) continue;
      // Nobody wrote the override that a point is made with; its path stands in the sweep.
      const std::string given = "--set ";
      if (diagnostic.text.starts_with(given)) diagnostic.text.erase(0, given.size());
      if (diagnostic.code == "E0003") diagnostic = at_its_path(diagnostic);
      std::erase_if(diagnostic.hints,
                    [](const std::string& hint) { return hint.starts_with("set by --set "); });
      diagnostic.hints.push_back(
          fmt::format("at the point {} of {}", label(point.values), visible(input_.sweep_name)));
      diagnostics_.add(std::move(diagnostic));
    }
    return false;
  }

  const SweepInput& input_;
  Diagnostics& diagnostics_;
  std::size_t most_;
  const std::atomic<bool>* stop_;
  Document sweep_;
  SweepPlan plan_;
  std::vector<std::size_t> excluded_by_;
};

}  // namespace

std::optional<SweepPlan> plan_of(const SweepInput& input,
                                 Diagnostics& diagnostics,
                                 std::size_t most,
                                 const std::atomic<bool>* stop) {
  return Planner{input, diagnostics, most, stop}.plan();
}

std::vector<std::string> overrides_of(const SweepPlan& plan, std::size_t point) {
  const Point& of = plan.points[point];
  std::vector<std::string> overrides = parameter_overrides(plan.sweep, of);
  const Expression::Lookup lookup = lookup_in(plan.sweep, of.values);
  std::string problem;
  for (const Follower& follower : plan.sweep.followers) {
    const auto value = follower.formula.value(lookup, problem);
    const auto text = value ? text_of(*value) : std::nullopt;
    // What cannot be computed is left to the decoder to refuse, with its place.
    overrides.push_back(follower.path + "=" + text.value_or(follower.formula.text()));
  }
  return overrides;
}

std::string label_of(const Sweep& sweep, const Point& point) {
  std::string text;
  for (std::size_t i = 0; i < point.values.size(); ++i) {
    const Parameter& parameter = sweep.parameters[i];
    const bool is_formula = std::holds_alternative<Expression>(parameter.values);
    if (point.values[i].text.empty() || (is_formula && !point.is_included)) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", parameter.name,
                        visible(point.values[i].text));
  }
  return text;
}

}  // namespace tenure::scenario

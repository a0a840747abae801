#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/report/reader.hpp>
#include <tenure/run/campaign.hpp>
#include <tenure/run/stopping.hpp>
#include <tenure/run/sweep.hpp>
#include <tenure/scenario/document.hpp>
#include <tenure/scenario/sweep.hpp>
#include <tenure/stats/codec.hpp>

#include "result_field.hpp"
#include "units.hpp"

namespace tenure::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view api_version = "tenure/v1alpha1";

struct FileCloser {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

// Nothing: it cannot be read, and errno says why.
std::optional<std::string> text_of_file(const std::string& path) {
  errno = 0;
  const std::unique_ptr<std::FILE, FileCloser> file{path == "-" ? stdin
                                                                : std::fopen(path.c_str(), "rb")};
  if (!file) return std::nullopt;
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 20);
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get()))
    text.append(buffer.data(), got);
  if (std::ferror(file.get()) != 0) return std::nullopt;
  return text;
}

// ---- samples

using stats::coding;

std::optional<std::vector<std::int64_t>> read_deltas(const ResultField& field, std::size_t n) {
  const std::string* text = field.text();
  if (text == nullptr) return std::nullopt;
  if (text->compare(0, coding.size(), coding) != 0) {
    field.problem(fmt::format("does not begin with \"{}\"", coding));
    return std::nullopt;
  }
  auto values = stats::decode_deltas(std::string_view{*text}.substr(coding.size()), n);
  if (!values || values->size() != n) {
    field.problem(fmt::format("is damaged: it does not hold {} samples", n));
    return std::nullopt;
  }
  return values;
}

bool lie_below(const std::vector<std::int64_t>& values, std::uint64_t bound) {
  return std::all_of(values.begin(), values.end(), [&](std::int64_t v) {
    return v >= 0 && static_cast<std::uint64_t>(v) < bound;
  });
}

// The run of each sample: those that are listed, or one a run.
std::optional<std::vector<std::int64_t>> read_runs(const ResultField& metric,
                                                   std::size_t n,
                                                   std::uint64_t runs) {
  std::vector<std::int64_t> of(n);
  if (!metric.has("runOf")) {
    for (std::size_t i = 0; i < n; ++i) of[i] = static_cast<std::int64_t>(i);
    if (n == runs) return of;
    metric.problem(fmt::format("has {} samples of {} runs and no runOf", n, runs));
    return std::nullopt;
  }
  const ResultField field = metric.at("runOf");
  auto listed = read_deltas(field, n);
  if (!listed) return std::nullopt;
  const std::uint64_t most =
      std::min<std::uint64_t>(runs, std::uint64_t{1} + std::numeric_limits<std::uint32_t>::max());
  if (lie_below(*listed, most) && std::is_sorted(listed->begin(), listed->end())) return listed;
  field.problem(fmt::format("is damaged: it must name runs below {}, in their order", runs));
  return std::nullopt;
}

std::optional<std::vector<std::int64_t>> read_faults(const ResultField& metric,
                                                     std::size_t n,
                                                     std::size_t faults) {
  if (!metric.has("faultOf")) return std::vector<std::int64_t>(n, 0);
  const ResultField field = metric.at("faultOf");
  auto listed = read_deltas(field, n);
  if (!listed || lie_below(*listed, faults)) return listed;
  field.problem(fmt::format("is damaged: the scenario has {} faults", faults));
  return std::nullopt;
}

// Which samples are censored.
std::optional<std::vector<bool>> read_censored(const ResultField& metric, std::size_t n) {
  std::vector<bool> censored(n, false);
  if (!metric.has("censoredAt")) return censored;
  const ResultField field = metric.at("censoredAt");
  std::uint64_t next = 0;
  for (const ResultField& item : field.items()) {
    const std::optional<std::uint64_t> index = item.whole();
    if (!index) return std::nullopt;
    if (*index < next || *index >= n) {
      item.problem(fmt::format("must lie between {} and the number of samples, {}", next, n));
      return std::nullopt;
    }
    censored[*index] = true;
    next = *index + 1;
  }
  return censored;
}

// Whether an extreme is the recorded one: a damaged difference shifts all values behind it.
void check_extreme(const ResultField& recorded,
                   stats::Unit unit,
                   const std::optional<stats::Observed>& found) {
  const Json& json = recorded.json();
  if (recorded.is_missing()) return;
  bool same = json.is_null();
  if (found && unit == stats::Unit::billionth)
    same = json.is_number() && json.get<double>() == static_cast<double>(found->value) / 1e9;
  if (found && unit != stats::Unit::billionth)
    same = json.is_number_integer() && json.get<std::int64_t>() == found->value;
  if (!same) recorded.problem("is not that of the samples, which are damaged");
}

// ---- properties

std::optional<run::Finding> read_finding(const ResultField& field) {
  using run::Finding;
  const std::string* text = field.text();
  if (text == nullptr) return std::nullopt;
  for (const Finding finding : {Finding::ok, Finding::fail, Finding::xfail, Finding::xpass,
                                Finding::inconclusive, Finding::not_exercised}) {
    if (run::to_text(finding) == *text) return finding;
  }
  field.problem(fmt::format("is no verdict: {}", tenure::quoted(*text)));
  return std::nullopt;
}

void read_tally(const ResultField& at, run::PropertyResult& out) {
  out.tally.violated_runs = at.at("violatedRuns").whole().value_or(0);
  out.tally.exercised_runs = at.at("exercisedRuns").whole().value_or(0);
  if (out.tally.violated_runs == 0) return;
  out.tally.first_violating = at.at("firstRun").whole().value_or(0);
  if (const std::string* story = at.at("firstViolation").text()) out.story = *story;
  const auto when = static_cast<std::int64_t>(at.at("atNs").whole().value_or(0));
  out.tally.violation.emplace().at = TrueTime{Duration{when}};
}

void read_property(const ResultField& at, run::RunResult& result) {
  run::PropertyResult out;
  if (const std::string* name = at.at("name").text()) out.name = *name;
  if (const std::string* ids = at.at("ids").text()) out.ids = *ids;
  if (const auto finding = read_finding(at.at("verdict"))) out.finding = *finding;
  read_tally(at, out);
  if (out.tally.violated_runs > result.runs || out.tally.exercised_runs > result.runs)
    at.problem(fmt::format("counts more runs than the {} that were made", result.runs));
  else
    out.share = run::share_shown(out.tally.violated_runs, result.runs);
  const auto listed =
      std::find_if(result.scenario.properties.begin(), result.scenario.properties.end(),
                   [&](const scenario::Property& p) { return p.name == out.name; });
  const bool may_be_vacuous = listed != result.scenario.properties.end() && listed->allow_vacuous;
  out.counts = !(out.finding == run::Finding::not_exercised && may_be_vacuous);
  result.properties.push_back(std::move(out));
}

// ---- the rest

void read_warning(const ResultField& at, run::RunResult& result) {
  Diagnostic warning;
  warning.level = Diagnostic::Level::warning;
  if (const std::string* code = at.at("code").text()) warning.code = *code;
  if (const std::string* text = at.at("text").text()) warning.text = *text;
  if (at.has("line")) {
    warning.where.line = at.at("line").whole().value_or(0);
    warning.where.column = at.at("column").whole().value_or(0);
  }
  for (const ResultField& hint : at.at("hints").items()) {
    if (const std::string* text = hint.text()) warning.hints.push_back(*text);
  }
  result.warnings.push_back(std::move(warning));
}

// Its own diagnostics speak of a text that is in no file; the first one is told as it is.
bool read_scenario(const ResultField& at, scenario::Scenario& out) {
  Diagnostics own;
  const auto documents =
      scenario::parse_documents(at.place().file, at.json().dump(), scenario::Format::json, own);
  const bool is_one = documents.size() == 1 && own.errors() == 0;
  auto decoded = is_one ? scenario::decode(documents.front(), own) : std::nullopt;
  if (!decoded) {
    at.problem(own.all().empty() ? "is not a scenario"
                                 : fmt::format("cannot be understood: {}", own.all().front().text));
    return false;
  }
  out = std::move(*decoded);
  return true;
}

bool read_head(const ResultField& root) {
  const ResultField version = root.at("apiVersion");
  const std::string* text = version.text();
  if (text == nullptr) return false;
  if (*text != api_version) {
    version.problem(
        fmt::format("is {}; this version of tenure reads {}", tenure::quoted(*text), api_version));
    return false;
  }
  const ResultField kind = root.at("kind");
  const std::string* word = kind.text();
  if (word == nullptr) return false;
  if (*word == "RunResult") return true;
  kind.problem(fmt::format("is {}, and a RunResult is needed", tenure::quoted(*word)));
  return false;
}

std::optional<run::Verdict> read_verdict(const ResultField& field) {
  using run::Verdict;
  const std::string* text = field.text();
  if (text == nullptr) return std::nullopt;
  for (const Verdict verdict : {Verdict::pass, Verdict::fail, Verdict::inconclusive}) {
    if (run::to_text(verdict) == *text) return verdict;
  }
  field.problem(fmt::format("is no verdict: {}", tenure::quoted(*text)));
  return std::nullopt;
}

void read_status(const ResultField& at, run::RunResult& result) {
  if (const auto verdict = read_verdict(at.at("verdict"))) result.verdict = *verdict;
  const ResultField runs = at.at("runs");
  result.runs = runs.whole().value_or(0);
  if (result.runs > scenario::most_sweep_runs) {
    runs.problem(fmt::format("is more than the {} that can be made", scenario::most_sweep_runs));
    result.runs = 0;
  }
  result.interrupted = at.has("interrupted");
  result.partial = at.has("partial");
  result.events = at.at("events").whole().value_or(0);
  const ResultField hash = at.at("runHash");
  const std::string* text = hash.text();
  if (text == nullptr) return;
  const char* const end = text->data() + text->size();
  const auto [read_to, error] = std::from_chars(text->data(), end, result.run_hash, 16);
  if (text->size() != 16 || error != std::errc{} || read_to != end)
    hash.problem("is not 16 hexadecimal digits");
}

void read_looks(const ResultField& stopping, run::RunResult& result) {
  for (const ResultField& item : stopping.at("looks").items()) {
    run::Look look;
    look.runs = item.at("runs").whole().value_or(0);
    look.undecided = item.at("undecided").whole().value_or(0);
    look.alpha = run::alpha_after(result.scenario, look.runs);
    result.looks.push_back(look);
  }
}

void read_metrics(const ResultField& at, run::RunResult& result, Diagnostics& diagnostics) {
  for (std::size_t id = 0; id < check::metric_count; ++id) {
    const auto metric = static_cast<check::MetricId>(id);
    const ResultField field = at.at(check::to_text(metric));
    auto samples = field.is_missing()
                       ? std::nullopt
                       : read_samples(field.json(), metric, result.runs,
                                      result.scenario.faults.size(), field.place(), diagnostics);
    result.metrics.push_back(samples ? std::move(*samples) : stats::Samples{run::unit_of(metric)});
    result.summaries.push_back(stats::summary_of(stats::Ordered{result.metrics.back()}));
  }
  const auto& overlaps =
      result.metrics[static_cast<std::size_t>(check::MetricId::overlap)].values();
  result.overlapping_runs = static_cast<std::uint64_t>(
      std::count_if(overlaps.begin(), overlaps.end(), [](std::int64_t v) { return v > 0; }));
}

// ---- sweeps

std::string text_at(const ResultField& field) {
  const std::string* text = field.text();
  return text == nullptr ? std::string{} : *text;
}

std::optional<std::uint64_t> number_or_null(const ResultField& field) {
  if (field.json().is_null()) return std::nullopt;
  return field.whole();
}

// The points are made again from what the sweep was made from, which the result carries.
std::optional<scenario::SweepPlan> read_plan(const ResultField& input, const std::string& sha256) {
  scenario::SweepInput made_from;
  made_from.sweep_name = text_at(input.at("sweep").at("name"));
  made_from.sweep_text = text_at(input.at("sweep").at("text"));
  made_from.scenario_name = text_at(input.at("scenario").at("name"));
  made_from.scenario_text = text_at(input.at("scenario").at("text"));
  for (const ResultField& set : input.at("sets").items()) made_from.sets.push_back(text_at(set));
  made_from.runs = number_or_null(input.at("runs"));
  made_from.seed = number_or_null(input.at("seed"));
  if (sha256 != run::sha256_of(made_from)) {
    input.problem("is not what metadata.sha256 is of");
    return std::nullopt;
  }
  Diagnostics own;
  auto plan = scenario::plan_of(made_from, own);
  if (!plan) {
    input.problem(own.all().empty()
                      ? "is no sweep"
                      : fmt::format("cannot be understood: {}", own.all().front().text));
  }
  return plan;
}

// A point as the result of its scenario, which bears the name of the point.
run::RunResult read_point(const ResultField& field,
                          const scenario::SweepPlan& plan,
                          std::size_t index,
                          std::string version,
                          Diagnostics& diagnostics) {
  run::RunResult result;
  result.scenario = plan.points[index].scenario;
  result.scenario.name =
      fmt::format("{} {}", plan.sweep.name, label_of(plan.sweep, plan.points[index]));
  result.version = std::move(version);
  read_status(field, result);
  for (const ResultField& property : field.at("properties").items())
    read_property(property, result);
  read_metrics(field.at("metrics"), result, diagnostics);
  result.thresholds = run::judge_thresholds(result.scenario, result.metrics, result.runs);
  return result;
}

std::optional<std::vector<run::RunResult>> read_points(const ResultField& root,
                                                       Diagnostics& diagnostics) {
  const auto plan = read_plan(root.at("input"), text_at(root.at("metadata").at("sha256")));
  if (!plan) return std::nullopt;
  const ResultField points = root.at("points");
  const std::vector<ResultField> items = points.items();
  if (items.size() != plan->points.size()) {
    points.problem(fmt::format("has {} items, and the sweep has {} points", items.size(),
                               plan->points.size()));
    return std::nullopt;
  }
  const std::string version = text_at(root.at("metadata").at("tenureVersion"));
  std::vector<run::RunResult> results;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].has("metrics")) continue;  // skipped
    results.push_back(read_point(items[i], *plan, i, version, diagnostics));
  }
  if (diagnostics.errors() != 0) return std::nullopt;
  return results;
}

}  // namespace

std::shared_ptr<const Json> load_json(const std::string& path, Diagnostics& diagnostics) {
  const std::string name = path == "-" ? "<stdin>" : path;
  const std::optional<std::string> text = text_of_file(path);
  if (!text) {
    Diagnostic unreadable;
    unreadable.code = "E0501";
    unreadable.text = fmt::format("cannot read {}: {}", name, std::strerror(errno));
    diagnostics.add(std::move(unreadable));
    return nullptr;
  }
  // Deeper than any result, and than what can be taken apart again.
  constexpr int deepest = 100;
  bool is_too_deep = false;
  const auto keep = [&](int depth, Json::parse_event_t, Json&) {
    is_too_deep = is_too_deep || depth > deepest;
    return !is_too_deep;
  };
  auto json = std::make_shared<Json>(Json::parse(*text, keep, false));
  if (!json->is_discarded() && !is_too_deep) return json;
  ResultField{*json, {name, {}}, diagnostics}.problem("is not whole, or no JSON at all");
  return nullptr;
}

std::string kind_of(const Json& json) {
  if (!json.is_object()) return {};
  const auto kind = json.find("kind");
  return kind != json.end() && kind->is_string() ? kind->get<std::string>() : std::string{};
}

std::optional<stats::Samples> read_samples(const Json& json,
                                           check::MetricId id,
                                           std::uint64_t runs,
                                           std::size_t faults,
                                           const ResultPlace& place,
                                           Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.errors();
  const ResultField metric{json, place, diagnostics};
  const stats::Unit unit = run::unit_of(id);
  const ResultField named = metric.at("unit");
  if (const std::string* text = named.text(); text != nullptr && *text != unit_text(id))
    named.problem(fmt::format("is {}, and samples of {} are in {}", tenure::quoted(*text),
                              check::to_text(id), unit_text(id)));
  const std::optional<std::uint64_t> n = metric.at("n").whole();
  if (!n || diagnostics.errors() != errors_before) return std::nullopt;
  const auto values = read_deltas(metric.at(samples_field(unit)), *n);
  if (!values) return std::nullopt;
  const auto run_of = read_runs(metric, *n, runs);
  const auto fault_of = read_faults(metric, *n, faults);
  const auto censored = read_censored(metric, *n);
  if (!run_of || !fault_of || !censored) return std::nullopt;
  stats::Samples samples{unit};
  samples.reserve(*n);
  for (std::size_t i = 0; i < *n; ++i) {
    samples.add({(*values)[i], static_cast<std::uint64_t>((*run_of)[i]),
                 static_cast<std::uint32_t>((*fault_of)[i]), (*censored)[i]});
  }
  const stats::Summary summary = stats::summary_of(stats::Ordered{samples});
  check_extreme(metric.at(unit_field("min", unit)), unit, summary.min);
  check_extreme(metric.at(unit_field("max", unit)), unit, summary.max);
  if (diagnostics.errors() != errors_before) return std::nullopt;
  return samples;
}

std::optional<run::RunResult> read_run_result(const Json& json,
                                              const ResultPlace& place,
                                              Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.errors();
  const ResultField root{json, place, diagnostics};
  if (!read_head(root)) return std::nullopt;
  run::RunResult result;
  if (!read_scenario(root.at("scenario"), result.scenario)) return std::nullopt;
  const ResultField metadata = root.at("metadata");
  if (const std::string* sha = metadata.at("scenarioSha256").text()) result.scenario_sha256 = *sha;
  if (const std::string* made_by = metadata.at("tenureVersion").text()) result.version = *made_by;
  read_status(root.at("status"), result);
  if (result.scenario.stopping) read_looks(root.at("stopping"), result);
  for (const ResultField& property : root.at("properties").items()) read_property(property, result);
  read_metrics(root.at("metrics"), result, diagnostics);
  result.thresholds = run::judge_thresholds(result.scenario, result.metrics, result.runs);
  for (const ResultField& warning : root.at("warnings").items()) read_warning(warning, result);
  for (const ResultField& assumption : root.at("assumptions").items()) {
    if (const std::string* text = assumption.text()) result.assumptions.push_back(*text);
  }
  if (diagnostics.errors() != errors_before) return std::nullopt;
  return result;
}

std::optional<std::vector<run::RunResult>> load_run_results(const std::string& path,
                                                            Diagnostics& diagnostics) {
  const std::shared_ptr<const Json> json = load_json(path, diagnostics);
  if (!json) return std::nullopt;
  const ResultPlace place{path == "-" ? "<stdin>" : path, {}};
  if (kind_of(*json) == "SweepResult")
    return read_points(ResultField{*json, place, diagnostics}, diagnostics);
  std::vector<run::RunResult> results;
  if (kind_of(*json) != "ResultList") {
    auto result = read_run_result(*json, place, diagnostics);
    if (!result) return std::nullopt;
    results.push_back(std::move(*result));
    return results;
  }
  const ResultField list{*json, place, diagnostics};
  for (const ResultField& item : list.at("items").items()) {
    auto result = read_run_result(item.json(), item.place(), diagnostics);
    if (result) results.push_back(std::move(*result));
  }
  if (diagnostics.errors() != 0) return std::nullopt;
  return results;
}

}  // namespace tenure::report

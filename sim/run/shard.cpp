#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/run/shard.hpp>
#include <tenure/stats/codec.hpp>

#include "shard_damage.hpp"

namespace tenure::run {
namespace {

using Json = nlohmann::ordered_json;

using stats::coding;
// The failovers of a block: at most as many as events of a run could begin, which decode_deltas
// wants bounded before it reads a text that anybody may have written.
constexpr std::size_t most_samples = std::size_t{1} << 26;
constexpr std::uint64_t most_seed = std::numeric_limits<std::int64_t>::max();  // of --seed
constexpr std::int64_t most_faults = 1'000'000;  // of a scenario: more than a file can hold

// ---- writing

template <class Encode>
std::string coded(const Encode& encode) {
  std::string text{coding};
  encode([&](std::string_view piece) { text += piece; });
  return text;
}

Json samples_json(const stats::Samples& samples) {
  Json json;
  json["values"] = coded([&](const auto& sink) { stats::encode_values(samples, sink); });
  json["runs"] = coded([&](const auto& sink) { stats::encode_runs(samples, sink); });
  const bool has_faults = [&] {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (samples.fault_of(i) != 0) return true;
    }
    return false;
  }();
  if (has_faults)
    json["faults"] = coded([&](const auto& sink) { stats::encode_faults(samples, sink); });
  if (!samples.censored_at().empty()) json["censoredAt"] = samples.censored_at();
  return json;
}

Json incarnation_json(record::Incarnation who) {
  return Json::array({who.process.value, who.number});
}

Json violation_json(const check::Violation& v) {
  return {{"id", check::to_text(v.id)},     {"atNs", v.at.time_since_epoch().count()},
          {"who", incarnation_json(v.who)}, {"other", incarnation_json(v.other)},
          {"lengthNs", v.length.count()},   {"found", v.found},
          {"expected", v.expected}};
}

Json tally_json(const PropertyTally& tally) {
  Json json{{"violatedRuns", tally.violated_runs}, {"exercisedRuns", tally.exercised_runs}};
  if (tally.first_violating) json["firstRun"] = *tally.first_violating;
  if (tally.violation) json["violation"] = violation_json(*tally.violation);
  return json;
}

Json unit_json(const Unit& unit) {
  const CampaignResult& result = unit.result;
  Json json{{"point", unit.point}, {"block", unit.block}, {"runs", result.runs}};
  json["events"] = result.events;
  json["runHash"] = fmt::format("{:016x}", result.run_hash);
  json["overlappingRuns"] = result.overlapping_runs;
  json["faultEffects"] = result.fault_effects;
  json["properties"] = Json::array();
  for (const PropertyTally& tally : result.properties)
    json["properties"].push_back(tally_json(tally));
  json["violatingRuns"] = result.violating_runs;
  json["metrics"] = Json::array();
  for (const stats::Samples& samples : result.metrics)
    json["metrics"].push_back(samples_json(samples));
  return json;
}

// ---- reading

// The library would take -1 and 1e300 for some number too.
std::optional<std::uint64_t> whole_in(const Json& json, std::uint64_t most) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > most) return std::nullopt;
  return json.get<std::uint64_t>();
}

// Reads units. A value of the wrong kind makes the library throw, which read_shard catches; a wrong
// value is kept as the first problem.
class UnitReader {
 public:
  Unit unit(const Json& json) {
    Unit unit;
    unit.point = whole(json.at("point"));
    unit.block = whole(json.at("block"));
    CampaignResult& result = unit.result;
    result.runs = whole(json.at("runs"));
    if (result.runs > block_size || unit.block > scenario::most_sweep_runs) {
      refuse("a unit has more runs than a unit can have");
      return unit;
    }
    result.events = whole(json.at("events"));
    result.run_hash = hash(json.at("runHash").get_ref<const std::string&>());
    result.overlapping_runs = whole(json.at("overlappingRuns"));
    result.fault_effects = wholes(json.at("faultEffects"), result.runs);
    for (const Json& each : json.at("properties")) result.properties.push_back(tally(each));
    const std::uint64_t end = unit.block * block_size + result.runs;
    result.violating_runs = wholes(json.at("violatingRuns"), end);
    const Json& metrics = json.at("metrics");
    if (metrics.size() != check::metric_count) refuse("a unit has other metrics");
    const std::uint64_t first = unit.block * block_size;
    for (std::size_t i = 0; i < check::metric_count; ++i) {
      const stats::Unit of = run::unit_of(static_cast<check::MetricId>(i));
      result.metrics.push_back(i < metrics.size()
                                   ? samples(metrics.at(i), of, first, first + result.runs)
                                   : stats::Samples{of});
    }
    return unit;
  }

  // What was wrong first; empty: nothing.
  const std::string& problem() const { return problem_; }

 private:
  void refuse(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
  }

  std::uint64_t whole(const Json& json,
                      std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    const auto number = whole_in(json, most);
    if (!number) refuse("a count is no whole number, or too large");
    return number.value_or(0);
  }

  std::vector<std::uint64_t> wholes(const Json& json, std::uint64_t most) {
    std::vector<std::uint64_t> numbers;
    for (const Json& each : json) numbers.push_back(whole(each, most));
    return numbers;
  }

  // Nanoseconds and counts with a sign.
  std::int64_t with_sign(const Json& json) {
    const bool fits =
        json.is_number_integer() &&
        (!json.is_number_unsigned() ||
         json.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
    if (!fits) refuse("a figure of a violation is no whole number");
    return fits ? json.get<std::int64_t>() : 0;
  }

  std::vector<std::int64_t> deltas(const Json& json) {
    const std::string_view text = json.get_ref<const std::string&>();
    auto values = text.starts_with(coding)
                      ? stats::decode_deltas(text.substr(coding.size()), most_samples)
                      : std::nullopt;
    if (!values) refuse("samples cannot be decoded");
    return values.value_or(std::vector<std::int64_t>{});
  }

  stats::Samples samples(const Json& json, stats::Unit of, std::uint64_t first, std::uint64_t end) {
    stats::Samples read{of};
    const std::vector<std::int64_t> values = deltas(json.at("values"));
    const std::vector<std::int64_t> runs = deltas(json.at("runs"));
    std::vector<std::int64_t> faults(values.size());
    if (json.contains("faults")) faults = deltas(json.at("faults"));
    std::vector<std::size_t> censored;
    if (json.contains("censoredAt")) censored = wholes(json.at("censoredAt"), most_samples);
    if (runs.size() != values.size() || faults.size() != values.size() ||
        !ascends(censored, 0, values.size())) {
      refuse("samples without a run or a fault");
      return read;
    }
    read.reserve(values.size());
    auto before = static_cast<std::int64_t>(first);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (runs[i] < before || runs[i] >= static_cast<std::int64_t>(end) || faults[i] < 0 ||
          faults[i] > most_faults) {
        refuse("a sample of a run that is not in its unit");
        break;
      }
      before = runs[i];
      read.add({values[i], static_cast<std::uint64_t>(runs[i]),
                static_cast<std::uint32_t>(faults[i]),
                std::binary_search(censored.begin(), censored.end(), i)});
    }
    return read;
  }

  template <class Number>
  Number whole_of(const Json& json) {
    return static_cast<Number>(whole(json, std::numeric_limits<Number>::max()));
  }

  record::Incarnation incarnation(const Json& json) {
    record::Incarnation who;
    who.process.value = whole_of<decltype(who.process.value)>(json.at(0));
    who.number = whole_of<decltype(who.number)>(json.at(1));
    return who;
  }

  check::Violation violation(const Json& json) {
    check::Violation read;
    const std::string_view id = json.at("id").get_ref<const std::string&>();
    bool is_known = false;
    for (std::size_t i = 0; i < check::property_count; ++i) {
      const auto each = static_cast<check::PropertyId>(i);
      if (check::to_text(each) != id) continue;
      read.id = each;
      is_known = true;
    }
    if (!is_known) refuse(fmt::format("there is no property {}", quoted(id)));
    read.at = TrueTime{Duration{with_sign(json.at("atNs"))}};
    read.who = incarnation(json.at("who"));
    read.other = incarnation(json.at("other"));
    read.length = Duration{with_sign(json.at("lengthNs"))};
    read.found = with_sign(json.at("found"));
    read.expected = with_sign(json.at("expected"));
    return read;
  }

  PropertyTally tally(const Json& json) {
    PropertyTally read;
    read.violated_runs = whole(json.at("violatedRuns"));
    read.exercised_runs = whole(json.at("exercisedRuns"));
    if (json.contains("firstRun")) read.first_violating = whole(json.at("firstRun"));
    if (json.contains("violation")) read.violation = violation(json.at("violation"));
    const bool is_violated = read.violated_runs != 0;
    const bool counts_runs = read.violated_runs <= block_size && read.exercised_runs <= block_size;
    if (!counts_runs || read.first_violating.has_value() != is_violated ||
        read.violation.has_value() != is_violated)
      refuse("a violation without its run, or a run without its violation");
    return read;
  }

  std::uint64_t hash(const std::string& digits) {
    if (digits.size() == 16 && digits.find_first_not_of("0123456789abcdef") == std::string::npos)
      return std::stoull(digits, nullptr, 16);
    refuse("runHash is no hash");
    return 0;
  }

  std::string problem_;
};

scenario::SweepInput input_of(const Json& json) {
  scenario::SweepInput input;
  input.sweep_name = json.at("sweep").at("name").get<std::string>();
  input.sweep_text = json.at("sweep").at("text").get<std::string>();
  input.scenario_name = json.at("scenario").at("name").get<std::string>();
  input.scenario_text = json.at("scenario").at("text").get<std::string>();
  input.sets = json.at("sets").get<std::vector<std::string>>();
  // Of what is no number of runs, 0 is made, which is refused.
  if (!json.at("runs").is_null())
    input.runs = whole_in(json.at("runs"), scenario::most_sweep_runs).value_or(0);
  return input;
}

}  // namespace

Json input_json(const scenario::SweepInput& input) {
  Json json;
  json["sweep"] = {{"name", input.sweep_name}, {"text", input.sweep_text}};
  json["scenario"] = {{"name", input.scenario_name}, {"text", input.scenario_text}};
  json["sets"] = input.sets;
  json["runs"] = input.runs ? Json(*input.runs) : Json(nullptr);
  json["seed"] = input.seed ? Json(*input.seed) : Json(nullptr);
  return json;
}

void write_shard(const ShardFile& shard, const ShardSink& sink) {
  Json head;
  head["apiVersion"] = "tenure/v1alpha1";
  head["kind"] = "Shard";
  head["metadata"] = {{"tenureVersion", shard.version}, {"sha256", sha256_of(shard.input)}};
  head["shard"] = {{"index", shard.shard.index}, {"count", shard.shard.count}};
  head["input"] = input_json(shard.input);
  std::string text = head.dump(2, ' ', false, Json::error_handler_t::replace);
  text.resize(text.size() - 2);  // "\n}": the units follow
  sink(text);
  sink(",\n  \"units\": [");
  for (std::size_t i = 0; i < shard.units.size(); ++i) {
    sink(i == 0 ? "\n    " : ",\n    ");
    sink(unit_json(shard.units[i]).dump());
  }
  sink("\n  ]\n}\n");
}

std::optional<ShardFile> read_shard(const std::string& name,
                                    const Json& json,
                                    Diagnostics& diagnostics) {
  try {
    const std::string kind = json.is_object() ? json.value("kind", "") : "";
    if (kind != "Shard") {
      report_shard(diagnostics, name, "E0701",
                   kind.empty() ? "this is no part of a sweep"
                                : fmt::format("this is a {}, no part of a sweep", visible(kind)),
                   {"parts are written by tenure sweep or run with --shard I/N -w json=PATH"});
      return std::nullopt;
    }
    ShardFile shard;
    shard.name = name;
    shard.version = json.at("metadata").at("tenureVersion").get<std::string>();
    if (shard.version != tenure_version) {
      report_shard(diagnostics, name, "E0702",
                   fmt::format("it was made by tenure {}, and this is {}", visible(shard.version),
                               tenure_version),
                   {"make all parts with one version"});
      return std::nullopt;
    }
    shard.sha256 = json.at("metadata").at("sha256").get<std::string>();
    constexpr std::uint64_t most = scenario::most_sweep_runs;
    const auto index = whole_in(json.at("shard").at("index"), most);
    const auto count = whole_in(json.at("shard").at("count"), most);
    shard.input = input_of(json.at("input"));
    const Json& seed = json.at("input").at("seed");
    if (!seed.is_null()) shard.input.seed = whole_in(seed, most_seed);
    const bool has_seed = seed.is_null() || shard.input.seed.has_value();
    shard.shard = {index.value_or(0), count.value_or(0)};
    if (!index || shard.shard.index >= shard.shard.count || shard.input.runs == 0 || !has_seed) {
      report_shard(diagnostics, name, "E0701",
                   "it is damaged: its place among the shards, its runs or its seed",
                   {"make this part again"});
      return std::nullopt;
    }
    UnitReader reader;
    for (const Json& unit : json.at("units")) shard.units.push_back(reader.unit(unit));
    if (reader.problem().empty()) return shard;
    report_shard(diagnostics, name, "E0701", fmt::format("it is damaged: {}", reader.problem()),
                 {"make this part again"});
    return std::nullopt;
  } catch (const Json::exception& problem) {
    report_shard(diagnostics, name, "E0701",
                 fmt::format("it is damaged: {}", visible(problem.what())),
                 {"make this part again"});
    return std::nullopt;
  }
}

}  // namespace tenure::run

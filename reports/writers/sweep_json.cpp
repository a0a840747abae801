#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/report/sweep.hpp>
#include <tenure/run/shard.hpp>

#include "run_json.hpp"

namespace tenure::report {
namespace {

using Json = nlohmann::ordered_json;

Json parameters_json(const scenario::Sweep& sweep, const scenario::Point& point) {
  Json json = Json::object();
  for (std::size_t i = 0; i < point.values.size(); ++i) {
    if (!point.values[i].text.empty()) json[sweep.parameters[i].name] = point.values[i].text;
  }
  return json;
}

Json objectives_json(const run::PointResult& point) {
  Json json = Json::array();
  for (const run::ThresholdResult& objective : point.objectives) {
    Json each = threshold_json(*point.result, objective);
    each["expr"] = objective.text;
    each.erase("verdict");
    json.push_back(std::move(each));
  }
  return json;
}

Json needs_json(const scenario::Sweep& sweep, const run::PointResult& point) {
  Json json = Json::array();
  for (std::size_t i = 0; i < point.needs.size(); ++i) {
    const auto* threshold = std::get_if<scenario::Threshold>(&sweep.needed[i]);
    const std::string text =
        threshold != nullptr
            ? std::string{check::to_text(threshold->metric)} + " " + threshold->text
            : std::get<scenario::ClosedFormCondition>(sweep.needed[i]).text;
    json.push_back({{"expr", text}, {"verdict", run::to_text(point.needs[i])}});
  }
  return json;
}

Json point_json(const run::SweepResult& result, std::size_t index, SampleSlots& slots) {
  const scenario::Point& point = result.plan.points[index];
  const run::PointResult& made = result.points[index];
  Json json;
  json["parameters"] = parameters_json(result.plan.sweep, point);
  if (!point.skipped.empty()) json["skipped"] = point.skipped;
  if (!made.result) return json;
  json["seed"] = made.result->scenario.seed;
  json["runs"] = made.result->runs;
  json["verdict"] = run::to_text(made.result->verdict);
  json["events"] = made.result->events;
  json["runHash"] = fmt::format("{:016x}", made.result->run_hash);
  json["objectives"] = objectives_json(made);
  json["subjectTo"] = needs_json(result.plan.sweep, made);
  add_findings(*made.result, json, slots);
  return json;
}

}  // namespace

void write_sweep_json(const run::SweepResult& result,
                      const scenario::SweepInput& input,
                      const TextSink& sink) {
  SampleSlots slots{run::sha256_of(input)};
  Json json;
  json["apiVersion"] = "tenure/v1alpha1";
  json["kind"] = "SweepResult";
  json["metadata"] = {{"name", result.plan.sweep.name},
                      {"sha256", run::sha256_of(input)},
                      {"tenureVersion", run::tenure_version},
                      {"seed", result.plan.present.seed}};
  json["status"] = {
      {"verdict", run::to_text(result.verdict)}, {"points", result.plan.points.size()},
      {"refused", result.plan.refused},          {"constrained", result.plan.constrained},
      {"excluded", result.plan.excluded},        {"runsPerPoint", result.plan.runs_per_point()}};
  if (result.partial) json["status"]["partial"] = true;
  json["points"] = Json::array();
  for (std::size_t i = 0; i < result.points.size(); ++i)
    json["points"].push_back(point_json(result, i, slots));
  json["pareto"] = result.pareto;
  json["present"] = result.plan.present_point ? Json(*result.plan.present_point) : Json(nullptr);
  // A reader makes the points again. The folders of the files say nothing about the result.
  scenario::SweepInput made_from = input;
  for (std::string* name : {&made_from.sweep_name, &made_from.scenario_name})
    *name = std::filesystem::path{*name}.filename().string();
  json["input"] = run::input_json(made_from);
  slots.write(json, sink);
}

}  // namespace tenure::report

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <tenure/report/advise.hpp>

namespace tenure::report {
namespace {

using run::AdviseResult;
using run::Confirmation;
using run::JudgedNeed;
using run::JudgedSetting;
using scenario::Need;
using scenario::Setting;
using Json = nlohmann::ordered_json;

// Times are nanoseconds; a clock ratio and requests per second are numbers.
Json amount_json(const Need& need, std::int64_t amount) {
  const bool is_time = need.kind != Need::Kind::clock_ratio && need.kind != Need::Kind::requests;
  return is_time ? Json(amount) : Json(static_cast<double>(amount) / 1e9);
}

Json amount_json(const Need& need, const std::optional<std::int64_t>& amount) {
  return amount ? amount_json(need, *amount) : Json(nullptr);
}

Json setting_json(const Setting& setting) {
  return {{"leaseDurationNs", setting.lease_duration.count()},
          {"renewDeadlineNs", setting.renew_deadline.count()},
          {"retryPeriodNs", setting.retry_period.count()}};
}

Json need_json(const Need& need) {
  return {{"need", scenario::flag_of(need.kind)},
          {"value", scenario::value_text(need)},
          {"amount", amount_json(need, need.amount)},
          {"standing", need.is_standing}};
}

Json end_json(const Need& need, const stats::End& end) {
  return end.kind == stats::End::Kind::value ? amount_json(need, end.value) : Json(nullptr);
}

Json confirmation_json(const Need& need, const Confirmation& c) {
  Json json{{"outcome", run::to_text(c.outcome)}, {"runs", c.runs}};
  if (c.estimate) json["estimate"] = amount_json(need, *c.estimate);
  if (c.interval) {
    json["interval95"] = {end_json(need, c.interval->lower), end_json(need, c.interval->upper)};
  }
  if (c.bad_runs) json["badRuns"] = *c.bad_runs;
  json["scenario"] = c.scenario;
  return json;
}

Json judged_json(const JudgedNeed& judged) {
  Json json{{"need", scenario::flag_of(judged.need.kind)},
            {"kept", judged.figure.kept},
            {"gets", amount_json(judged.need, judged.figure.amount)},
            {"formula", judged.formula}};
  json["confirmation"] =
      judged.confirmation ? confirmation_json(judged.need, *judged.confirmation) : Json(nullptr);
  return json;
}

Json judged_json(const JudgedSetting& setting) {
  const scenario::Timing& t = *setting.bounds.timing;
  Json json = setting_json(setting.setting);
  json["releaseOnCancel"] = setting.bounds.input.release_on_cancel.value_or(false);
  json["durations"] = setting.ladder ? Json(scenario::to_text(*setting.ladder)) : Json(nullptr);
  json["worstFailoverNs"] = t.crash.most.count();
  json["lossyMarginNs"] = t.lossy_margin.count();
  json["needs"] = Json::array();
  for (const JudgedNeed& judged : setting.needs) json["needs"].push_back(judged_json(judged));
  return json;
}

Json conflict_json(const AdviseResult& result) {
  if (!result.conflict) return nullptr;
  Json list = Json::array();
  for (const scenario::Relief& relief : result.conflict->needs) {
    const Need& need = result.needs[relief.need];
    Json json = need_json(need);
    json["limit"] = amount_json(need, relief.limit);
    json["withAllNeeds"] = relief.limit.has_value() && relief.with_all;
    json["possible"] = amount_json(need, relief.amount);
    json["setting"] = relief.setting ? setting_json(*relief.setting) : Json(nullptr);
    list.push_back(json);
  }
  return list;
}

Json terms_json(const scenario::Terms& terms) {
  Json json{{"candidates", terms.candidates},
            {"latencyNs", terms.latency.count()},
            {"fastPath", terms.fast_path}};
  json["requestTimeoutNs"] =
      terms.request_timeout ? Json(terms.request_timeout->count()) : Json(nullptr);
  return json;
}

}  // namespace

void write_advise_json(const AdviseResult& result, const TextSink& sink) {
  Json json;
  json["apiVersion"] = "tenure/v1alpha1";
  json["kind"] = "AdviseResult";
  json["version"] = run::tenure_version;
  json["verdict"] = run::to_text(run::answer_of(result));
  json["interrupted"] = result.interrupted;
  json["seed"] = result.seed;
  json["terms"] = terms_json(result.terms);
  json["needs"] = Json::array();
  for (const Need& need : result.needs) json["needs"].push_back(need_json(need));
  json["judges"] = result.judges;
  json["settings"] = Json::array();
  for (const JudgedSetting& setting : result.settings)
    json["settings"].push_back(judged_json(setting));
  json["conflict"] = conflict_json(result);
  sink(json.dump(2) + "\n");
}

}  // namespace tenure::report

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/report/writer.hpp>

#include "words.hpp"

namespace tenure::report {
namespace {

using Json = nlohmann::ordered_json;

std::string_view word(record::Level level) {
  return level == record::Level::context ? "context" : "isLeader";
}

std::string_view word(record::EndReason reason) {
  switch (reason) {
    case record::EndReason::stepped_down:
      return "steppedDown";
    case record::EndReason::stopped:
      return "stopped";
    case record::EndReason::crashed:
      return "crashed";
    case record::EndReason::killed:
      return "killed";
  }
  return "";
}

std::string_view word(record::Loss why) {
  switch (why) {
    case record::Loss::cut:
      return "cut";
    case record::Loss::lost:
      return "lost";
    case record::Loss::swallowed:
      return "swallowed";
  }
  return "";
}

// One overload per fact: what stands in its line behind run and time.
struct Line {
  const world::Setup& setup;
  Json& json;

  void actor(record::Incarnation who) const {
    json["actor"] = setup.processes[who.process.value].name;
    json["incarnation"] = who.number;
  }
  void event(std::string_view name) const { json["event"] = name; }
  void fault(FaultId id, std::uint32_t occurrence) const {
    json["actor"] = "fault/" + setup.faults[id.value].name;
    json["occurrence"] = occurrence;
  }

  void operator()(const record::LeaseWritten& f) const {
    actor(f.writer);
    event(f.created ? "create" : "update");
    json["rv"] = f.revision.value;
    json["base"] = f.base.value;
    json["holder"] = world::to_text(setup, f.record.holder);
    json["leaseDurationSeconds"] = f.record.duration_seconds;
    json["leaseTransitions"] = f.record.transitions;
    json["acquireTimeUs"] = f.record.acquire_us;
    json["renewTimeUs"] = f.record.renew_us;
  }
  void operator()(const record::LeaseDeleted& f) const {
    actor(f.by);
    event("delete");
    json["rv"] = f.revision.value;
  }
  void operator()(const record::RequestHandled& f) const {
    actor(f.from);
    event("requestHandled");
    json["request"] = f.request.value;
    json["verb"] = verb_word(f.verb);
    json["code"] = f.code;
  }
  void operator()(const record::LeadershipBegan& f) const {
    actor(f.who);
    event("leadershipBegan");
    json["level"] = word(f.level);
  }
  void operator()(const record::LeadershipEnded& f) const {
    actor(f.who);
    event("leadershipEnded");
    json["level"] = word(f.level);
    json["reason"] = word(f.reason);
  }
  void operator()(const record::LeaderObserved& f) const {
    actor(f.who);
    event("newLeader");
    json["holder"] = world::to_text(setup, f.holder);
  }
  void operator()(const record::ExpiryClaimed& f) const {
    actor(f.who);
    event("expiryClaimed");
    json["base"] = f.base.value;
    json["ageNs"] = f.age.count();
    json["lifetimeNs"] = f.lifetime.count();
  }
  void operator()(const record::ProcessStarted& f) const {
    actor(f.who);
    event("processStarted");
    json["identity"] = world::to_text(setup, f.identity);
  }
  void operator()(const record::ProcessEnded& f) const {
    actor(f.who);
    event("processEnded");
    json["reason"] = word(f.reason);
  }
  void operator()(const record::ProcessPaused& f) const {
    actor(f.who);
    event("paused");
  }
  void operator()(const record::ProcessResumed& f) const {
    actor(f.who);
    event("resumed");
  }
  void operator()(const record::ConnectionChanged& f) const {
    json["actor"] = setup.processes[f.process.value].name;
    event("connection");
    json["cutOff"] = f.cut_off;
    json["disturbed"] = f.disturbed;
  }
  void operator()(const record::FaultBegan& f) const {
    fault(f.fault, f.occurrence);
    event("faultBegan");
  }
  void operator()(const record::FaultHit& f) const {
    fault(f.fault, f.occurrence);
    event("faultHit");
    json["process"] = setup.processes[f.who.process.value].name;
  }
  void operator()(const record::FaultEnded& f) const {
    fault(f.fault, f.occurrence);
    event("faultEnded");
  }
  void operator()(const record::RequestSent& f) const {
    actor(f.from);
    event("requestSent");
    json["request"] = f.request.value;
    json["verb"] = verb_word(f.verb);
  }
  void operator()(const record::MessageLost& f) const {
    actor(f.process);
    event(f.was_request ? "requestLost" : "replyLost");
    json["request"] = f.request.value;
    json["why"] = word(f.why);
  }
  void operator()(const record::ReplyReceived& f) const {
    actor(f.by);
    event("replyReceived");
    json["request"] = f.request.value;
    json["code"] = f.code;
  }
};

}  // namespace

void write_jsonl(const world::Setup& setup,
                 std::uint64_t run,
                 const std::vector<record::Record>& history,
                 const TextSink& sink,
                 std::string_view scenario) {
  for (const record::Record& record : history) {
    Json json;
    if (!scenario.empty()) json["scenario"] = scenario;
    json["run"] = run;
    json["t"] = seconds_text(record.at.time_since_epoch());
    json["tNs"] = record.at.time_since_epoch().count();
    json["cause"] = record.cause;
    std::visit(Line{setup, json}, record.fact);
    sink(json.dump());
    sink("\n");
  }
}

}  // namespace tenure::report

#include "recording.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "packed.hpp"

namespace tenure::conformance {
namespace {

using nlohmann::json;

Duration nanoseconds(const json& from, const char* field) {
  return Duration{from.value(field, std::int64_t{0})};
}

ElectorScript elector_script(const json& from, int minor, Names& names) {
  ElectorScript script;
  script.id = from.at("id");
  names.identity(script.id);
  script.start = from.at("start");
  script.cancel = from.at("cancel");
  script.crash = from.at("crash");
  script.health_timeout = nanoseconds(from, "healthTimeout");
  script.config = {.lease_duration = nanoseconds(from, "leaseDuration"),
                   .renew_deadline = nanoseconds(from, "renewDeadline"),
                   .retry_period = nanoseconds(from, "retryPeriod"),
                   .release_on_cancel = from.value("release", false),
                   .coordinated = from.value("coordinated", false),
                   .request_timeout = std::nullopt,
                   .lease = {},
                   .profile = elect::client_go_profile(minor)};
  if (const Duration timeout = nanoseconds(from, "timeout"); timeout.count() > 0) {
    script.transport.timeout = timeout;
    script.config.request_timeout = timeout;
  }
  script.transport.limit_ends_pause = minor >= 33;
  // QPS is a float32 in rest.Config.
  if (const float qps = from.value("qps", 0.0F); qps != 0) {
    script.limiter_is_seen = qps > 0;
    script.transport.tokens_per_second = qps;
    script.transport.burst = from.value("burst", 0);
  }
  return script;
}

std::int64_t whole(const json& from, const char* field) {
  const std::string digits = from.value(field, std::string{});
  return digits.empty() ? 0 : std::stoll(digits);
}

// client-go before v0.31 does not know the two fields of coordinated elections.
api::Lease lease_of(const json& from, int minor, Names& names) {
  api::Lease lease;
  lease.uid = static_cast<std::uint64_t>(whole(from, "uid"));
  lease.resource_version = Revision{whole(from, "rv")};
  const auto time = [&](const char* field) {
    const std::int64_t at = from.value(field, std::int64_t{0});
    return at == 0 ? api::MicroTime{} : api::MicroTime{at};
  };
  lease.spec.holder = names.identity(from.value("holder", std::string{}));
  lease.spec.lease_duration_seconds = from.value("duration", api::LeaseSpec::absent);
  lease.spec.lease_transitions = from.value("transitions", api::LeaseSpec::absent);
  lease.spec.acquire_time = time("acquire");
  lease.spec.renew_time = time("renew");
  if (minor >= 31) {
    lease.spec.preferred_holder = names.identity(from.value("preferred", std::string{}));
    if (!from.value("strategy", std::string{}).empty()) {
      lease.spec.strategy = api::Strategy::oldest_emulation_version;
    }
  }
  return lease;
}

api::Response response_of(const json& from, int minor, Names& names) {
  const auto error = from.find("err");
  if (error != from.end()) {
    return api::failure(*error == "refused" ? api::Outcome::refused
                                            : api::Outcome::connection_lost);
  }
  const std::uint16_t code = from.at("code");
  if (code < 300) {
    return {api::Outcome::ok, code, lease_of(from.at("lease"), minor, names)};
  }
  if (from.value("reason", std::string{}) == "AlreadyExists") {
    return api::failure(api::Outcome::already_exists);
  }
  return api::failure_with_code(code);
}

const std::map<std::string, Kind, std::less<>> kinds = {
    {"throttle", Kind::throttle}, {"request", Kind::request}, {"reply", Kind::reply},
    {"start", Kind::start},       {"done", Kind::done},       {"stop", Kind::stop},
    {"new", Kind::new_leader},    {"end", Kind::end},         {"sees", Kind::sees},
    {"health", Kind::health}};

void read_request(Line& line, const json& from, int minor, Names& names) {
  line.number = from.at("n");
  const std::string verb = from.at("verb");
  api::Request request;
  if (verb != "GET") {
    request.verb = verb == "POST" ? api::Verb::create : api::Verb::update;
    request.body = lease_of(from.at("lease"), minor, names);
  }
  line.text = request_text(names, request);
  // Our Lease does not tell an absent holder from an empty one; the wire does.
  if (verb != "GET" && !from.at("lease").contains("holder")) line.text += " without a holder";
}

void read_reply(Line& line, const json& from, int minor, Names& names) {
  line.number = from.at("n");
  line.response = response_of(from, minor, names);
  if (const std::string after = from.value("after", std::string{}); !after.empty()) {
    line.retry_after = std::chrono::seconds{std::stoll(after)};
  }
  line.text = reply_text(line.number, line.response);
}

Line line_of(const json& from, int minor, Names& names) {
  Line line;
  line.at = from.at("t");
  const std::string kind = from.at("k");
  line.kind = kinds.at(kind);
  line.text = kind;
  switch (line.kind) {
    case Kind::request:
      read_request(line, from, minor, names);
      break;
    case Kind::reply:
      read_reply(line, from, minor, names);
      break;
    case Kind::new_leader:
      line.text += ' ' + from.value("leader", std::string{});
      break;
    case Kind::sees:
      line.text = sees_text(from.value("leader", std::string{}), from.value("is", false));
      break;
    case Kind::health:
      line.text = health_text(from.value("is", false));
      break;
    case Kind::throttle:
    case Kind::start:
    case Kind::done:
    case Kind::stop:
    case Kind::end:
      break;
  }
  return line;
}

}  // namespace

Identity Names::identity(const std::string& name) {
  if (name.empty()) return {};
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == name) return {i + 1, 0};
  }
  names_.push_back(name);
  return {static_cast<std::uint32_t>(names_.size()), 0};
}

std::string Names::text(Identity identity) const {
  return identity.empty() ? std::string{} : names_.at(identity.name - 1);
}

RecordingFile::RecordingFile(const std::filesystem::path& path) : content_{read_packed(path)} {
  const auto first = next_line();
  if (!first) throw std::runtime_error(path.string() + " is empty");
  version_ = json::parse(*first).at("clientGo");
  minor_ = std::stoi(version_.substr(version_.find('.') + 1));
}

std::optional<std::string> RecordingFile::next_line() {
  if (held_) return std::exchange(held_, std::nullopt);
  if (at_ >= content_.size()) return std::nullopt;
  const std::size_t end = std::min(content_.find('\n', at_), content_.size());
  std::string line = content_.substr(at_, end - at_);
  at_ = end + 1;
  return line;
}

std::optional<Recording> RecordingFile::next(Names& names) {
  const auto first = next_line();
  if (!first) return std::nullopt;
  Recording recording;
  recording.script = json::parse(*first).at("script");
  recording.name = recording.script.at("name");
  recording.end = recording.script.at("end");
  recording.checks = recording.script.value("checks", std::vector<std::int64_t>{});
  for (const json& elector : recording.script.at("electors")) {
    recording.electors.push_back({elector_script(elector, minor_, names), {}});
  }
  while (auto text = next_line()) {
    const json line = json::parse(*text);
    if (line.contains("script")) {
      held_ = std::move(text);
      break;
    }
    recording.electors.at(line.at("e")).lines.push_back(line_of(line, minor_, names));
  }
  return recording;
}

std::string body_text(const Names& names, const api::Lease& lease) {
  const api::LeaseSpec& spec = lease.spec;
  const auto number = [](std::int32_t value) {
    return value == api::LeaseSpec::absent ? std::string{"-"} : fmt::to_string(value);
  };
  const auto time = [](api::MicroTime at) {
    if (!at.present()) return std::string{"-"};
    const std::int64_t zero = recording_epoch.time_since_epoch().count() / 1000;
    return instant_text((at.microseconds - zero) * 1000);
  };
  std::string text = fmt::format(
      "uid={} rv={} holder={} duration={} acquire={} renew={} transitions={}", lease.uid,
      lease.resource_version.value, names.text(spec.holder), number(spec.lease_duration_seconds),
      time(spec.acquire_time), time(spec.renew_time), number(spec.lease_transitions));
  if (!spec.preferred_holder.empty()) text += " preferred=" + names.text(spec.preferred_holder);
  if (spec.strategy != api::Strategy::absent) text += " strategy";
  return text;
}

std::string request_text(const Names& names, const api::Request& request) {
  switch (request.verb) {
    case api::Verb::get:
      return "GET";
    case api::Verb::create:
      return "CREATE " + body_text(names, request.body);
    case api::Verb::update:
      return "UPDATE " + body_text(names, request.body);
    case api::Verb::remove:
      return "DELETE";
  }
  return {};
}

std::string reply_text(int number, const api::Response& response) {
  if (response.outcome == api::Outcome::refused) return fmt::format("reply {} refused", number);
  if (response.code == 0) return fmt::format("reply {} reset", number);
  if (response.outcome != api::Outcome::ok) {
    return fmt::format("reply {} {}", number, response.code);
  }
  return fmt::format("reply {} {} rv={}", number, response.code,
                     response.lease.resource_version.value);
}

std::string sees_text(const std::string& leader, bool is_leader) {
  return fmt::format("sees {}{}", leader, is_leader ? " (itself)" : "");
}

std::string health_text(bool healthy) {
  return healthy ? "healthy" : "unhealthy";
}

std::string instant_text(std::int64_t at) {
  const std::int64_t second = 1'000'000'000;
  const std::int64_t seconds = at / second - (at % second < 0 ? 1 : 0);
  return fmt::format("{}.{:09}", seconds, at - seconds * second);
}

}  // namespace tenure::conformance

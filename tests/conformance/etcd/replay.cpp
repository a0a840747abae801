#include "replay.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <tenure/store/etcd.hpp>

#include "codec.hpp"

namespace tenure::conformance::etcd {
namespace {

using namespace store;

// A message and the stream that it came on.
using Received = std::pair<std::string, Json>;

Json written(const WatchEvent& event, const LeaseNames& names) {
  Json json{{"kv", etcd::written(event.kv, names)}};
  if (event.deleted) json["type"] = "DELETE";
  if (event.prev_kv) json["prev_kv"] = etcd::written(*event.prev_kv, names);
  return json;
}

Json written(const WatchMessage& message, const LeaseNames& names) {
  Json json{{"header", written_header(message.revision)}};
  if (message.id != 0) json["watch_id"] = message.id;
  if (message.created) json["created"] = true;
  if (message.canceled) json["canceled"] = true;
  if (message.compacted.value != 0) json["compact_revision"] = message.compacted.value;
  if (message.reason != CancelReason::none) json["cancel_reason"] = message_of(message.reason);
  for (const WatchEvent& event : message.events) {
    json["events"].push_back(written(event, names));
  }
  return json;
}

bool is_automatic_progress(const Json& message) {
  return !message.contains("created") && !message.contains("canceled") &&
         !message.contains("events") && message.value("watch_id", 0) != no_watch;
}

// Between watches etcd promises no order; a transcript has them by stream and id.
void sort_by_watch(std::vector<Received>& received) {
  std::stable_sort(received.begin(), received.end(), [](const Received& a, const Received& b) {
    return std::pair{a.first, a.second.value("watch_id", std::int64_t{0})} <
           std::pair{b.first, b.second.value("watch_id", std::int64_t{0})};
  });
}

std::string shown(const std::vector<Received>& received) {
  std::string text;
  for (const auto& [stream, message] : received)
    text += fmt::format("\n    {}: {}", stream, message.dump());
  return text.empty() ? " nothing" : text;
}

Duration seconds_of(const Json& json) {
  const double seconds = json.is_number() ? json.get<double>() : 0;
  return Duration{std::llround(seconds * 1e9)};
}

// The interval of automatic progress messages from a flag like `--...-notify-interval 1s`.
Duration progress_interval(const Json& meta) {
  const Json flags = meta.value("flags", Json::array());
  for (std::size_t i = 1; i < flags.size(); ++i) {
    const std::string name = flags[i - 1].get<std::string>();
    if (name.ends_with("watch-progress-notify-interval")) {
      return std::chrono::seconds{std::stoll(flags[i].get<std::string>())};
    }
  }
  return std::chrono::minutes{10};
}

Version version_of(const Json& meta) {
  const std::string text = meta.value("etcd", "");
  if (text.starts_with("3.5.")) return Version::v3_5;
  if (text.starts_with("3.6.")) return Version::v3_6;
  if (text.starts_with("3.7.")) return Version::v3_7;
  return Version::v3_4;
}

class Replay {
 public:
  Replay(const Json& meta, Version version)
      : etcd_(config_of(version)), progress_every_(progress_interval(meta)) {}

  // One line that is no `watch_recv`, and what was received after it. Says what differs.
  std::string step(const Json& line, std::vector<Received> recorded);
  // What was recorded at least once and has not come here.
  std::string finish() const;

 private:
  static EtcdConfig config_of(Version version) {
    EtcdConfig config;
    config.version = version;
    return config;
  }

  std::string command(const std::string& op, const Json& line);
  std::string request(const std::string& op, const Json& line);
  StreamId stream(const std::string& name);
  Reply reply_to(const Command& command);
  void read_streams();
  void await(const Json& request);
  void let_catch_up();
  std::string time_left(Json& recorded, Json& ours, double at) const;
  bool wake_once();

  Etcd etcd_;
  MonoTime now_{};
  Duration progress_every_;
  LeaseNames names_;
  std::map<std::string, StreamId> streams_;
  std::map<Json, double> renewed_at_;  // when, by the transcript, a lease was last granted its TTL
  std::vector<Received> received_;
  std::set<std::pair<std::string, std::int64_t>> progress_recorded_, progress_seen_;
};

StreamId Replay::stream(const std::string& name) {
  const auto found = streams_.find(name);
  if (found != streams_.end()) return found->second;
  const StreamId id{static_cast<std::uint32_t>(streams_.size())};
  streams_.emplace(name, id);
  etcd_.open(id, progress_every_, now_);
  return id;
}

bool Replay::wake_once() {
  const auto wake = etcd_.next_wake();
  if (!wake) return false;
  now_ = std::max(now_, *wake);
  etcd_.advance(now_);
  read_streams();
  return true;
}

void Replay::read_streams() {
  for (const auto& [name, id] : streams_) {
    while (auto message = etcd_.take(id)) {
      Json json = written(*message, names_);
      if (is_automatic_progress(json)) {
        progress_seen_.emplace(name, message->id);
      } else {
        received_.emplace_back(name, std::move(json));
      }
    }
  }
}

void Replay::let_catch_up() {
  read_streams();
  while (!etcd_.watches().all_synced() && wake_once()) {
  }
}

void Replay::await(const Json& request) {
  const auto has_come = [&] {
    if (!request.contains("events")) return !progress_seen_.empty();
    const auto count = std::count_if(received_.begin(), received_.end(), [&](const Received& each) {
      return each.first == request.value("stream", "s") && each.second.contains("events");
    });
    return count >= request["events"].get<std::ptrdiff_t>();
  };
  progress_seen_.clear();
  while (!has_come() && wake_once()) {
  }
}

Reply Replay::reply_to(const Command& command) {
  Reply reply = etcd_.apply(command, now_);
  while (std::holds_alternative<AwaitsRevoke>(reply) && wake_once()) {
    reply = etcd_.apply(command, now_);
  }
  return reply;
}

// Whole seconds that are left are a matter of how long the server took: at most as many as were
// granted, and at least as many as the transcript's own time leaves.
std::string Replay::time_left(Json& recorded, Json& ours, double at) const {
  const Json ttl = recorded.value("TTL", Json(0));
  const Json ours_ttl = ours.value("TTL", Json(0));
  const auto since = renewed_at_.find(recorded.value("ID", Json(0)));
  if (ttl == -1 || ours_ttl == -1 || since == renewed_at_.end()) return "";
  const double granted = recorded.value("grantedTTL", 0.0);
  const double elapsed = at - since->second;
  if (ttl.get<double>() > granted || ttl.get<double>() < granted - elapsed - 1) {
    return fmt::format("a lease of {} s has {} s left after {} s", granted, ttl.dump(), elapsed);
  }
  recorded.erase("TTL");
  ours.erase("TTL");
  return "";
}

std::string Replay::command(const std::string& op, const Json& line) {
  std::string problem;
  const Command command = command_of(op, line.value("request", Json::object()), names_, problem);
  if (!problem.empty()) return problem;
  const Reply reply = reply_to(command);
  const auto* granted = std::get_if<LeaseGrantResponse>(&reply);
  if (granted != nullptr && std::get<LeaseGrantRequest>(command).id.value == 0) {
    names_.add(granted->id);
  }
  Json ours = etcd::written(reply, names_);
  const bool failed = std::holds_alternative<Error>(reply);
  Json recorded = line.value(failed ? "error" : "response", Json());
  const double at = line.value("t", 0.0);
  if (op == "lease_grant" || op == "lease_keepalive") {
    renewed_at_[recorded.value("ID", Json(0))] = at;
  }
  if (op == "lease_ttl" && !failed && recorded.is_object()) {
    if (std::string wrong = time_left(recorded, ours, at); !wrong.empty()) return wrong;
  }
  if (ours == recorded) return "";
  const Json& said = line.contains("error") ? line["error"] : line["response"];
  return fmt::format("\n  server: {}\n  model:  {}", said.dump(), ours.dump());
}

std::string Replay::request(const std::string& op, const Json& line) {
  std::string problem;
  const Json& given = line["request"];
  const StreamId id = stream(given.value("stream", "s"));
  if (op == "watch_progress") {
    etcd_.watch(id, WatchProgress{}, now_);
  } else if (op == "watch_cancel") {
    etcd_.watch(id, WatchCancel{given.value("watch_id", WatchId{0})}, now_);
  } else {
    Fields in{given["create_request"], problem};
    WatchCreate create;
    create.keys = in.keys();
    create.id = in.number("watch_id");
    create.start_revision = in.revision("start_revision");
    create.progress_notify = in.flag("progress_notify");
    create.prev_kv = in.flag("prev_kv");
    const Json& filters = in["filters"];
    create.no_put = std::count(filters.begin(), filters.end(), "NOPUT") > 0;
    create.no_delete = std::count(filters.begin(), filters.end(), "NODELETE") > 0;
    etcd_.watch(id, create, now_);
  }
  return problem;
}

std::string Replay::step(const Json& line, std::vector<Received> recorded) {
  const std::string op = line.value("op", "");
  received_.clear();
  std::string difference;
  if (is_command(op)) {
    difference = command(op, line);
  } else if (op == "watch_create" || op == "watch_cancel" || op == "watch_progress") {
    difference = request(op, line);
  } else if (op == "await") {
    await(line["request"]);
  } else if (op == "sleep") {
    now_ = later(now_, seconds_of(line["request"]["seconds"]));
    etcd_.advance(now_);
  } else {
    return "an operation that the replayer does not know";
  }
  if (!difference.empty()) return difference;
  let_catch_up();
  std::erase_if(recorded, [&](const Received& each) {
    if (!is_automatic_progress(each.second)) return false;
    progress_recorded_.emplace(each.first, each.second.value("watch_id", 0));
    if (each.second["header"] != written_header(etcd_.keys().revision())) {
      difference = "a progress message has another revision than the store";
    }
    return true;
  });
  if (!difference.empty()) return difference;
  sort_by_watch(received_);
  if (received_ == recorded) return "";
  return fmt::format("\n  server sends:{}\n  model sends:{}", shown(recorded), shown(received_));
}

std::string Replay::finish() const {
  for (const auto& each : progress_recorded_) {
    if (!progress_seen_.contains(each)) {
      return fmt::format("no progress message for watch {} of {}", each.second, each.first);
    }
  }
  return "";
}

std::vector<Json> lines_of(const std::filesystem::path& path) {
  std::vector<Json> lines;
  std::ifstream file{path};
  for (std::string text; std::getline(file, text);) {
    lines.push_back(Json::parse(text, nullptr, false));
  }
  return lines;
}

Replayed replay_lines(const std::vector<Json>& lines, std::optional<Version> version) {
  Replayed result;
  if (lines.empty() || !lines.front().contains("meta")) {
    result.difference = "no transcript: its first line has no `meta`";
    return result;
  }
  const Json& meta = lines.front()["meta"];
  Replay replay{meta, version.value_or(version_of(meta))};
  for (std::size_t i = 1; i < lines.size();) {
    const Json& line = lines[i++];
    std::vector<Received> recorded;
    for (; i < lines.size() && lines[i].value("op", "") == "watch_recv"; ++i) {
      recorded.emplace_back(lines[i]["request"].value("stream", "s"), lines[i]["response"]);
    }
    ++result.operations;
    result.messages += recorded.size();
    const std::string difference = replay.step(line, std::move(recorded));
    if (difference.empty()) continue;
    result.at.push_back(line.value("i", std::int64_t{-1}));
    if (!result.difference.empty()) continue;
    result.difference =
        fmt::format("operation {}: {} {}: {}", line.value("i", -1), line.value("op", "?"),
                    line.value("request", Json()).dump(), difference);
  }
  if (result.difference.empty()) result.difference = replay.finish();
  return result;
}

}  // namespace

Replayed replay(const std::filesystem::path& transcript, std::optional<Version> version) {
  try {
    return replay_lines(lines_of(transcript), version);
  } catch (const Json::exception& problem) {
    return {0, 0, fmt::format("no transcript: {}", problem.what()), {}};
  }
}

}  // namespace tenure::conformance::etcd

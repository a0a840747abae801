// What the recorder wrote: scripts, and what client-go did in them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <tenure/api/message.hpp>
#include <tenure/base/time.hpp>
#include <tenure/elect/client_go.hpp>
#include <tenure/net/transport.hpp>

namespace tenure::conformance {

inline constexpr std::int64_t never_happens = -1;

// One process of a script; see recorder/script.go.
struct ElectorScript {
  std::string id;
  std::int64_t start = 0;
  std::int64_t cancel = never_happens;
  std::int64_t crash = never_happens;
  elect::ClientGoConfig config;
  net::TransportConfig transport;
  bool limiter_is_seen = false;  // the recording says when the rate limiter was asked
  Duration health_timeout{};
};

enum class Kind : std::uint8_t {
  throttle,
  request,
  reply,
  start,
  done,
  stop,
  new_leader,
  end,
  sees,
  health
};

// One observable of one elector.
struct Line {
  std::int64_t at = 0;
  Kind kind = Kind::request;
  std::string text;  // all of it that is compared

  // request and reply: the number on the wire, from 1. reply: what the client hands up.
  int number = 0;
  api::Response response;
  std::optional<Duration> retry_after;
};

struct Recorded {
  ElectorScript script;
  std::vector<Line> lines;
};

struct Recording {
  std::string name;
  nlohmann::json script;  // as recorded, for messages
  std::int64_t end = 0;
  std::vector<std::int64_t> checks;
  std::vector<Recorded> electors;
};

// Identities by number and back; "" is nobody.
class Names {
 public:
  Identity identity(const std::string& name);
  std::string text(Identity identity) const;

 private:
  std::vector<std::string> names_;
};

// The recordings of one version, read one script after the other.
class RecordingFile {
 public:
  explicit RecordingFile(const std::filesystem::path& path);  // .jsonl or .jsonl.gz

  const std::string& version() const { return version_; }
  int minor() const { return minor_; }
  std::optional<Recording> next(Names& names);

 private:
  std::optional<std::string> next_line();

  std::string content_;
  std::size_t at_ = 0;
  std::optional<std::string> held_;
  std::string version_;
  int minor_ = 0;
};

// How the texts of lines are made, the same for both sides.
std::string body_text(const Names& names, const api::Lease& lease);
std::string request_text(const Names& names, const api::Request& request);
std::string reply_text(int number, const api::Response& response);
std::string sees_text(const std::string& leader, bool is_leader);
std::string health_text(bool healthy);

// "12.000345s", and the wall-clock time zero of all recordings.
std::string instant_text(std::int64_t at);
inline constexpr WallTime recording_epoch{std::chrono::seconds{946'684'800}};

}  // namespace tenure::conformance

// A dialogue with one elector, alone with its clock: the script plays API server, timers and
// signals, and sees every output as a line of text.
//
//   elector client-go [id=a] [version=37] [lease=15s] [deadline=10s] [retry=2s] [release]
//           [coordinated] [timeout=5s]
//   elector naive-loop [id=a] [lease=15s] [retry=2s] [leader-sleep=2s] [timeout=5s]
//   step started              | stop                      | advance 2s
//   timer wait|deadline|tick    fires a timer that is due
//   reply ok [rv=7] [holder=b duration=15 acquire=0s renew=2s transitions=1 strategy=1 preferred=c]
//         to a GET the object (what is not named is absent), to a write the version; without rv the
//         next one
//   reply not_found|already_exists|conflict|forbidden|invalid|too_many|server_error|refused|
//         timeout|connection_lost
//   remember [holder=b duration=15 ...] age=-1000h   what an earlier attempt saw, and when
//   wall -3s                    steps the wall clock
//   show                        what the elector holds to be true
//
// Identities are single letters; times of records are the distance from the wall clock's start.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/variant.hpp>
#include <tenure/elect/any_elector.hpp>

#include "support/transcript.hpp"

namespace tenure::support {

// "2s", "1.5s", "-1000h", "10ns".
inline Duration duration_of(const std::string& text) {
  std::size_t end = 0;
  const double number = std::stod(text, &end);
  const std::string unit = text.substr(end);
  const std::int64_t nanoseconds = unit == "ns"   ? 1
                                   : unit == "us" ? 1'000
                                   : unit == "ms" ? 1'000'000
                                   : unit == "s"  ? 1'000'000'000
                                   : unit == "m"  ? 60'000'000'000
                                                  : 3'600'000'000'000;
  // Whole numbers of units are exact; so are the decimal fractions of a script.
  const double product = number * static_cast<double>(nanoseconds);
  return Duration{static_cast<std::int64_t>(product < 0 ? product - 0.5 : product + 0.5)};
}

inline std::string to_text(Duration duration) {
  const std::int64_t count = duration.count();
  const std::uint64_t size =
      count < 0 ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
  std::string fraction = fmt::format("{:09}", size % 1'000'000'000);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return fmt::format("{}{}{}{}s", count < 0 ? "-" : "", size / 1'000'000'000,
                     fraction.empty() ? "" : ".", fraction);
}

class ElectorDialogue {
 public:
  std::string answer(const Command& command) {
    lines_.clear();
    obey(command);
    return lines_;
  }

 private:
  static constexpr WallTime wall_start{std::chrono::seconds{1'767'225'600}};

  void obey(const Command& command) {
    if (command.name == "elector") return make(command);
    if (command.name == "advance") return advance(duration_of(command.word(0)));
    if (command.name == "wall") return void(now_.wall += duration_of(command.word(0)));
    if (command.name == "step") return feed(elect::Started{});
    if (command.name == "stop") return feed(elect::StopRequested{});
    if (command.name == "timer") return fire(command.word(0));
    if (command.name == "reply") return reply(command);
    if (command.name == "remember") return remember(command);
    if (command.name == "show") return show();
    if (command.name == "healthy") return tell_health(command);
    say("error: no such command: " + command.name);
  }

  void say(const std::string& line) { lines_ += line + '\n'; }

  void make(const Command& command) {
    now_ = {MonoTime{std::chrono::hours{10'000}}, wall_start};
    timers_ = {};
    open_.reset();
    revision_ = Revision{7};
    const auto time = [&](const char* key, const char* otherwise) {
      return duration_of(command.value(key, otherwise));
    };
    std::optional<Duration> timeout;
    if (command.has("timeout")) timeout = time("timeout", "");
    if (command.word(0) == "naive-loop") {
      config_ = elect::NaiveLoopConfig{
          time("lease", "15s"), time("retry", "2s"), time("leader-sleep", "2s"), timeout, {}};
    } else {
      elect::ClientGoConfig config;
      config.lease_duration = time("lease", "15s");
      config.renew_deadline = time("deadline", "10s");
      config.retry_period = time("retry", "2s");
      config.request_timeout = timeout;
      config.profile = elect::client_go_profile(std::stoi(command.value("version", "37")));
      for (const std::string& word : command.words) {
        if (word == "release") config.release_on_cancel = true;
        if (word == "coordinated") config.coordinated = true;
      }
      config_ = config;
    }
    elector_ = elect::make_elector(config_, identity(command.value("id", "a")));
  }

  void advance(Duration by) {
    now_.mono += by;
    now_.wall += by;
  }

  void feed(const elect::Input& input) {
    elect::Outbox out;
    elect::step(elector_, config_, input, now_, out);
    std::string cancelled;
    for (const elect::Output& output : out) {
      // The cancelled timers of one moment share a line.
      if (const auto* cancel = std::get_if<elect::CancelTimer>(&output)) {
        timer(cancel->timer).reset();
        cancelled += ' ' + name_of(cancel->timer);
        continue;
      }
      if (!cancelled.empty()) say("cancel" + std::exchange(cancelled, {}));
      std::visit([this](const auto& wanted) { perform(wanted); }, output);
    }
    if (!cancelled.empty()) say("cancel" + cancelled);
  }

  void perform(const elect::Call& call) {
    if (open_) say("error: a second call is open");
    open_ = call;
    static constexpr std::array<const char*, 4> verbs{"get", "create", "update", "delete"};
    std::string line =
        fmt::format("call {} lease", verbs.at(static_cast<std::size_t>(call.payload.verb)));
    const api::Lease& body = call.payload.body;
    if (body.resource_version != Revision{}) {
      line += fmt::format(" rv={}", body.resource_version.value);
    }
    if (call.payload.verb == api::Verb::create || call.payload.verb == api::Verb::update) {
      line += text_of(body.spec);
    }
    if (call.timeout) line += " timeout=" + to_text(*call.timeout);
    say(line);
  }
  void perform(const elect::Abort& abort) {
    if (!open_ || open_->request != abort.request) say("error: what is aborted is not open");
    open_.reset();
    say("abort");
  }
  void perform(const elect::SetTimer& set) {
    timer(set.timer) = later(now_.mono, set.delay.min);
    say(fmt::format("set {} {}..{}", name_of(set.timer), to_text(set.delay.min),
                    to_text(set.delay.max)));
  }
  void perform(const elect::CancelTimer&) {}
  void perform(const elect::StartLeading&) { say("start leading"); }
  void perform(const elect::StopLeading&) { say("stop leading"); }
  void perform(const elect::Observe& observe) { say("observe " + text_of(observe.holder)); }
  void perform(const elect::ClaimExpired& claim) {
    say(fmt::format("claim expired rv={} age={} lifetime={}", claim.base.value, to_text(claim.age),
                    to_text(claim.lifetime)));
  }
  void perform(const elect::Exit& exit) {
    if (open_) say("error: a call is still open");
    say(exit.reason == elect::ExitReason::lost ? "exit lost" : "exit stopped");
  }

  void fire(const std::string& name) {
    for (const auto id : {elect::TimerId::deadline, elect::TimerId::wait, elect::TimerId::tick}) {
      if (name_of(id) != name) continue;
      if (!timer(id)) return say("error: it is not set");
      if (*timer(id) > now_.mono) {
        return say("error: it is due in " + to_text(*timer(id) - now_.mono));
      }
      timer(id).reset();
      return feed(elect::TimerFired{id});
    }
    say("error: no such timer");
  }

  void reply(const Command& command) {
    if (!open_) return say("error: no call is open");
    const elect::Call call = *std::exchange(open_, std::nullopt);
    const std::string& outcome = command.word(0);
    if (outcome != "ok") {
      const auto failure = api::failure(outcome_named(outcome));
      return feed(elect::Replied{call.request, failure});
    }
    const bool is_read = call.payload.verb == api::Verb::get;
    if (command.has("rv")) {
      revision_ = Revision{std::stoll(command.value("rv", ""))};
    } else if (!is_read) {
      revision_.value += 1;
    }
    api::Response response;
    response.lease = is_read ? api::Lease{1, revision_, spec_of(command)} : call.payload.body;
    response.lease.uid = 1;
    response.lease.resource_version = revision_;
    feed(elect::Replied{call.request, response});
  }

  // What upstream's attempt tests set up: a remembered record and when it was seen to change.
  void remember(const Command& command) {
    auto& elector = std::get<elect::ClientGo>(elector_);
    elector.observed = elect::record_of(spec_of(command));
    elector.observed_raw = elect::raw_of(elector.observed);
    elector.has_raw = true;
    elector.observed_at = now_.mono - duration_of(command.value("age", "0s"));
  }

  void show() {
    if (const auto* elector = std::get_if<elect::ClientGo>(&elector_)) {
      return say(fmt::format(
          "holder={} transitions={} age={} is-leader={} leads={}",
          text_of(elector->observed.holder), elector->observed.leader_transitions,
          to_text(now_.mono - elector->observed_at), elector->is_leader() ? "yes" : "no",
          elector->believes_it_leads() ? "yes" : "no"));
    }
    say(fmt::format("leads={}", elect::is_leader(elector_) ? "yes" : "no"));
  }

  void tell_health(const Command& command) {
    const auto& elector = std::get<elect::ClientGo>(elector_);
    const bool healthy = elector.is_healthy(std::get<elect::ClientGoConfig>(config_), now_.mono,
                                            duration_of(command.value("timeout", "20s")));
    say(healthy ? "healthy" : "unhealthy");
  }

  std::optional<MonoTime>& timer(elect::TimerId id) {
    return timers_.at(static_cast<std::size_t>(id));
  }

  static std::string name_of(elect::TimerId id) {
    static constexpr std::array<const char*, elect::timer_count> names{"deadline", "wait", "tick"};
    return names.at(static_cast<std::size_t>(id));
  }

  static api::Outcome outcome_named(const std::string& name) {
    static const std::map<std::string, api::Outcome> outcomes{
        {"not_found", api::Outcome::not_found},
        {"already_exists", api::Outcome::already_exists},
        {"conflict", api::Outcome::conflict},
        {"forbidden", api::Outcome::forbidden},
        {"invalid", api::Outcome::invalid},
        {"too_many", api::Outcome::too_many},
        {"server_error", api::Outcome::server_error},
        {"refused", api::Outcome::refused},
        {"timeout", api::Outcome::timeout},
        {"connection_lost", api::Outcome::connection_lost}};
    return outcomes.at(name);
  }

  // "a" is the first identity, "a2" the second process of that name.
  static Identity identity(const std::string& name) {
    if (name.empty()) return {};
    const auto incarnation = name.size() == 1 ? 0 : std::stoul(name.substr(1)) - 1;
    return {static_cast<std::uint32_t>(name[0] - 'a') + 1, static_cast<std::uint32_t>(incarnation)};
  }
  static std::string text_of(Identity identity) {
    if (identity.empty()) return "nobody";
    const std::string name(1, static_cast<char>('a' + identity.name - 1));
    return identity.incarnation == 0 ? name : fmt::format("{}{}", name, identity.incarnation + 1);
  }

  static api::LeaseSpec spec_of(const Command& command) {
    api::LeaseSpec spec;
    const auto number = [&](const char* key) {
      return command.has(key) ? std::stoi(command.value(key, "")) : api::LeaseSpec::absent;
    };
    const auto time = [&](const char* key) {
      return command.has(key) ? api::micro_time(wall_start + duration_of(command.value(key, "")))
                              : api::MicroTime{};
    };
    spec.holder = identity(command.value("holder", ""));
    spec.lease_duration_seconds = number("duration");
    spec.lease_transitions = number("transitions");
    spec.acquire_time = time("acquire");
    spec.renew_time = time("renew");
    spec.preferred_holder = identity(command.value("preferred", ""));
    if (command.has("strategy")) spec.strategy = static_cast<std::uint32_t>(number("strategy"));
    return spec;
  }

  // The fields that are written, in the order of the Lease.
  static std::string text_of(const api::LeaseSpec& spec) {
    std::string text = " holder=" + text_of(spec.holder);
    const auto number = [&](const char* key, std::int32_t value) {
      if (value != api::LeaseSpec::absent) text += fmt::format(" {}={}", key, value);
    };
    const auto time = [&](const char* key, api::MicroTime at) {
      if (!at.present()) return;
      text += fmt::format(" {}={}", key, to_text(api::wall_time(at) - wall_start));
    };
    number("duration", spec.lease_duration_seconds);
    time("acquire", spec.acquire_time);
    time("renew", spec.renew_time);
    number("transitions", spec.lease_transitions);
    if (spec.strategy != api::Strategy::absent) text += fmt::format(" strategy={}", spec.strategy);
    if (!spec.preferred_holder.empty()) text += " preferred=" + text_of(spec.preferred_holder);
    return text;
  }

  elect::AnyElectorConfig config_;
  elect::AnyElector elector_;
  LocalTime now_;
  std::array<std::optional<MonoTime>, elect::timer_count> timers_;  // the earliest they may fire
  std::optional<elect::Call> open_;
  Revision revision_{7};
  std::string lines_;
};

}  // namespace tenure::support

#include "replay.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <tenure/base/variant.hpp>

namespace tenure::conformance {
namespace {

using net::Transport;

constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();

std::int64_t or_forever(std::int64_t at) {
  return at == never_happens ? forever : at;
}

// One elector at work. Node clocks are the recorder's: monotonic time counts from the script's
// start.
class Replay {
 public:
  Replay(const Recording& recording, const Recorded& recorded, Names& names, Order& order)
      : recording_{recording},
        recorded_{recorded},
        script_{recorded.script},
        names_{names},
        order_{order},
        transport_{script_.transport},
        checks_{recording.checks} {
    std::sort(checks_.begin(), checks_.end());
    elector_.me = names.identity(script_.id);
    timers_.fill(forever);
    for (const Line& line : recorded.lines) {
      if (line.kind == Kind::throttle) throttles_.push_back(line.at);
      if (line.kind == Kind::request) requests_.push_back(&line);
    }
    replies_.resize(requests_.size());
    for (const Line& line : recorded.lines) {
      if (line.kind == Kind::reply) replies_[static_cast<std::size_t>(line.number) - 1] = &line;
    }
  }

  Played run() {
    const std::int64_t life_ends = std::min(or_forever(script_.crash), recording_.end);
    start_ = or_forever(script_.start);
    cancel_ = or_forever(script_.cancel);
    const std::size_t most_lines = 4 * recorded_.lines.size() + 100;
    while (std::min(next_at(), next_check()) < life_ends && lines_.size() < most_lines) {
      now_ = std::min(next_at(), next_check());
      while (next_at() == now_ && lines_.size() < most_lines) happen(choose());
      look();
    }
    return {std::move(lines_), beyond_model_};
  }

 private:
  // In the order that is tried first: a context that ends is looked at before what came meanwhile.
  enum class Cause : std::uint8_t { start, cancel, deadline, transport, reply, wait, tick };
  static constexpr std::array causes = {Cause::start,     Cause::cancel, Cause::deadline,
                                        Cause::transport, Cause::reply,  Cause::wait,
                                        Cause::tick};

  std::int64_t due(Cause cause) const {
    switch (cause) {
      case Cause::start:
        return start_;
      case Cause::cancel:
        return cancel_;
      case Cause::deadline:
        return timer(elect::TimerId::deadline);
      case Cause::transport:
        return transport_.wakes_at().time_since_epoch().count();
      case Cause::reply:
        return reply_at_;
      case Cause::wait:
        return timer(elect::TimerId::wait);
      case Cause::tick:
        return timer(elect::TimerId::tick);
    }
    return forever;
  }

  // The health is asked only of an elector that has been made.
  std::int64_t next_check() {
    while (checked_ < checks_.size() && checks_[checked_] < script_.start) ++checked_;
    return checked_ < checks_.size() ? checks_[checked_] : forever;
  }

  std::int64_t timer(elect::TimerId id) const { return timers_[static_cast<std::size_t>(id)]; }

  std::int64_t next_at() const {
    std::int64_t at = forever;
    for (const Cause cause : causes) at = std::min(at, due(cause));
    return std::max(at, at == forever ? at : now_);
  }

  Cause choose() {
    std::array<Cause, causes.size()> due_now{};
    std::size_t count = 0;
    for (const Cause cause : causes) {
      if (due(cause) <= now_) due_now[count++] = cause;
    }
    return due_now[ask(count)];
  }

  // Which of `count` things that may happen now does.
  std::size_t ask(std::size_t count) {
    if (count == 1) return 0;
    if (asked_ == order_.questions.size()) order_.questions.push_back({now_, count, 0});
    return order_.questions[asked_++].taken;
  }

  void happen(Cause cause) {
    switch (cause) {
      case Cause::start:
        start_ = forever;
        started_ = true;
        return feed(elect::Started{});
      case Cause::cancel:
        cancel_ = forever;
        return started_ ? feed(elect::StopRequested{}) : void();
      case Cause::deadline:
        return fire(elect::TimerId::deadline);
      case Cause::wait:
        return fire(elect::TimerId::wait);
      case Cause::tick:
        return fire(elect::TimerId::tick);
      case Cause::transport:
        return proceed(transport_.woken(mono()));
      case Cause::reply:
        return receive();
    }
  }

  void fire(elect::TimerId id) {
    timers_[static_cast<std::size_t>(id)] = forever;
    feed(elect::TimerFired{id});
  }

  MonoTime mono() const { return MonoTime{Duration{now_}}; }

  void feed(const elect::Input& input) {
    elect::Outbox out;
    elector_.step(script_.config, input, {mono(), recording_epoch + Duration{now_}}, out);
    for (const elect::Output& output : out) {
      std::visit([&](const auto& wanted) { perform(wanted); }, output);
    }
  }

  // ---- outputs

  void perform(const elect::Call& call) {
    call_ = call;
    std::optional<MonoTime> context_ends;
    if (const auto at = timer(elect::TimerId::deadline); at != forever) {
      context_ends = MonoTime{Duration{at}};
    }
    proceed(transport_.begin(call.payload.verb == api::Verb::get, context_ends, mono()));
  }

  void perform(const elect::Abort&) {
    if (transport_.is_pausing() && !script_.transport.limit_ends_pause) beyond_model_ = true;
    transport_.abort(mono());
    reply_at_ = forever;
  }

  void perform(const elect::SetTimer& set) {
    const std::int64_t delay =
        set.delay.min == set.delay.max ? set.delay.min.count() : jittered(set.delay);
    timers_[static_cast<std::size_t>(set.timer)] = now_ + delay;
  }

  void perform(const elect::CancelTimer& cancel) {
    timers_[static_cast<std::size_t>(cancel.timer)] = forever;
  }

  void perform(const elect::StartLeading&) { add(Kind::start, "start"); }
  void perform(const elect::StopLeading&) { add(Kind::done, "done"); }
  void perform(const elect::Observe& observe) {
    add(Kind::new_leader, "new " + names_.text(observe.holder));
  }
  void perform(const elect::ClaimExpired&) {}
  void perform(const elect::Exit&) {
    add(Kind::stop, "stop");
    add(Kind::end, "end");
  }

  // Where in its range the wait ended is the recording's to say, if it ended inside.
  std::int64_t jittered(const elect::DelayRange& range) const {
    std::int64_t next = forever;
    if (script_.limiter_is_seen) {
      const std::size_t asked = transport_.tokens_asked();
      if (asked < throttles_.size()) next = throttles_[asked];
    } else if (sent_ < requests_.size()) {
      next = requests_[sent_]->at;
    }
    if (next == forever) return range.max.count();
    return std::clamp(next - now_, range.min.count(), range.max.count());
  }

  // ---- the client below

  void proceed(Transport::Next next) {
    switch (next) {
      case Transport::Next::wait:
        return;
      case Transport::Next::send:
        return send();
      case Transport::Next::answer:
        return answer(last_response_);
      case Transport::Next::timed_out:
        reply_at_ = forever;
        return answer(api::failure(api::Outcome::timeout));
      case Transport::Next::throttled:
        return answer(api::failure(api::Outcome::refused));
    }
  }

  void send() {
    // A context that ends at this instant may stop the request after it got its token
    // (rest/with_retry.go, Before); the reply that then never comes is the end of that context.
    const bool context_ends = timer(elect::TimerId::deadline) <= now_ || cancel_ <= now_;
    if (context_ends && ask(2) == 1) {
      reply_at_ = forever;
      return;
    }
    add(Kind::request, request_text(names_, call_.payload));
    const std::size_t number = sent_++;
    reply_at_ = forever;
    if (number >= requests_.size() || replies_[number] == nullptr) return;
    reply_at_ = now_ + (replies_[number]->at - requests_[number]->at);
  }

  void receive() {
    reply_at_ = forever;
    const Line& reply = *replies_[sent_ - 1];
    add(Kind::reply, reply.text);
    last_response_ = reply.response;
    const auto kind =
        reply.retry_after && (reply.response.code == 429 || reply.response.code >= 500)
            ? Transport::Reply::retry
        : reply.response.outcome == api::Outcome::connection_lost
            ? Transport::Reply::broken_connection
            : Transport::Reply::final;
    const Transport::Next next =
        transport_.replied(kind, reply.retry_after.value_or(Duration{0}), mono());
    proceed(next);
  }

  void answer(const api::Response& response) {
    const api::Response copy = response;
    feed(elect::Replied{call_.request, copy});
  }

  // ---- what is seen

  void add(Kind kind, std::string text) {
    Line line;
    line.at = now_;
    line.kind = kind;
    line.text = std::move(text);
    lines_.push_back(std::move(line));
  }

  void look() {
    while (next_check() == now_) {
      add(Kind::health,
          health_text(elector_.is_healthy(script_.config, mono(), script_.health_timeout)));
      ++checked_;
    }
    const std::string leader = names_.text(elector_.observed.holder);
    std::string sees = sees_text(leader, elector_.is_leader());
    if (sees == seen_) return;
    add(Kind::sees, sees);
    seen_ = std::move(sees);
  }

  const Recording& recording_;
  const Recorded& recorded_;
  const ElectorScript& script_;
  Names& names_;
  Order& order_;

  elect::ClientGo elector_;
  Transport transport_;
  elect::Call call_{};
  api::Response last_response_;
  std::int64_t now_ = 0;
  std::int64_t start_ = forever;
  std::int64_t cancel_ = forever;
  std::int64_t reply_at_ = forever;
  std::array<std::int64_t, elect::timer_count> timers_{};
  bool started_ = false;
  std::size_t sent_ = 0;
  std::size_t asked_ = 0;
  bool beyond_model_ = false;
  std::string seen_ = sees_text("", false);
  std::vector<std::int64_t> checks_;
  std::size_t checked_ = 0;
  std::vector<std::int64_t> throttles_;
  std::vector<const Line*> requests_;
  std::vector<const Line*> replies_;
  std::vector<Line> lines_;
};

// ---- the comparison

// Within one instant the elector's own goroutine has an order: its requests, replies, its end.
// Callbacks run in goroutines of their own, so that among them there is none; what IsLeader says is
// asked when the instant is over.
int group_of(Kind kind) {
  switch (kind) {
    case Kind::start:
    case Kind::done:
    case Kind::new_leader:
      return 1;
    case Kind::sees:
      return 2;
    case Kind::health:
      return 3;
    default:
      return 0;
  }
}

std::vector<Line> in_order(std::vector<Line> lines) {
  std::erase_if(lines, [](const Line& line) { return line.kind == Kind::throttle; });
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    const int group = group_of(a.kind);
    if (a.at != b.at || group != group_of(b.kind)) {
      return std::pair{a.at, group} < std::pair{b.at, group_of(b.kind)};
    }
    return group == 1 && a.text < b.text;
  });
  return lines;
}

bool same(const Line& a, const Line& b) {
  return a.at == b.at && a.text == b.text;
}

struct Parting {
  std::size_t index = 0;
  std::int64_t at = 0;
};

std::optional<Parting> parting(const std::vector<Line>& theirs, const std::vector<Line>& ours) {
  const auto [a, b] = std::mismatch(theirs.begin(), theirs.end(), ours.begin(), ours.end(), same);
  if (a == theirs.end() && b == ours.end()) return std::nullopt;
  const std::int64_t at =
      std::min(a == theirs.end() ? forever : a->at, b == ours.end() ? forever : b->at);
  return Parting{static_cast<std::size_t>(a - theirs.begin()), at};
}

// The next order that differs from this one at or before `at`; false: there is none.
bool advance(Order& order, std::int64_t at) {
  std::vector<Order::Question>& questions = order.questions;
  while (!questions.empty() &&
         (questions.back().at > at || questions.back().taken + 1 == questions.back().due)) {
    questions.pop_back();
  }
  if (questions.empty()) return false;
  ++questions.back().taken;
  return true;
}

std::string timeline(const std::vector<Line>& theirs,
                     const std::vector<Line>& ours,
                     std::size_t parts_at) {
  constexpr std::size_t before = 8;
  constexpr std::size_t after = 4;
  std::string text;
  const std::size_t first = parts_at < before ? 0 : parts_at - before;
  for (std::size_t i = first; i < parts_at; ++i) {
    text += fmt::format("           {:>16}  {}\n", instant_text(theirs[i].at), theirs[i].text);
  }
  const auto side = [&](const char* name, const std::vector<Line>& lines) {
    for (std::size_t i = parts_at; i < std::min(lines.size(), parts_at + after); ++i) {
      text += fmt::format("{:>9}: {:>16}  {}\n", name, instant_text(lines[i].at), lines[i].text);
    }
    if (lines.size() <= parts_at) text += fmt::format("{:>9}: nothing more\n", name);
  };
  side("client-go", theirs);
  side("tenure", ours);
  return text;
}

constexpr std::size_t most_orders = 4096;

void judge_elector(const Recording& recording,
                   const Recorded& elector,
                   Names& names,
                   Verdict& verdict) {
  const std::vector<Line> theirs = in_order(elector.lines);
  Order order;
  std::optional<Parting> latest;
  std::string text;
  for (std::size_t tried = 0; tried < most_orders; ++tried) {
    ++verdict.orders;
    const Played played = replay(recording, elector, names, order);
    const std::vector<Line> ours = in_order(played.lines);
    const auto parts = parting(theirs, ours);
    if (!parts) return;
    if (played.beyond_model) {
      verdict.beyond_model = true;
      return;
    }
    if (!latest || parts->at > latest->at) {
      latest = parts;
      text = timeline(theirs, ours, parts->index);
    }
    if (!advance(order, parts->at)) break;
  }
  const auto number = &elector - recording.electors.data();
  verdict.difference += fmt::format("elector {} of {} differs:\n{}", number, recording.name, text);
}

}  // namespace

Played replay(const Recording& recording, const Recorded& elector, Names& names, Order& order) {
  return Replay{recording, elector, names, order}.run();
}

Verdict judge(const Recording& recording, Names& names) {
  Verdict verdict;
  for (const Recorded& elector : recording.electors) {
    judge_elector(recording, elector, names, verdict);
    if (!verdict.difference.empty()) break;
  }
  return verdict;
}

}  // namespace tenure::conformance

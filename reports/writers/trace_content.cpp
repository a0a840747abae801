#include "trace_content.hpp"

#include <algorithm>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include <tenure/base/variant.hpp>
#include <tenure/report/timeline.hpp>

#include "overlap.hpp"
#include "words.hpp"

namespace tenure::report {
namespace {

// ---- lanes of the timeline

std::string state_word(Shade shade) {
  switch (shade) {
    case Shade::follows:
      return "follower";
    case Shade::works:
      return "leads";
    case Shade::works_cut_off:
      return "leads, cut off";
    case Shade::frozen:
      return "frozen";
    case Shade::leads_frozen:
      return "leads, frozen";
    case Shade::cut_off:
      return "follower, cut off";
    default:
      return "";
  }
}

std::string belief_word(Shade shade) {
  return shade == Shade::believes ? "believes to lead" : "";
}

std::string work_word(Shade shade) {
  return shade == Shade::works || shade == Shade::works_cut_off ? "acts as leader" : "";
}

std::string leaders_word(Shade shade) {
  switch (shade) {
    case Shade::no_leader:
      return "nobody leads";
    case Shade::one_leader:
      return "one leader";
    case Shade::two_believe:
      return "two believe to lead, not both run";
    case Shade::two_run:
      return "TWO RUNNING LEADERS";
    default:
      return "";
  }
}

std::string lease_word(const Span& span) {
  switch (span.shade) {
    case Shade::held:
      return "held by " + span.text;
    case Shade::expired:
      return "expired, last held by " + span.text;
    case Shade::unowned:
      return "released";
    default:
      return "";
  }
}

// Spans with a word become slices; neighbours with the same word become one.
template <class Word>
TraceLane lane_of(std::string name, const Lane& from, const Word& word) {
  TraceLane lane{std::move(name), {}};
  for (const Span& span : from.spans) {
    const std::string text = word(span);
    if (text.empty()) continue;
    const bool goes_on = !lane.slices.empty() && lane.slices.back().to == span.from &&
                         lane.slices.back().name == text;
    if (goes_on) {
      lane.slices.back().to = span.to;
    } else {
      lane.slices.push_back({span.from, span.to, text, {}, std::nullopt, false});
    }
  }
  return lane;
}

template <class Word>
auto by_shade(const Word& word) {
  return [word](const Span& span) { return word(span.shade); };
}

// Occurrences of a fault that overlap get lanes of their own.
void add_fault_lanes(const std::string& name, const Lane& from, std::vector<TraceLane>& lanes) {
  std::vector<TraceLane> mine;
  for (const Span& span : from.spans) {
    const auto room = std::find_if(mine.begin(), mine.end(), [&](const TraceLane& lane) {
      return lane.slices.back().to <= span.from;
    });
    TraceSlice slice{span.from, span.to, name, {}, std::nullopt, false};
    if (room != mine.end()) {
      room->slices.push_back(std::move(slice));
    } else {
      const std::string number = mine.empty() ? "" : fmt::format(" ({})", mine.size() + 1);
      mine.push_back({"fault " + name + number, {std::move(slice)}});
    }
  }
  std::move(mine.begin(), mine.end(), std::back_inserter(lanes));
}

// ---- requests

class Requests {
 public:
  Requests(const world::Setup& setup, const History& history)
      : setup_(setup), history_(history), exchanges_(exchanges_of(history)) {}

  // A process has one request open at a time.
  std::vector<TraceSlice> of_process(ProcessId process) const {
    return in_order([&](record::Incarnation who, const Exchange& exchange, std::uint64_t flow) {
      std::optional<Placed> placed;
      if (who.process == process && exchange.sent)
        placed = Placed{*exchange.sent, sent(who, exchange, flow)};
      return placed;
    });
  }

  // Handling takes no time here; a slice shows it that ends before the next one begins.
  std::vector<TraceSlice> of_server() const {
    std::vector<TraceSlice> slices =
        in_order([&](record::Incarnation who, const Exchange& exchange, std::uint64_t flow) {
          std::optional<Placed> placed;
          const auto known = exchange.sent ? std::optional{flow} : std::nullopt;
          if (exchange.handled) placed = Placed{*exchange.handled, handled(who, exchange, known)};
          return placed;
        });
    for (std::size_t i = 1; i < slices.size(); ++i)
      slices[i - 1].to = std::min(slices[i - 1].to, slices[i].from);
    return slices;
  }

 private:
  using Placed = std::pair<Index, TraceSlice>;  // where its beginning is in the history

  // The slices that `make` makes of exchanges; these are numbered the same way for every lane.
  template <class Make>
  std::vector<TraceSlice> in_order(const Make& make) const {
    std::vector<Placed> found;
    std::uint64_t number = 0;
    for (const auto& [key, exchange] : exchanges_) {
      if (auto placed = make(key.first, exchange, ++number)) found.push_back(std::move(*placed));
    }
    std::sort(found.begin(), found.end(),
              [](const Placed& a, const Placed& b) { return a.first < b.first; });
    std::vector<TraceSlice> slices;
    for (Placed& placed : found) slices.push_back(std::move(placed.second));
    return slices;
  }

  TrueTime at(Index index) const { return history_[index].at; }

  TraceSlice sent(record::Incarnation who, const Exchange& exchange, std::uint64_t flow) const {
    const auto& request = *fact_at<record::RequestSent>(history_, exchange.sent);
    const auto* reply = fact_at<record::ReplyReceived>(history_, exchange.received);
    TraceSlice slice{at(*exchange.sent), {}, std::string{verb_word(request.verb)}, {}, flow, false};
    slice.to = reply != nullptr ? at(*exchange.received) : given_up(who, *exchange.sent);
    slice.is_answered = reply != nullptr && exchange.handled && reply->code != 0;
    slice.notes.push_back({"answer", reply == nullptr   ? "not waited for"
                                     : reply->code == 0 ? "none"
                                                        : fmt::format("{}", reply->code)});
    if (const auto* lost = fact_at<record::MessageLost>(history_, exchange.lost))
      slice.notes.push_back({"lost", lost->was_request ? "the request" : "the reply"});
    return slice;
  }

  // Nobody says that a request is given up: with the belief, with the process, for the next one, or
  // not before the run ends.
  TrueTime given_up(record::Incarnation who, Index sent) const {
    for (Index i = sent + 1; i < history_.size(); ++i) {
      const bool over =
          std::visit(overloaded{[&](const record::RequestSent& f) { return f.from == who; },
                                [&](const record::ProcessEnded& f) { return f.who == who; },
                                [&](const record::LeadershipEnded& f) {
                                  return f.who == who && f.level == record::Level::context;
                                },
                                [](const auto&) { return false; }},
                     history_[i].fact);
      if (over) return at(i);
    }
    return std::max(at(sent), TrueTime{setup_.duration});
  }

  TraceSlice handled(record::Incarnation from,
                     const Exchange& exchange,
                     std::optional<std::uint64_t> flow) const {
    constexpr Duration shown{1000};
    const auto& f = *fact_at<record::RequestHandled>(history_, exchange.handled);
    const TrueTime begin = at(*exchange.handled);
    TraceSlice slice{begin,
                     begin + shown,
                     fmt::format("{} {}", verb_word(f.verb), f.code),
                     {{"from", name(setup_, from)}},
                     flow,
                     false};
    if (const auto* written = fact_at<record::LeaseWritten>(history_, exchange.written)) {
      slice.notes.push_back({"resourceVersion", fmt::format("{}", written->revision.value)});
      slice.notes.push_back({"holder", world::to_text(setup_, written->record.holder)});
    }
    return slice;
  }

  const world::Setup& setup_;
  const History& history_;
  Exchanges exchanges_;
};

// ---- instants and counters

std::vector<TraceInstant> instants_of(const world::Setup& setup, const History& history) {
  std::vector<TraceInstant> all;
  Identity holder{};
  const auto fault = [&](FaultId id) { return setup.faults[id.value].name; };
  for (const record::Record& record : history) {
    const auto say = [&](std::string text) { all.push_back({record.at, std::move(text)}); };
    std::visit(
        overloaded{[&](const record::FaultBegan& f) { say("fault " + fault(f.fault) + " begins"); },
                   [&](const record::FaultEnded& f) { say("fault " + fault(f.fault) + " ends"); },
                   [&](const record::LeaseWritten& f) {
                     if (f.record.holder == holder) return;
                     holder = f.record.holder;
                     say(holder.empty() ? "the Lease is released"
                                        : world::to_text(setup, holder) + " takes the Lease");
                   },
                   [](const auto&) {}},
        record.fact);
  }
  return all;
}

// Counters are sampled in steps that a viewer can still draw.
Duration step_of(Duration whole) {
  constexpr std::int64_t most_steps = 3600;
  const auto least = std::chrono::ceil<std::chrono::seconds>(whole / most_steps);
  return std::max<Duration>(std::chrono::seconds{1}, least);
}

TraceCounter believers_of(const History& history) {
  TraceCounter counter{"believed leaders", {{TrueTime{}, 0}}};
  const auto change = [&](TrueTime at, std::int64_t by) {
    const std::int64_t value = counter.values.back().second + by;
    if (counter.values.back().first == at) {
      counter.values.back().second = value;
    } else {
      counter.values.push_back({at, value});
    }
  };
  for (const record::Record& record : history) {
    const auto* began = std::get_if<record::LeadershipBegan>(&record.fact);
    const auto* ended = std::get_if<record::LeadershipEnded>(&record.fact);
    if (began != nullptr && began->level == record::Level::context) change(record.at, 1);
    if (ended != nullptr && ended->level == record::Level::context) change(record.at, -1);
  }
  return counter;
}

TraceCounter lease_age_of(const History& history, Duration whole) {
  constexpr Duration unit = std::chrono::milliseconds{1};
  TraceCounter counter{"lease age, ms", {}};
  const Duration step = step_of(whole);
  std::optional<TrueTime> written;
  TrueTime next{};
  const auto sample_up_to = [&](TrueTime until) {
    for (; next <= until && next <= TrueTime{whole}; next = later(next, step)) {
      if (written) counter.values.push_back({next, (next - *written) / unit});
    }
  };
  for (const record::Record& record : history) {
    const bool stored = std::holds_alternative<record::LeaseWritten>(record.fact);
    if (!stored && !std::holds_alternative<record::LeaseDeleted>(record.fact)) continue;
    sample_up_to(record.at);
    written.reset();
    if (!stored) continue;
    written = record.at;
    counter.values.push_back({record.at, 0});
  }
  sample_up_to(TrueTime{whole});
  return counter;
}

TraceCounter request_rate_of(const History& history, Duration whole) {
  const Duration step = step_of(whole);
  TraceCounter counter{fmt::format("requests per {}", duration_text(step)), {}};
  std::size_t i = 0;
  for (TrueTime at{}; at <= TrueTime{whole}; at = later(at, step)) {
    std::int64_t count = 0;
    for (; i < history.size() && history[i].at < later(at, step); ++i)
      count += std::holds_alternative<record::RequestHandled>(history[i].fact) ? 1 : 0;
    counter.values.push_back({at, count});
  }
  return counter;
}

}  // namespace

TraceContent trace_content(const world::Setup& setup, const std::vector<record::Record>& history) {
  const TrueTime end{setup.duration};
  const Timeline timeline = timeline_of(setup, history, TrueTime{}, end);
  const Requests requests{setup, history};
  const std::size_t count = setup.processes.size();
  const auto lane = timeline.lanes.begin();
  const auto leaders = static_cast<std::ptrdiff_t>(1 + 2 * count);

  TraceContent content;
  TraceGroup truth{"truth", {lane_of("lease", lane[0], lease_word)}};
  truth.lanes.push_back(lane_of("leaders", lane[leaders], by_shade(leaders_word)));
  for (std::size_t i = 0; i < setup.faults.size(); ++i) {
    add_fault_lanes(setup.faults[i].name, lane[leaders + 1 + static_cast<std::ptrdiff_t>(i)],
                    truth.lanes);
  }
  content.groups.push_back(std::move(truth));
  content.groups.push_back({"API server", {{"requests", requests.of_server()}}});
  for (std::uint32_t i = 0; i < count; ++i) {
    const Lane& belief = lane[1 + 2 * static_cast<std::ptrdiff_t>(i)];
    const Lane& work = lane[2 + 2 * static_cast<std::ptrdiff_t>(i)];
    content.groups.push_back({setup.processes[i].name,
                              {lane_of("state", work, by_shade(state_word)),
                               lane_of("belief", belief, by_shade(belief_word)),
                               lane_of("work", work, by_shade(work_word)),
                               {"requests", requests.of_process(ProcessId{i})}}});
  }
  content.instants = instants_of(setup, history);
  content.counters = {believers_of(history), lease_age_of(history, setup.duration),
                      request_rate_of(history, setup.duration)};
  return content;
}

}  // namespace tenure::report

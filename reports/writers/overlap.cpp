#include "overlap.hpp"

#include <algorithm>
#include <variant>

#include <tenure/api/message.hpp>
#include <tenure/base/variant.hpp>

namespace tenure::report {
namespace {

bool is_write(std::uint8_t verb) {
  return verb == static_cast<std::uint8_t>(api::Verb::create) ||
         verb == static_cast<std::uint8_t>(api::Verb::update);
}

// The belief of `who` that was held at `at`; one that begins then counts.
std::optional<Belief> belief_at(const History& history,
                                record::Incarnation who,
                                record::Level level,
                                TrueTime at) {
  std::optional<Belief> belief;
  for (Index i = 0; i < history.size(); ++i) {
    const auto* began = std::get_if<record::LeadershipBegan>(&history[i].fact);
    if (began != nullptr && began->who == who && began->level == level) {
      if (history[i].at > at) break;
      belief = Belief{i, std::nullopt};
    }
    const auto* ended = std::get_if<record::LeadershipEnded>(&history[i].fact);
    if (ended != nullptr && ended->who == who && ended->level == level && belief &&
        !belief->ended) {
      belief->ended = i;
    }
  }
  return belief;
}

// How long `who` was frozen between two instants.
Duration paused_between(const History& history,
                        record::Incarnation who,
                        TrueTime from,
                        TrueTime to) {
  Duration sum{};
  std::optional<TrueTime> since;
  const auto close = [&](TrueTime at) {
    if (since) sum += std::max(Duration{}, std::min(at, to) - std::max(*since, from));
    since.reset();
  };
  for (const record::Record& record : history) {
    std::visit(overloaded{[&](const record::ProcessPaused& f) {
                            if (f.who == who) since = record.at;
                          },
                          [&](const record::ProcessResumed& f) {
                            if (f.who == who) close(record.at);
                          },
                          [&](const record::ProcessEnded& f) {
                            if (f.who == who) close(record.at);
                          },
                          [](const auto&) {}},
               record.fact);
  }
  close(to);
  return sum;
}

// Completes an Overlap from the two beliefs.
class Search {
 public:
  Search(const History& history, const Exchanges& exchanges, Overlap& found)
      : history_(history), exchanges_(exchanges), found_(found) {}

  void run() {
    find_success();
    find_last_write();
    find_takeover();
    find_claim_and_sighting();
    find_numbers();
  }

 private:
  TrueTime at(Index index) const { return history_[index].at; }
  Index end_of(const Belief& belief) const { return belief.ended.value_or(history_.size()); }

  // Whether a write named its writer: one that empties the holder is a release.
  bool is_good(const record::LeaseWritten& written) const {
    return written.record.holder == written.writer_identity;
  }

  void find_success() {
    for (const auto& [name, exchange] : exchanges_) {
      if (name.first != found_.first || !exchange.handled || !exchange.received) continue;
      const auto& handled = *fact_at<record::RequestHandled>(history_, exchange.handled);
      const auto& received = *fact_at<record::ReplyReceived>(history_, exchange.received);
      const auto* written = fact_at<record::LeaseWritten>(history_, exchange.written);
      if (!is_write(handled.verb) || (received.code != 200 && received.code != 201)) continue;
      if (written != nullptr && !is_good(*written)) continue;
      if (*exchange.handled > found_.second_belief.began) continue;
      if (*exchange.received > end_of(found_.first_belief)) continue;
      if (found_.success && found_.success->received > *exchange.received) continue;
      const Index began = found_.first_belief.began;
      found_.success = Success{*exchange.handled, *exchange.received, written != nullptr,
                               history_[began].cause == history_[*exchange.received].cause};
    }
  }

  void find_last_write() {
    if (!found_.success) return;
    const std::uint64_t cause = history_[found_.success->handled].cause;
    for (Index i = 0; i < history_.size() && history_[i].cause <= cause; ++i) {
      const auto* written = std::get_if<record::LeaseWritten>(&history_[i].fact);
      if (written != nullptr && written->writer == found_.first && is_good(*written)) {
        found_.last_write = i;
      }
    }
  }

  void find_takeover() {
    for (Index i = 0; i < found_.second_belief.began; ++i) {
      const auto* written = std::get_if<record::LeaseWritten>(&history_[i].fact);
      if (written != nullptr && written->writer == found_.second && is_good(*written)) {
        found_.takeover = i;
      }
    }
    if (!found_.takeover) return;
    const auto& takeover = *fact_at<record::LeaseWritten>(history_, found_.takeover);
    for (Index i = 0; i < *found_.takeover; ++i) {
      const auto* written = std::get_if<record::LeaseWritten>(&history_[i].fact);
      if (written != nullptr && written->revision == takeover.replaced) found_.replaced = i;
    }
  }

  void find_claim_and_sighting() {
    if (!found_.takeover || !found_.replaced) return;
    const auto& takeover = *fact_at<record::LeaseWritten>(history_, found_.takeover);
    for (Index i = *found_.replaced; i < *found_.takeover; ++i) {
      const auto* claim = std::get_if<record::ExpiryClaimed>(&history_[i].fact);
      if (claim == nullptr || claim->who != found_.second || claim->base != takeover.base) continue;
      found_.claim = i;
    }
    for (const auto& [name, exchange] : exchanges_) {
      if (name.first != found_.second || !exchange.handled || !exchange.received) continue;
      if (*exchange.handled < *found_.replaced || *exchange.handled > *found_.takeover) continue;
      if (fact_at<record::ReplyReceived>(history_, exchange.received)->code != 200) continue;
      if (!found_.sighting || *exchange.received < *found_.sighting) {
        found_.sighting = *exchange.received;
      }
    }
  }

  void find_numbers() {
    if (!found_.success) return;
    const TrueTime applied = at(found_.success->handled);
    const TrueTime known = at(found_.success->received);
    const TrueTime over = found_.first_belief.ended ? at(*found_.first_belief.ended) : found_.to;
    found_.reply = known - applied - paused_between(history_, found_.first, applied, known);
    found_.paused = paused_between(history_, found_.first, applied, over);
    for (const auto& [name, exchange] : exchanges_) {
      if (name.first == found_.first && exchange.sent && at(*exchange.sent) <= found_.to) {
        judge(exchange, applied);
      }
    }
  }

  void judge(const Exchange& exchange, TrueTime applied) {
    const auto way = [&](std::optional<Index> from, std::optional<Index> to) {
      if (from && to) found_.longest_way = std::max(found_.longest_way, at(*to) - at(*from));
    };
    const auto* received = fact_at<record::ReplyReceived>(history_, exchange.received);
    const bool answered = received != nullptr && received->code != 0;
    if (answered && paused_between(history_, found_.first, at(*exchange.sent),
                                   at(*exchange.received)) == Duration::zero()) {
      way(exchange.sent, exchange.handled);
      way(exchange.handled, exchange.received);
    }
    const bool failed = received != nullptr && (received->code == 0 || received->code >= 429);
    if ((failed || exchange.lost) && at(*exchange.sent) >= applied) found_.errors = true;
  }

  const History& history_;
  const Exchanges& exchanges_;
  Overlap& found_;
};

}  // namespace

Exchanges exchanges_of(const History& history) {
  Exchanges all;
  std::optional<std::pair<record::Incarnation, RequestId>> handled;
  std::uint64_t handled_by = 0;
  for (Index i = 0; i < history.size(); ++i) {
    std::visit(overloaded{[&](const record::RequestSent& f) {
                            all[{f.from, f.request}].sent = i;
                          },
                          [&](const record::RequestHandled& f) {
                            handled = {f.from, f.request};
                            handled_by = history[i].cause;
                            all[*handled].handled = i;
                          },
                          // In the event in which its request is handled.
                          [&](const record::LeaseWritten&) {
                            if (handled && handled_by == history[i].cause)
                              all[*handled].written = i;
                          },
                          [&](const record::ReplyReceived& f) {
                            all[{f.by, f.request}].received = i;
                          },
                          [&](const record::MessageLost& f) {
                            all[{f.process, f.request}].lost = i;
                          },
                          [](const auto&) {}},
               history[i].fact);
  }
  return all;
}

std::optional<Overlap> overlap_of(const History& history,
                                  const Exchanges& exchanges,
                                  const check::Violation& violation,
                                  record::Level level,
                                  TrueTime end) {
  const auto first = belief_at(history, violation.who, level, violation.at);
  const auto second = belief_at(history, violation.other, level, violation.at);
  if (!first || !second) return std::nullopt;
  Overlap found;
  const bool in_order = first->began < second->began;
  found.first = in_order ? violation.who : violation.other;
  found.second = in_order ? violation.other : violation.who;
  found.first_belief = in_order ? *first : *second;
  found.second_belief = in_order ? *second : *first;
  found.from = history[found.second_belief.began].at;
  found.to = end;
  found.lasts = !first->ended && !second->ended;
  if (first->ended) found.to = std::min(found.to, history[*first->ended].at);
  if (second->ended) found.to = std::min(found.to, history[*second->ended].at);
  Search{history, exchanges, found}.run();
  return found;
}

}  // namespace tenure::report

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>
#include <variant>

#include <tenure/api/message.hpp>
#include <tenure/elect/any_elector.hpp>
#include <tenure/report/story.hpp>
#include <tenure/report/time_budget.hpp>

#include "overlap.hpp"

namespace tenure::report {
namespace {

using record::Incarnation;

// The hit and the belief between which a sample was measured (check::Metrics).
struct Failover {
  Index hit = 0;
  Index began = 0;
};

bool is_belief(const record::Record& record) {
  const auto* began = std::get_if<record::LeadershipBegan>(&record.fact);
  return began != nullptr && began->level == record::Level::context;
}

std::optional<Failover> find(const History& history, const check::FailoverSample& sample) {
  for (Index i = 0; i < history.size(); ++i) {
    const auto* hit = std::get_if<record::FaultHit>(&history[i].fact);
    if (hit == nullptr || hit->fault != sample.fault) continue;
    const auto after = history.begin() + static_cast<std::ptrdiff_t>(i);
    const auto began = std::find_if(after, history.end(), is_belief);
    if (began != history.end() && began->at - history[i].at == sample.time) {
      return Failover{i, static_cast<Index>(began - history.begin())};
    }
  }
  return std::nullopt;
}

// What a follower compares to see whether a record has changed: client-go looks at its JSON, where
// times are whole seconds (elect::raw_of).
bool looks_alike(const record::LeaseRecord& a, const record::LeaseRecord& b) {
  const auto second = [](std::int64_t us) {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::microseconds{us});
  };
  return a.holder == b.holder && a.duration_seconds == b.duration_seconds &&
         a.transitions == b.transitions && second(a.acquire_us) == second(b.acquire_us) &&
         second(a.renew_us) == second(b.renew_us);
}

class Splitter {
 public:
  Splitter(const WatchedRun& run, const Exchanges& exchanges, const Failover& failover)
      : run_(run), exchanges_(exchanges), failover_(failover), winner_(winner_of(run, failover)) {}

  std::optional<NotSplit> split(std::vector<PartLength>& parts) {
    const auto& elector = run_.setup.candidate_of(winner_.process).elector;
    if (!std::holds_alternative<elect::ClientGoConfig>(elector)) return NotSplit::wall_clock;
    const Exchange* update = answered_in(failover_.began);
    if (update == nullptr) return NotSplit::facts_missing;
    if (!update->written) return NotSplit::stored_nothing;
    const auto& takeover = *fact_at<record::LeaseWritten>(run_.history, update->written);
    if (takeover.created) return NotSplit::no_lease;
    const auto replaced = stored(takeover.replaced);
    const Exchange* read = answered_in(*update->sent);
    if (!replaced) return NotSplit::facts_missing;
    const auto& before = *fact_at<record::LeaseWritten>(run_.history, replaced);
    if (before.record.holder == takeover.record.holder) return NotSplit::named_already;
    if (read == nullptr) return NotSplit::facts_missing;
    const auto why_not = before.record.holder.empty()
                             ? after_release(*replaced, *read, parts)
                             : after_expiry(*replaced, *read, *update, parts);
    if (why_not) return why_not;
    parts.push_back({BudgetPart::read, at(*read->received) - at(*read->sent)});
    parts.push_back({BudgetPart::update, at(*update->written) - at(*update->sent)});
    parts.push_back({BudgetPart::reply, at(*update->received) - at(*update->handled)});
    return std::nullopt;
  }

 private:
  static Incarnation winner_of(const WatchedRun& run, const Failover& failover) {
    return fact_at<record::LeadershipBegan>(run.history, failover.began)->who;
  }

  TrueTime at(Index index) const { return run_.history[index].at; }

  // The exchange whose reply the winner was handling when it did `what`.
  const Exchange* answered_in(Index what) const {
    for (const auto& [name, exchange] : exchanges_) {
      if (name.first != winner_ || !exchange.received || *exchange.received > what) continue;
      const bool same_event = run_.history[*exchange.received].cause == run_.history[what].cause;
      if (same_event && exchange.sent && exchange.handled) return &exchange;
    }
    return nullptr;
  }

  std::optional<Index> stored(Revision revision) const {
    for (Index i = 0; i < run_.history.size(); ++i) {
      const auto* written = std::get_if<record::LeaseWritten>(&run_.history[i].fact);
      if (written != nullptr && written->revision == revision) return i;
    }
    return std::nullopt;
  }

  std::optional<NotSplit> after_release(Index replaced,
                                        const Exchange& read,
                                        std::vector<PartLength>& parts) const {
    parts.push_back({BudgetPart::release, at(replaced) - at(failover_.hit)});
    parts.push_back({BudgetPart::poll, at(*read.sent) - at(replaced)});
    return std::nullopt;
  }

  // The elector's own grounds say how old the record was by its clock when it asked; that clock,
  // set to when the record was first seen, turns them into lengths of true time.
  std::optional<NotSplit> after_expiry(Index replaced,
                                       const Exchange& read,
                                       const Exchange& update,
                                       std::vector<PartLength>& parts) const {
    const auto* claim = claim_in(*update.sent);
    const auto seen = sighting(*read.received);
    if (claim == nullptr || !seen) return NotSplit::facts_missing;
    const kernel::NodeClock& clock = run_.clocks[winner_.process.value];
    if (clock.since > at(*seen) || clock.mono_stopped) return NotSplit::clock_stopped;
    const MonoTime seen_at = clock.local(at(*seen)).mono;
    const TrueTime expired = clock.true_of(later(seen_at, claim->lifetime));
    const TrueTime asked = instant_of(clock, later(seen_at, claim->age), at(*read.sent));
    parts.push_back({BudgetPart::last_renewal, at(replaced) - at(failover_.hit)});
    parts.push_back({BudgetPart::notice, at(*seen) - at(replaced)});
    parts.push_back({BudgetPart::lease, expired - at(*seen)});
    parts.push_back({BudgetPart::poll, asked - expired});
    return std::nullopt;
  }

  // A slow clock shows the same at two instants of true time; if `likely` is one, it is meant.
  static TrueTime instant_of(const kernel::NodeClock& clock, MonoTime reading, TrueTime likely) {
    return clock.local(likely).mono == reading ? likely : clock.true_of(reading);
  }

  const record::ExpiryClaimed* claim_in(Index what) const {
    for (Index i = what + 1; i-- > 0 && run_.history[i].cause == run_.history[what].cause;) {
      const auto* claim = std::get_if<record::ExpiryClaimed>(&run_.history[i].fact);
      if (claim != nullptr && claim->who == winner_) return claim;
    }
    return nullptr;
  }

  // Where the winner saw the record change for the last time, up to `last`.
  std::optional<Index> sighting(Index last) const {
    std::map<Index, const record::LeaseRecord*> reads;  // by their replies, what was read
    for (const auto& [name, exchange] : exchanges_) {
      if (name.first != winner_ || !exchange.sent || !exchange.handled || !exchange.received)
        continue;
      const auto& sent = *fact_at<record::RequestSent>(run_.history, exchange.sent);
      const auto& reply = *fact_at<record::ReplyReceived>(run_.history, exchange.received);
      const bool is_read = sent.verb == static_cast<std::uint8_t>(api::Verb::get);
      if (!is_read || reply.code != 200 || *exchange.received > last) continue;
      reads[*exchange.received] = stored_before(*exchange.handled);
    }
    std::optional<Index> changed;
    const record::LeaseRecord* before = nullptr;
    for (const auto& [reply, found] : reads) {
      if (found == nullptr) continue;
      if (before == nullptr || !looks_alike(*before, *found)) changed = reply;
      before = found;
    }
    return changed;
  }

  const record::LeaseRecord* stored_before(Index handled) const {
    for (Index i = handled; i-- > 0;) {
      const auto* written = std::get_if<record::LeaseWritten>(&run_.history[i].fact);
      if (written != nullptr) return &written->record;
    }
    return nullptr;
  }

  const WatchedRun& run_;
  const Exchanges& exchanges_;
  Failover failover_;
  Incarnation winner_;
};

Duration sum_of(const std::vector<PartLength>& parts) {
  Duration sum{};
  for (const PartLength& part : parts) sum = longer(sum, part.length);
  return sum;
}

TimeBudget budget_of(const WatchedRun& run,
                     const Exchanges& exchanges,
                     const check::FailoverSample& sample) {
  TimeBudget budget;
  budget.fault = sample.fault;
  budget.failover = sample.time;
  const auto failover = find(run.history, sample);
  if (!failover) {
    budget.why_not = NotSplit::facts_missing;
    return budget;
  }
  budget.hit = run.history[failover->hit].at;
  budget.winner = fact_at<record::LeadershipBegan>(run.history, failover->began)->who;
  budget.why_not = Splitter{run, exchanges, *failover}.split(budget.parts);
  if (!budget.why_not && sum_of(budget.parts) != budget.failover)
    budget.why_not = NotSplit::facts_missing;
  if (budget.why_not) budget.parts.clear();
  return budget;
}

// ---- means

__extension__ using Sum = __int128;

Duration mean(Sum sum, std::uint64_t n) {
  const Sum half = static_cast<Sum>(n) / 2;
  return Duration{
      static_cast<std::int64_t>((sum + (sum < 0 ? -half : half)) / static_cast<Sum>(n))};
}

// The failovers of one way, added up.
struct Added {
  std::uint64_t n = 0;
  Sum failover = 0;
  std::array<Sum, budget_parts> parts{};
  std::array<bool, budget_parts> has{};

  void add(const TimeBudget& budget) {
    ++n;
    failover += budget.failover.count();
    for (const PartLength& part : budget.parts) {
      parts[static_cast<std::size_t>(part.part)] += part.length.count();
      has[static_cast<std::size_t>(part.part)] = true;
    }
  }

  BudgetMeans::Way means() const {
    BudgetMeans::Way way;
    way.n = n;
    if (n == 0) return way;
    way.failover = mean(failover, n);
    for (std::size_t i = 0; i < budget_parts; ++i) {
      if (has[i]) way.parts.push_back({static_cast<BudgetPart>(i), mean(parts[i], n)});
    }
    return way;
  }
};

}  // namespace

std::vector<TimeBudget> time_budgets(const WatchedRun& run) {
  std::vector<TimeBudget> budgets;
  std::optional<Exchanges> exchanges;
  for (const check::FailoverSample& sample : run.failovers) {
    if (sample.censored) continue;
    if (!exchanges) exchanges = exchanges_of(run.history);
    budgets.push_back(budget_of(run, *exchanges, sample));
  }
  return budgets;
}

BudgetMeans mean_time_budget(const run::Experiment& experiment,
                             std::uint64_t runs,
                             const std::atomic<bool>* stop) {
  BudgetMeans means;
  Added expired, released;
  run::Runner runner{experiment, stop};
  record::KeepHistory history;
  for (std::uint64_t number = 0; number < runs; ++number) {
    history.forget();
    const auto& failovers = runner.run(number, &history).metrics().failovers;
    if (runner.was_stopped()) break;
    const std::vector<kernel::NodeClock> clocks = clocks_of(runner.world());
    for (const check::FailoverSample& sample : failovers) means.censored += sample.censored ? 1 : 0;
    for (const TimeBudget& budget :
         time_budgets({*experiment.setup, history.history(), failovers, clocks})) {
      if (budget.why_not) {
        ++means.not_split[static_cast<std::size_t>(*budget.why_not)];
      } else {
        const bool is_release = budget.parts.front().part == BudgetPart::release;
        (is_release ? released : expired).add(budget);
      }
    }
  }
  means.expired = expired.means();
  means.released = released.means();
  return means;
}

}  // namespace tenure::report

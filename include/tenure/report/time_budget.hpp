// Where the time of a failover goes: parts that follow each other from the fault to the next
// leader.
//
// Every part is measured from facts of its own, and none is what the others leave over. That they
// add up is therefore a statement about the run; a failover for which they do not is not split.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenure/check/metrics.hpp>
#include <tenure/kernel/node_clock.hpp>
#include <tenure/record/fact.hpp>
#include <tenure/run/run.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::report {

// In the order in which they are told. A Lease that expires has last_renewal, notice and lease, one
// that is released has release; the rest is the same for both.
enum class BudgetPart : std::uint8_t {
  last_renewal,  // from the fault to the last renewal: negative when it came before, as it mostly
                 // does
  notice,   // from that renewal to when the winner saw it; negative: it looked like the one before
  lease,    // leaseDuration, by the winner's clock
  release,  // from the fault to the write that released the Lease
  poll,     // until the winner asks again
  read,     // that request and its answer
  update,   // the winner's write on its way
  reply,    // from the stored write to the winner that knows of it
};
inline constexpr std::size_t budget_parts = 8;

std::string_view to_text(BudgetPart part);

// One sentence: from what to what it is measured.
std::string_view meaning(BudgetPart part);

struct PartLength {
  BudgetPart part = BudgetPart::last_renewal;
  Duration length{};

  friend bool operator==(const PartLength&, const PartLength&) = default;
};

// Why a failover has no parts.
enum class NotSplit : std::uint8_t {
  named_already,  // the Lease named the winner: it led before, or its write had been stored unheard
  no_lease,       // the winner created the Lease
  wall_clock,     // the winner's elector goes by renewTime and not by what it has seen
  clock_stopped,  // the winner's clock stood still meanwhile
  stored_nothing,  // the winner's last write changed nothing
  facts_missing,   // the history does not hold what the parts need, or they do not add up
};
inline constexpr std::size_t reasons_not_to_split = 6;

// "the Lease named the winner already"
std::string_view to_text(NotSplit why);

struct TimeBudget {
  FaultId fault;
  TrueTime hit{};  // when the fault struck the leader
  Duration failover{};
  record::Incarnation winner;
  std::vector<PartLength> parts;    // their sum is `failover`
  std::optional<NotSplit> why_not;  // then there are no parts
};

struct WatchedRun {
  const world::Setup& setup;
  const std::vector<record::Record>& history;  // with messages
  const std::vector<check::FailoverSample>& failovers;
  const std::vector<kernel::NodeClock>& clocks;  // as they were at the end, by ProcessId
};

// Of each failover that came to an end.
std::vector<TimeBudget> time_budgets(const WatchedRun& run);

// Means over many failovers, separately for the two ways in which a Lease becomes free: the parts
// of one way are means over the same failovers, so that they add up to the mean but for rounding.
struct BudgetMeans {
  struct Way {
    std::uint64_t n = 0;
    Duration failover{};
    std::vector<PartLength> parts;
  };
  Way expired, released;
  std::array<std::uint64_t, reasons_not_to_split> not_split{};  // by NotSplit
  std::uint64_t censored = 0;                                   // failovers that did not end
};

// Of the first `runs` runs of an experiment, which are made again to see their messages. `stop`,
// set from outside, ends it early: the means are then those of fewer runs.
BudgetMeans mean_time_budget(const run::Experiment& experiment,
                             std::uint64_t runs,
                             const std::atomic<bool>* stop = nullptr);

// "last renewal -1.00s | noticed +1.25s | ... = 16.52s", or why there is none. In lines of at most
// `columns` columns; those after the first begin with `indent` spaces.
std::string budget_text(const TimeBudget& budget, std::size_t columns, std::size_t indent);

// The same of means, a paragraph a way, and what was not split. Empty: there was no failover.
std::vector<std::string> budget_text(const BudgetMeans& means,
                                     std::size_t columns,
                                     std::size_t indent);

}  // namespace tenure::report

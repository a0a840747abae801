#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tenure/report/time_budget.hpp>

namespace tenure::report {
namespace {

// "-1.00s": hundredths of a second, always with its sign; a length that vanishes in them is
// positive.
std::string signed_text(Duration length) {
  constexpr std::int64_t hundredth = 10'000'000;
  const std::int64_t ns = length.count();
  const std::int64_t rounded = (ns + (ns < 0 ? -hundredth : hundredth) / 2) / hundredth;
  return fmt::format("{}{}.{:02}s", rounded < 0 ? "-" : "+", std::abs(rounded) / 100,
                     std::abs(rounded) % 100);
}

// Cells in lines, broken only between cells.
std::string laid_out(const std::vector<std::string>& cells,
                     std::string_view begin,
                     std::size_t columns,
                     std::size_t indent) {
  std::string text{begin};
  std::size_t used = indent + begin.size();
  for (const std::string& cell : cells) {
    const bool is_first = &cell == &cells.front();
    if (!is_first && used + 1 + cell.size() > columns) {
      text += fmt::format("\n{:{}}{}", "", indent + 2, cell);
      used = indent + 2 + cell.size();
      continue;
    }
    text += (is_first ? "" : " ") + cell;
    used += cell.size() + (is_first ? 0 : 1);
  }
  return text;
}

// "| " stands before every cell but the first, so that a broken line says that it goes on.
std::vector<std::string> cells_of(const std::vector<PartLength>& parts, Duration whole) {
  std::vector<std::string> cells;
  for (const PartLength& part : parts) {
    cells.push_back(fmt::format("{}{} {}", cells.empty() ? "" : "| ", to_text(part.part),
                                signed_text(part.length)));
  }
  cells.push_back("= " + signed_text(whole).substr(1));
  return cells;
}

}  // namespace

std::string_view to_text(BudgetPart part) {
  switch (part) {
    case BudgetPart::last_renewal:
      return "last renewal";
    case BudgetPart::notice:
      return "noticed";
    case BudgetPart::lease:
      return "leaseDuration";
    case BudgetPart::release:
      return "released";
    case BudgetPart::poll:
      return "winner's next poll";
    case BudgetPart::read:
      return "read";
    case BudgetPart::update:
      return "update";
    case BudgetPart::reply:
      return "reply";
  }
  return "";
}

std::string_view meaning(BudgetPart part) {
  switch (part) {
    case BudgetPart::last_renewal:
      return "from the fault to when the API server stored the last renewal; negative, for it "
             "mostly "
             "came before, and shortens the failover";
    case BudgetPart::notice:
      return "from that renewal to the reply in which the winner first saw it, where its count "
             "begins; "
             "negative when the renewal looked like the one before, in whole seconds";
    case BudgetPart::lease:
      return "what the winner grants the holder, as long as its clock takes to count it";
    case BudgetPart::release:
      return "from the fault to when the API server stored the release";
    case BudgetPart::poll:
      return "from when the Lease was free, for the winner, to the request that found it so; "
             "negative "
             "when that was on its way already";
    case BudgetPart::read:
      return "from that request to its reply";
    case BudgetPart::update:
      return "from sending the write that takes the Lease to its being stored";
    case BudgetPart::reply:
      return "from the stored write to its reply: the winner leads";
  }
  return "";
}

std::string_view to_text(NotSplit why) {
  switch (why) {
    case NotSplit::named_already:
      return "the Lease named the winner already";
    case NotSplit::no_lease:
      return "there was no Lease, and the winner created one";
    case NotSplit::wall_clock:
      return "the winner's elector goes by wall clocks";
    case NotSplit::clock_stopped:
      return "the winner's clock stood still meanwhile";
    case NotSplit::stored_nothing:
      return "the winner's write changed nothing";
    case NotSplit::facts_missing:
      return "the history does not say enough";
  }
  return "";
}

std::string budget_text(const TimeBudget& budget, std::size_t columns, std::size_t indent) {
  if (budget.why_not)
    return fmt::format("time budget: not split, because {}", to_text(*budget.why_not));
  return laid_out(cells_of(budget.parts, budget.failover), "time budget: ", columns, indent);
}

std::vector<std::string> budget_text(const BudgetMeans& means,
                                     std::size_t columns,
                                     std::size_t indent) {
  std::vector<std::string> lines;
  const auto tell = [&](const BudgetMeans::Way& way, std::string_view how) {
    if (way.n == 0) return;
    const std::string begin = fmt::format("time budget, {}, means of n={}: ", how, way.n);
    lines.push_back(laid_out(cells_of(way.parts, way.failover), begin, columns, indent));
  };
  tell(means.expired, "expired Lease");
  tell(means.released, "released Lease");
  for (std::size_t i = 0; i < reasons_not_to_split; ++i) {
    if (means.not_split[i] == 0) continue;
    lines.push_back(fmt::format("time budget: {} failover{} not split, because {}",
                                means.not_split[i], means.not_split[i] == 1 ? "" : "s",
                                to_text(static_cast<NotSplit>(i))));
  }
  if (means.censored != 0)
    lines.push_back(fmt::format("time budget: {} not over at the end", means.censored));
  return lines;
}

}  // namespace tenure::report

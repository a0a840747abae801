#include <algorithm>
#include <utility>

#include <tenure/report/story.hpp>
#include <tenure/run/result.hpp>

#include "chain.hpp"
#include "margin.hpp"
#include "overlap.hpp"
#include "words.hpp"

namespace tenure::report {
namespace {

std::string verdict(const Counterexample& told, const Overlap& overlap) {
  const std::string_view lead =
      told.level == record::Level::context ? "led" : "saw themselves leading";
  return fmt::format("{} and {} both {} from {} to {}{}, for {}", name(told.setup, overlap.first),
                     name(told.setup, overlap.second), lead, instant(overlap.from),
                     instant(overlap.to), overlap.lasts ? " (the end of the run)" : "",
                     length(overlap.to - overlap.from));
}

bool is_hit(const Counterexample& told, const Overlap& overlap, std::size_t fault) {
  return std::any_of(told.history.begin(), told.history.end(), [&](const record::Record& record) {
    const auto* hit = std::get_if<record::FaultHit>(&record.fact);
    return hit != nullptr && hit->fault.value == fault && record.at <= overlap.to &&
           (hit->who == overlap.first || hit->who == overlap.second);
  });
}

// The Lease, the two, and what hit them, from the last good write to the end of the overlap.
Timeline lanes(const Counterexample& told, const Overlap& overlap) {
  const TrueTime begin = overlap.last_write ? told.history[*overlap.last_write].at : overlap.from;
  const Duration around = std::max<Duration>((overlap.to - begin) / 10, std::chrono::seconds{1});
  const auto whole = [](TrueTime at) { return std::chrono::floor<std::chrono::seconds>(at); };
  const TrueTime from = std::max(TrueTime{}, TrueTime{whole(begin - around)});
  const TrueTime to = std::min(TrueTime{told.setup.duration}, later(overlap.to, around));
  Timeline timeline = timeline_of(told.setup, told.history, from, to);
  const auto is_wanted = [&](const Lane& lane) {
    for (const record::Incarnation who : {overlap.first, overlap.second}) {
      if (lane.label == told.setup.processes[who.process.value].name + " work") return true;
    }
    for (std::size_t i = 0; i < told.setup.faults.size(); ++i) {
      if (lane.label == "fault " + told.setup.faults[i].name) return is_hit(told, overlap, i);
    }
    return lane.label == "lease";
  };
  std::erase_if(timeline.lanes, [&](const Lane& lane) { return !is_wanted(lane); });
  return timeline;
}

class Page {
 public:
  explicit Page(std::size_t columns) : columns_(columns) {}

  void line(std::string_view text) { text_ += fmt::format("  {}\n", text); }
  // Broken between words, where a line would be too long.
  void paragraph(std::string_view text) {
    constexpr std::size_t indent = 4;
    while (columns_ > indent && text.size() + indent > columns_) {
      const std::size_t space = text.rfind(' ', columns_ - indent);
      if (space == std::string_view::npos || space == 0) break;
      line(fmt::format("  {}", text.substr(0, space)));
      text.remove_prefix(space + 1);
    }
    line(fmt::format("  {}", text));
  }
  void block(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      if (end > 0) line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  void gap() { text_ += "\n"; }
  std::string text() && { return std::move(text_); }

 private:
  std::size_t columns_;
  std::string text_;
};

}  // namespace

std::vector<kernel::NodeClock> clocks_of(const world::World& world) {
  std::vector<kernel::NodeClock> clocks;
  for (const world::Process& process : world.processes) clocks.push_back(process.clock);
  return clocks;
}

std::string story(const Counterexample& told, std::size_t columns, Characters characters) {
  const Exchanges exchanges = exchanges_of(told.history);
  std::optional<Overlap> overlap;
  if (told.violation.id == check::PropertyId::B1) {
    overlap = overlap_of(told.history, exchanges, told.violation, told.level,
                         TrueTime{told.setup.duration});
  }
  Page page{columns};
  page.line(overlap ? verdict(told, *overlap) : run::story_of(told.setup, told.violation));
  if (overlap) {
    for (const std::string& reason : why(told, *overlap)) page.paragraph(reason);
  }
  page.gap();
  for (const std::string& step : chain(told, exchanges, overlap)) page.line(step);
  if (overlap && columns > 0) {
    page.gap();
    page.block(rendered(lanes(told, *overlap), columns - 2, characters, Legend::compact));
  }
  if (!told.nearest.empty()) page.line("nearest passing: " + told.nearest);
  if (!told.replay.empty()) page.line("replay: " + told.replay);
  return std::move(page).text();
}

}  // namespace tenure::report

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tenure/check/metrics.hpp>
#include <tenure/report/outcome.hpp>

#include "foreign.hpp"

namespace tenure::report {
namespace {

using check::MetricId;

// Exactly, without floating point: a whole number of the unit's billionths.
std::string number(stats::Unit unit, std::int64_t value) {
  if (unit == stats::Unit::one) return fmt::format("{}", value);
  constexpr std::int64_t whole = 1'000'000'000;
  return fmt::format("{}{}.{:09}", value < 0 ? "-" : "", std::abs(value / whole),
                     std::abs(value % whole));
}

// The samples of one metric, taken run by run.
class Column {
 public:
  explicit Column(const stats::Samples& samples) : samples_(&samples) {}

  struct Cell {
    std::string text;
    std::size_t samples = 0;
    bool is_lower_bound = false;
  };

  // A run with several samples, which only failovers have, shows the longest.
  Cell of_run(std::uint64_t run) {
    Cell cell;
    std::int64_t longest = 0;
    for (; next_ < samples_->size() && samples_->run_of(next_) == run; ++next_) {
      const bool is_open = next_censored_ < samples_->censored_at().size() &&
                           samples_->censored_at()[next_censored_] == next_;
      if (is_open) ++next_censored_;
      const std::int64_t value = samples_->values()[next_];
      if (cell.samples++ == 0 || value > longest) longest = value;
      cell.is_lower_bound = cell.is_lower_bound || is_open;
    }
    if (cell.samples != 0) cell.text = number(samples_->unit(), longest);
    return cell;
  }

 private:
  const stats::Samples* samples_;
  std::size_t next_ = 0;
  std::size_t next_censored_ = 0;
};

// Whether a run violates a property, for runs that are asked for in order.
class Violations {
 public:
  explicit Violations(const std::vector<std::uint64_t>& runs) : runs_(&runs) {}

  bool contains(std::uint64_t run) {
    while (next_ < runs_->size() && (*runs_)[next_] < run) ++next_;
    return next_ < runs_->size() && (*runs_)[next_] == run;
  }

 private:
  const std::vector<std::uint64_t>* runs_;
  std::size_t next_ = 0;
};

}  // namespace

void write_csv_header(const TextSink& sink) {
  std::string line = "scenario,seed,run,violated,failovers";
  for (std::size_t id = 0; id < check::metric_count; ++id)
    line += fmt::format(",{}", check::to_text(static_cast<MetricId>(id)));
  sink(line + ",lowerBounds\r\n");
}

void write_csv(const run::RunResult& result, const TextSink& sink) {
  std::vector<Column> columns;
  for (const stats::Samples& samples : result.metrics) columns.emplace_back(samples);
  Violations violations{result.violating_runs};
  const std::string scenario = csv_field(printable(result.scenario.name, 200));
  for (std::uint64_t run = 0; run < result.runs; ++run) {
    std::string cells;
    std::string lower_bounds;
    std::size_t failovers = 0;
    for (std::size_t id = 0; id < columns.size(); ++id) {
      const Column::Cell cell = columns[id].of_run(run);
      cells += "," + cell.text;
      if (static_cast<MetricId>(id) == MetricId::failover) failovers = cell.samples;
      if (!cell.is_lower_bound) continue;
      lower_bounds += lower_bounds.empty() ? "" : " ";
      lower_bounds += check::to_text(static_cast<MetricId>(id));
    }
    sink(fmt::format("{},{},{},{},{}{},{}\r\n", scenario, result.scenario.seed, run,
                     violations.contains(run) ? 1 : 0, failovers, cells, lower_bounds));
  }
}

}  // namespace tenure::report

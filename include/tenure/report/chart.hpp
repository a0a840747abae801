// Charts as data: what is drawn, without a shape or a colour. Values are whole numbers in the unit
// of their metric, as everywhere; a renderer decides what they look like, and a table has the same
// numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <tenure/base/time.hpp>
#include <tenure/report/timeline.hpp>
#include <tenure/stats/ecdf.hpp>
#include <tenure/stats/sample.hpp>

namespace tenure::report {

// The share of samples that are at most a value, with the band that the true share lies in.
struct EcdfCurve {
  std::string name;
  std::vector<stats::EcdfStep> steps;
  std::size_t n = 0;
  std::size_t censored = 0;
  double half_width = 0;  // of the band
  bool has_band = false;  // whether it is drawn
};

// A value with a name: a bound, a rule of thumb, a threshold.
struct ValueMark {
  std::int64_t at = 0;
  std::string text;
};

struct Ecdf {
  stats::Unit unit = stats::Unit::nanosecond;
  std::string what;  // the axis: "failover"
  std::vector<EcdfCurve> curves;
  std::vector<ValueMark> marks;
};

struct HeatCell {
  std::optional<std::int64_t> value;  // nothing: not run, or the runs do not carry it
  std::string note;                   // why there is no value; empty: there is no such point
};

// One figure at each pair of two parameters' values.
struct Heatmap {
  stats::Unit unit = stats::Unit::nanosecond;
  std::string what;  // "failover.p(99)"
  std::string row_name, column_name;
  std::vector<std::string> rows, columns;
  std::vector<HeatCell> cells;         // row by row
  std::optional<std::size_t> present;  // the cell of the present setting
};

struct ParetoPoint {
  std::string label;
  std::int64_t x = 0, y = 0;
  bool on_front = false;
  bool is_present = false;
};

// Two objectives of many settings; less is better in both.
struct Pareto {
  stats::Unit x_unit = stats::Unit::nanosecond, y_unit = stats::Unit::nanosecond;
  std::string x_name, y_name;
  std::vector<ParetoPoint> points;
};

// The parts that a failover is made of, each measured from its own facts; their signs are stated.
struct BudgetChart {
  struct Part {
    std::string name;
    Duration time{};
  };
  std::vector<Part> parts;  // in order of time
  Duration total{};         // measured, too
};

struct Chart {
  std::string title;
  std::string description;  // what is to be seen, for who cannot see it
  std::variant<Ecdf, Timeline, Heatmap, Pareto, BudgetChart> what;
};

}  // namespace tenure::report

// A report as a list of blocks, without any markup: what a page says, not what it looks like.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <tenure/report/chart.hpp>
#include <tenure/report/compare.hpp>
#include <tenure/report/outcome.hpp>
#include <tenure/report/writer.hpp>
#include <tenure/run/compare.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/sweep.hpp>

namespace tenure::report {

// A name within the page that links lead to; empty: nothing leads there. Of letters, digits and
// hyphens.
using Anchor = std::string;

struct Heading {
  std::string text;
  Anchor anchor;
};

struct Paragraph {
  std::string text;
};

struct List {
  std::vector<std::string> items;
};

struct Cell {
  std::string text;
  Anchor link;
};

struct Column {
  std::string name;
  bool is_number = false;
};

struct Table {
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  bool is_folded = false;  // to be opened by who wants it
};

// Properties and thresholds, judged.
struct VerdictTable {
  struct Row {
    run::Finding finding = run::Finding::ok;
    std::string name;
    std::string estimate;
    std::string interval;
    Cell run;  // the worst one
    std::vector<std::string> notes;
  };
  std::vector<Row> rows;
};

struct Figure {
  Chart chart;
  Anchor anchor;
  std::string folded_as;  // the line that opens it; empty: it is open
};

struct Code {
  std::string text;
  std::string folded_as;  // the line that opens it; empty: it is open
};

using Block = std::variant<Heading, Paragraph, List, Table, VerdictTable, Figure, Code>;

struct Page {
  std::string title;
  std::string word;  // the verdict in a word: "PASS"
  run::Verdict verdict = run::Verdict::pass;
  std::vector<std::string> facts;  // of the headline: "2000 runs x 3m"
  std::string description;
  std::vector<Block> blocks;
};

// A run that is shown: made again, with its history.
struct ShownRun {
  std::uint64_t number = 0;
  std::string why;  // "the slowest failover"
  Timeline timeline;
  std::string story;  // of a violation; empty: there was none
};

// The runs of a result that are worth a look: the slowest failover, the first one that did not
// end, and the first violation of each property, at most so many.
std::vector<ShownRun> runs_to_show(const run::RunResult& result, std::size_t most = 6);

// Of one scenario. `counterexample`: the first failure, made small and told; may be empty.
Page page_of(const run::RunResult& result,
             const std::vector<ShownRun>& runs,
             const std::string& counterexample);

// The distribution of its failovers; of none, an empty one.
Chart failover_ecdf(const run::RunResult& result);

// Who leads in it.
Chart timeline_chart(const ShownRun& run);

Page page_of(const run::SweepResult& result);
// Of its first objective; nothing: its points are no grid of two parameters or more.
std::optional<Chart> sweep_heatmap(const run::SweepResult& result);
// Of its first two objectives; nothing: it has only one.
std::optional<Chart> sweep_pareto(const run::SweepResult& result);

// Of an exploration; its counterexample is made again to be shown.
Page page_of(const explore::ExploreResult& result);

// Of two results, as the comparison was made of them.
Page page_of(const run::Comparison& comparison,
             const ComparedFiles& files,
             const std::vector<run::RunResult>& base,
             const std::vector<run::RunResult>& other);
// The failovers of both on one axis.
Chart compared_ecdfs(const run::RunResult& base, const run::RunResult& other);

// Of many scenarios: a line for each, and what failed. The index of what was checked.
Page page_of(const Outcome& outcome);

// The numbers of a chart.
Table table_of(const Chart& chart);

// One self-contained file: no request leaves it, and the same page gives the same bytes.
void write_html(const Page& page, const TextSink& sink);

// One chart as a file of its own.
void write_svg(const Chart& chart, const TextSink& sink);

}  // namespace tenure::report

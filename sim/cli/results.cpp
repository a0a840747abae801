#include "results.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <tenure/report/explore.hpp>
#include <tenure/report/page.hpp>
#include <tenure/report/writer.hpp>
#include <tenure/run/run.hpp>

#include "pages.hpp"

namespace tenure::cli {
namespace {

// The runs whose history `spec.record` asks for.
std::vector<std::uint64_t> recorded_runs(const run::RunResult& result) {
  using Which = scenario::Record::Which;
  const scenario::Record& record = result.scenario.record;
  std::vector<std::uint64_t> runs;
  switch (record.which) {
    case Which::none:
      break;
    case Which::failures:
      return result.violating_runs;
    case Which::first:
    case Which::all: {
      const std::uint64_t count =
          record.which == Which::all ? result.runs : std::min(record.first, result.runs);
      for (std::uint64_t run = 0; run < count; ++run) runs.push_back(run);
    }
  }
  return runs;
}

void say_that_nothing_is_recorded(const scenario::Scenario& scenario) {
  fmt::print(stderr,
             "{}: no history for -w jsonl: spec.record is {}\n"
             "   = every run's: --set spec.record=all; one run's: tenure replay FILE --run N "
             "-w jsonl=PATH\n",
             scenario.name,
             scenario.record.which == scenario::Record::Which::none
                 ? "none"
                 : "failures, and no run violated a property");
}

void write_history(const run::Experiment& experiment,
                   run::Runner& runner,
                   std::uint64_t number,
                   std::string_view scenario,
                   OutputFile& file) {
  record::KeepHistory history;
  runner.run(number, &history);
  report::write_jsonl(
      *experiment.setup, number, history.history(),
      [&](std::string_view text) { file.write(text); }, scenario);
}

// The counterexample of an exploration is a run like any other.
void write_counterexample(const explore::ExploreResult& result,
                          std::string_view scenario,
                          OutputFile& file) {
  if (!result.counterexample) return;
  const run::Experiment experiment = run::experiment_of(result.counterexample->script);
  run::Runner runner{experiment};
  write_history(experiment, runner, 0, scenario, file);
}

bool wants(const std::vector<WriteRequest>& writes, std::string_view format) {
  return std::any_of(writes.begin(), writes.end(),
                     [&](const WriteRequest& write) { return write.format == format; });
}

// The formats that are made of the outcome alone.
bool is_of_outcome(std::string_view format) {
  return format == "junit" || format == "github" || format == "md";
}

void write_outcome(std::string_view format, const report::Outcome& outcome, OutputFile& file) {
  const report::TextSink sink = [&](std::string_view text) { file.write(text); };
  if (format == "junit") report::write_junit(outcome, sink);
  if (format == "github") report::write_github(outcome, sink);
  if (format == "md") report::write_markdown(outcome, sink);
}

// What an unwritten file of the format would have held.
std::string_view content_of(std::string_view format) {
  if (format == "jsonl") return "the histories";
  if (format == "csv") return "the rows of the runs";
  return "the result; the summary above stands";
}

}  // namespace

const std::vector<std::string>& result_formats() {
  static const std::vector<std::string> formats{"json", "jsonl", "junit", "github",
                                                "md",   "csv",   "html",  "svg"};
  return formats;
}

bool stdout_is_taken(const std::vector<WriteRequest>& writes) {
  return std::any_of(writes.begin(), writes.end(),
                     [](const WriteRequest& w) { return w.path == "-"; });
}

bool charts_are_of_one(const std::vector<WriteRequest>& writes, std::size_t items) {
  if (items == 1 || !wants(writes, "svg")) return true;
  usage_error("E0004", fmt::format("-w svg is a chart of one result, and here are {}", items),
              {"-w html=PATH has a line for each"});
  return false;
}

ExitCode write_bad_input(const std::vector<WriteRequest>& writes, const report::Outcome& outcome) {
  ExitCode code = ExitCode::bad_input;
  for (const WriteRequest& write : writes) {
    if (!is_of_outcome(write.format)) continue;
    OutputFile file{write.path};
    write_outcome(write.format, outcome, file);
    if (!file.commit("what is wrong with the input")) code = worse(code, ExitCode::no_output);
  }
  return code;
}

ResultFiles::ResultFiles(const std::vector<WriteRequest>& writes, std::size_t items)
    : items_(items) {
  for (const WriteRequest& write : writes)
    files_.push_back({write, std::make_unique<OutputFile>(write.path)});
}

bool ResultFiles::can_write() {
  bool all = true;
  for (Target& target : files_) all = target.file->is_open("nothing was run") && all;
  for (Target& target : files_) {
    if (target.request.format == "csv")
      report::write_csv_header([&](std::string_view text) { target.file->write(text); });
  }
  return all;
}

void ResultFiles::begin_item(Target& target) {
  if (items_ > 1) {
    target.file->write(
        target.results == 0
            ? "{\"apiVersion\": \"tenure/v1alpha1\", \"kind\": \"ResultList\", \"items\": [\n"
            : ",\n");
  }
  ++target.results;
}

// Failing runs are never stored during a campaign but made again with the recorder on.
void ResultFiles::add(const Made& made, const CommonFlags& common) {
  for (Target& target : files_) {
    const auto sink = [&](std::string_view text) { target.file->write(text); };
    if (target.request.format == "json") {
      begin_item(target);
      report::write_json(made.result, sink);
    }
    if (target.request.format == "csv") report::write_csv(made.result, sink);
    if (target.request.format == "html" && items_ == 1) {
      ++target.results;
      write_page(made.result, sink);
    }
    if (target.request.format == "svg") write_chart(made.result, common.chart, sink);
    if (target.request.format != "jsonl") continue;
    const std::vector<std::uint64_t> runs = recorded_runs(made.result);
    // Of many scenarios, most have none.
    if (runs.empty() && !common.quiet && items_ == 1)
      say_that_nothing_is_recorded(made.result.scenario);
    run::Runner runner{made.experiment};
    for (const std::uint64_t number : runs) {
      write_history(made.experiment, runner, number,
                    items_ > 1 ? made.result.scenario.name : std::string{}, *target.file);
    }
  }
}

void ResultFiles::add(const explore::ExploreResult& result) {
  for (Target& target : files_) {
    if (target.request.format == "html" && items_ == 1) {
      ++target.results;
      report::write_html(report::page_of(result),
                         [&](std::string_view text) { target.file->write(text); });
    }
    if (target.request.format == "json") {
      begin_item(target);
      report::write_explore_json(result, [&](std::string_view text) { target.file->write(text); });
    }
    if (target.request.format == "jsonl") {
      write_counterexample(result, items_ > 1 ? result.scenario.name : std::string{}, *target.file);
    }
  }
}

void ResultFiles::add(const run::SweepResult& result, const scenario::SweepInput& input) {
  for (Target& target : files_) {
    if (target.request.format == "html" && items_ == 1) {
      ++target.results;
      write_page(result, [&](std::string_view text) { target.file->write(text); });
    }
    if (target.request.format != "json") continue;
    begin_item(target);
    report::write_sweep_json(result, input,
                             [&](std::string_view text) { target.file->write(text); });
  }
}

bool ResultFiles::commit(const report::Outcome& outcome) {
  bool all = true;
  for (Target& target : files_) {
    const std::string& format = target.request.format;
    if (format == "json" && items_ > 1) {
      if (target.results == 0) begin_item(target);
      target.file->write("]}\n");
    }
    write_outcome(format, outcome, *target.file);
    if (format == "html" && target.results == 0) {
      report::write_html(report::page_of(outcome),
                         [&](std::string_view text) { target.file->write(text); });
    }
    all = target.file->commit(content_of(format)) && all;
  }
  return all;
}

}  // namespace tenure::cli

// The files that -w asks for, filled result by result: nothing but short summaries is kept until
// the end.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <tenure/explore/verdict.hpp>
#include <tenure/report/outcome.hpp>
#include <tenure/report/sweep.hpp>

#include "app.hpp"
#include "making.hpp"
#include "output.hpp"

namespace tenure::cli {

// The formats that a result can be written in.
const std::vector<std::string>& result_formats();

// Whether a file was asked for on the standard output, so that nothing else belongs there.
bool stdout_is_taken(const std::vector<WriteRequest>& writes);

// False: a chart of several results is asked for, which was printed.
bool charts_are_of_one(const std::vector<WriteRequest>& writes, std::size_t items);

// Of input that cannot be used, the files that tell what is wrong: junit, github and md.
ExitCode write_bad_input(const std::vector<WriteRequest>& writes, const report::Outcome& outcome);

class ResultFiles {
 public:
  // `items`: how many results are to come; several go into one list.
  ResultFiles(const std::vector<WriteRequest>& writes, std::size_t items);

  // Before hours are spent on what cannot be kept; where not, that is printed.
  bool can_write();

  void add(const Made& made, const CommonFlags& common);
  void add(const explore::ExploreResult& result);
  void add(const run::SweepResult& result, const scenario::SweepInput& input);

  // Completes the files; false: one of them could not be, which was printed.
  bool commit(const report::Outcome& outcome);

 private:
  struct Target {
    WriteRequest request;
    std::unique_ptr<OutputFile> file;
    std::size_t results = 0;  // written to it
  };

  void begin_item(Target& target);

  std::vector<Target> files_;
  std::size_t items_;
};

}  // namespace tenure::cli

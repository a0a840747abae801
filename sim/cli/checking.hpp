// What `check` checks, document by document: what is loaded can be checked, and comes to one line.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tenure/report/outcome.hpp>

#include "app.hpp"
#include "results.hpp"

namespace tenure::cli {

struct CheckFlags {
  std::vector<std::string> arguments;
  bool twice = false;
  bool fail_fast = false;
  std::string inconclusive;
};

// What a check works with.
struct Checking {
  const CheckFlags& flags;
  const CommonFlags& common;
  ResultFiles& files;
  std::string position;  // "3/17", for the progress
};

// The line of a check, and what the command ends with for its sake.
struct Checked {
  report::Suite suite;
  ExitCode code = ExitCode::ok;
  bool interrupted = false;
};

struct Checkable {
  std::string file;
  std::string name;   // of the document
  std::string label;  // of the line
  std::function<Checked(const Checking&)> check;
};

// All that there is to check in a document, which is loaded completely: whatever is wrong with it
// is reported here, and nothing is left to find when others have been run already.
std::vector<Checkable> checkables_of(const std::string& file,
                                     scenario::Document document,
                                     const CommonFlags& flags,
                                     Diagnostics& diagnostics);

}  // namespace tenure::cli

// A scenario made into a result, for every command that runs scenarios.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include <tenure/run/campaign.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/run.hpp>

#include "app.hpp"

namespace tenure::cli {

struct Making {
  bool twice = false;         // make every run twice and compare
  bool fail_fast = false;     // end at the first violation
  std::string progress_name;  // what is shown meanwhile; empty: the name of the scenario
  std::string
      replay;  // the command that makes a run again, but for its flags; empty: from the file
};

struct Made {
  run::Experiment experiment;
  run::RunResult result;
  std::string cost;  // in time; differs from run to run
};

// Why there is no result, which was printed, and what the command ends with.
struct NotMade {
  ExitCode code = ExitCode::ok;
  std::string why;
};

std::variant<Made, NotMade> made_of(const Loaded& loaded,
                                    const Making& making,
                                    const CommonFlags& common);

}  // namespace tenure::cli

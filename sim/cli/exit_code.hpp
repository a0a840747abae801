// The exit codes (interface 3.2): stable, documented, tested.
#pragma once

#include <tenure/run/result.hpp>

namespace tenure::cli {

enum class ExitCode : int {
  ok = 0,
  failed = 1,         // a property was violated, a threshold failed
  bad_input = 2,      // bad usage or bad input; nothing was simulated
  inconclusive = 3,   // too few runs, or what was asked about did not happen
  no_output = 4,      // an output could not be written
  bug = 70,           // of tenure
  interrupted = 130,  // SIGINT
  terminated = 143,   // SIGTERM
};

// How bad each is: when several apply, the worst counts. 70 > 4 > 2 > 1 > 3 > 0.
constexpr int rank(ExitCode code) {
  switch (code) {
    case ExitCode::ok:
      return 0;
    case ExitCode::inconclusive:
      return 1;
    case ExitCode::failed:
      return 2;
    case ExitCode::bad_input:
      return 3;
    case ExitCode::interrupted:
    case ExitCode::terminated:
      return 4;
    case ExitCode::no_output:
      return 5;
    case ExitCode::bug:
      return 6;
  }
  return 6;
}

constexpr ExitCode worse(ExitCode a, ExitCode b) {
  return rank(a) < rank(b) ? b : a;
}

// What `--inconclusive` makes of an undecided result.
enum class Undecided : std::uint8_t { as_it_is, pass, fail };

constexpr ExitCode exit_code(run::Verdict verdict, Undecided undecided) {
  switch (verdict) {
    case run::Verdict::pass:
      return ExitCode::ok;
    case run::Verdict::fail:
      return ExitCode::failed;
    case run::Verdict::inconclusive:
      return undecided == Undecided::pass   ? ExitCode::ok
             : undecided == Undecided::fail ? ExitCode::failed
                                            : ExitCode::inconclusive;
  }
  return ExitCode::bug;
}

}  // namespace tenure::cli

// The command line: flags that every verb understands, and what a verb is.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <tenure/base/diagnostics.hpp>
#include <tenure/scenario/document.hpp>
#include <tenure/scenario/scenario.hpp>

#include "exit_code.hpp"

namespace tenure::cli {

enum class ColourFlag : std::uint8_t { automatic, always, never };
enum class ProgressFlag : std::uint8_t { automatic, bar, plain, none };

struct CommonFlags {
  std::string output = "text";      // -o
  std::vector<std::string> writes;  // -w FORMAT=PATH
  bool quiet = false;
  int verbose = 0;
  std::string colour = "auto";
  std::string progress = "auto";
  std::vector<std::string> sets;  // --set PATH=VALUE
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> runs;
  unsigned jobs = 0;  // 0: all cores
  std::string annotations = "auto";
};

// What a verb has to work with.
struct Session {
  CommonFlags flags;
  std::function<ExitCode()> chosen;  // set by the verb that was parsed
};

// Each declares its flags at `app` and sets `session.chosen` when it is named.
void add_run(CLI::App& app, Session& session);
void add_replay(CLI::App& app, Session& session);

// The flags of interface 3.1 on a verb.
void add_common_flags(CLI::App& verb, Session& session);

// ---- diagnostics

// To stderr; all of them, at most 20 errors of a file, and a closing line when there was one.
void print(const Diagnostics& diagnostics, const CommonFlags& flags);
void print(const Diagnostic& diagnostic, const CommonFlags& flags);

// A mistake on the command line itself.
ExitCode usage_error(std::string code, std::string text, std::vector<std::string> hints = {});

// ---- scenarios

struct Loaded {
  std::string file;
  scenario::Document document;
  scenario::Scenario scenario;
  std::vector<Diagnostic> warnings;  // of the loader
};

// Every scenario of a file, with --set, --seed and --runs applied. Nothing: something in it is
// wrong, and was printed.
std::optional<std::vector<Loaded>> load_scenarios(const std::string& file,
                                                  const CommonFlags& flags);

// ---- signals

// Set by SIGINT and SIGTERM; a second SIGINT ends the program.
extern std::atomic<bool> stop_requested;
ExitCode interruption();

// Runs the program.
int run(int argc, char** argv);

}  // namespace tenure::cli

// The command line: flags that every verb understands, and what a verb is.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include <tenure/base/diagnostics.hpp>
#include <tenure/base/text.hpp>
#include <tenure/run/run.hpp>
#include <tenure/scenario/bounds.hpp>
#include <tenure/scenario/document.hpp>
#include <tenure/scenario/preset.hpp>
#include <tenure/scenario/scenario.hpp>

#include "exit_code.hpp"

namespace tenure::report {
struct Outcome;
}

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
  std::string chart;  // --chart; empty: the usual one of the command
  // What the command came to, for annotations at its end: diagnostics are added as they are
  // printed.
  std::shared_ptr<report::Outcome> outcome;
};

// What a verb has to work with.
struct Session {
  CommonFlags flags;
  std::function<ExitCode()> chosen;  // set by the verb that was parsed
};

// Each declares its flags at `app` and sets `session.chosen` when it is named.
void add_advise(CLI::App& app, Session& session);
void add_bounds(CLI::App& app, Session& session);
void add_check(CLI::App& app, Session& session);
void add_compare(CLI::App& app, Session& session);
void add_explore(CLI::App& app, Session& session);
void add_explain(CLI::App& app, Session& session);
void add_fmt(CLI::App& app, Session& session);
void add_init(CLI::App& app, Session& session);
void add_list(CLI::App& app, Session& session);
void add_merge(CLI::App& app, Session& session);
void add_replay(CLI::App& app, Session& session);
void add_run(CLI::App& app, Session& session);
void add_schema(CLI::App& app, Session& session);
void add_sweep(CLI::App& app, Session& session);

// The flags of interface 3.1 on a verb; `forms` are those of -o.
void add_common_flags(CLI::App& verb,
                      Session& session,
                      const std::vector<std::string_view>& forms = {"text", "json"});

// Prints what a verb without a simulation found: the text, or with -o json the JSON, to stdout, and
// the JSON to the files of -w.
ExitCode deliver(const CommonFlags& flags,
                 const std::string& text,
                 const nlohmann::ordered_json& json);

// How many threads to use.
unsigned threads_of(const CommonFlags& flags);

// What `--inconclusive` says, for the exit code and for files.
Undecided undecided_of(const std::string& flag);
run::Verdict verdict_of_undecided(const std::string& flag);

// A word as a shell takes it.
std::string shell_word(const std::string& word);

// ---- diagnostics

// To stderr; all of them, at most 20 errors of a file, and a closing line when there was one.
void print(const Diagnostics& diagnostics, const CommonFlags& flags);
void print(const Diagnostic& diagnostic, const CommonFlags& flags);

// A mistake on the command line itself.
ExitCode usage_error(std::string code, std::string text, std::vector<std::string> hints = {});

// The same for what the parser of the command line threw.
ExitCode usage_error_of(CLI::App& app, const CLI::ParseError& error);

// "; did you mean \"pause\"?", or nothing.
std::string suggestion(std::string_view written,
                       std::span<const std::string_view> names,
                       std::span<const Alias> aliases = {});

// Values of flags: checked while the command line is read, with the messages of scenario files.
CLI::Validator one_of(std::vector<std::string_view> words);
CLI::Validator whole_number(std::int64_t least, std::int64_t most);
CLI::Validator duration_value(std::initializer_list<std::string_view> or_words = {});

// The preset of that name; null: there is none, which was printed.
const scenario::Preset* preset_of(const std::string& name);
// The starter scenario of `init` and of `run --preset`; nothing: there is none, which was printed.
std::optional<std::string> starter_text(const std::string& preset, const std::string& fault);
// Whether it is a modelled type of fault; if not, that was printed.
bool is_fault_type(const std::string& name);

// ---- scenarios

struct Loaded {
  std::string file;
  scenario::Document document;
  scenario::Scenario scenario;
  std::vector<Diagnostic> warnings;  // of the loader
};

// The file for whoever looks for it; empty: it is in none, but the standard input or a preset.
std::string file_of(const Loaded& loaded);

// What a verb does with a result file, which embeds its scenario.
enum class Results : std::uint8_t { refused, unpacked };

// One document of a file as a scenario, with --set, --seed and --runs applied. Nothing: something
// in it is wrong, which is reported.
std::optional<Loaded> loaded_from(const std::string& file,
                                  scenario::Document document,
                                  std::string_view verb,
                                  const CommonFlags& flags,
                                  Diagnostics& diagnostics,
                                  Results results = Results::refused);

// Every scenario of a file, with --set, --seed and --runs applied. Nothing: something in it is
// wrong, and was printed. `verb` is for the messages.
std::optional<std::vector<Loaded>> load_scenarios(const std::string& file,
                                                  std::string_view verb,
                                                  const CommonFlags& flags,
                                                  Results results = Results::refused);

// The same for a text that is in no file.
std::optional<std::vector<Loaded>> load_text(std::string name,
                                             std::string text,
                                             std::string_view verb,
                                             const CommonFlags& flags);

// The durations of the client-go candidates of a scenario file, or of a preset, and what else
// closed forms need; one of the two is given. Nothing: there are none, which was printed.
std::optional<scenario::BoundsInput> numbers_of(const std::string& file,
                                                const std::string& preset,
                                                std::string_view verb,
                                                const CommonFlags& common);

// Whether it can be run as it is: no fault happens `at: any`; if one does, that was printed.
bool can_be_run(const Loaded& loaded, const CommonFlags& flags);

// Prints which answer of the scenario's script its run did not follow.
ExitCode report_misfit(const Loaded& loaded, const run::Misfit& misfit, const CommonFlags& flags);

// ---- signals

// Set by SIGINT and SIGTERM; a second SIGINT ends the program.
extern std::atomic<bool> stop_requested;
ExitCode interruption();

// Runs the program.
int run(int argc, char** argv);

}  // namespace tenure::cli

#include "app.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <tenure/base/text.hpp>
#include <tenure/report/outcome.hpp>
#include <tenure/run/result.hpp>

#include "annotations.hpp"
#include "output.hpp"
#include "words.hpp"

namespace tenure::cli {

std::atomic<bool> stop_requested{false};

namespace {

std::atomic<int> signal_seen{0};

extern "C" void on_signal(int signal) {
  if (signal_seen.exchange(signal) == SIGINT && signal == SIGINT) std::_Exit(130);
  stop_requested.store(true);
}

void listen_to_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A reader that went away is an output that cannot be written: an error code, not a silent death.
  std::signal(SIGPIPE, SIG_IGN);
}

bool wants_colour(const CommonFlags& flags, int fd) {
  if (flags.colour == "always") return true;
  if (flags.colour == "never") return false;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal != nullptr && std::string_view{terminal} == "dumb";
  return isatty(fd) != 0 && !is_dumb && (no_colour == nullptr || *no_colour == '\0');
}

constexpr std::int64_t most_runs = 1'000'000'000;
constexpr std::int64_t most_jobs = 1024;
const std::vector<std::string_view> colour_words{"auto", "always", "never"};
const std::vector<std::string_view> progress_words{"auto", "bar", "plain", "none"};
const std::vector<std::string_view> annotation_words{"auto", "github", "none"};

// A flag's default from the environment, under the rules of the flag itself.
bool read_variable(const char* name, const CLI::Validator& rule, std::string& out) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return true;
  std::string text = value;
  if (const std::string problem = rule(text); !problem.empty()) {
    usage_error("E0004", fmt::format("the environment variable {}: {}", name, problem));
    return false;
  }
  out = text;
  return true;
}

bool read_environment(CommonFlags& flags) {
  std::string jobs;
  if (!read_variable("TENURE_COLOR", one_of(colour_words), flags.colour)) return false;
  if (!read_variable("TENURE_PROGRESS", one_of(progress_words), flags.progress)) return false;
  if (!read_variable("TENURE_JOBS", whole_number(1, most_jobs), jobs)) return false;
  if (!jobs.empty()) flags.jobs = static_cast<unsigned>(*parse_whole(jobs));
  return true;
}

}  // namespace

ExitCode interruption() {
  return signal_seen.load() == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
}

void print(const Diagnostic& diagnostic, const CommonFlags& flags) {
  flags.outcome->diagnostics.push_back(diagnostic);
  if (flags.quiet && diagnostic.level == Diagnostic::Level::warning) return;
  std::fputs(rendered(diagnostic).c_str(), stderr);
}

void print(const Diagnostics& diagnostics, const CommonFlags& flags) {
  Diagnostics shown;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    flags.outcome->diagnostics.push_back(diagnostic);
    if (!flags.quiet || diagnostic.level == Diagnostic::Level::error) shown.add(diagnostic);
  }
  std::fputs(rendered(shown).c_str(), stderr);
}

void add_common_flags(CLI::App& verb,
                      Session& session,
                      const std::vector<std::string_view>& forms) {
  CommonFlags& flags = session.flags;
  constexpr const char* group = common_group;
  verb.add_option("-o,--output", flags.output,
                  fmt::format("form of what goes to stdout: {}", fmt::join(forms, ", ")))
      ->check(one_of(forms))
      ->group(group);
  verb.add_option("-w,--write", flags.writes,
                  "FORMAT=PATH: write a file too (json, jsonl, junit, github, md, csv, html, svg); "
                  "repeatable")
      ->type_name("FORMAT=PATH")
      ->allow_extra_args(false)
      ->group(group);
  verb.add_flag("-q,--quiet", flags.quiet, "less on stderr")->group(group);
  verb.add_flag("-v,--verbose", flags.verbose, "more on stderr")->group(group);
  verb.add_option("--color", flags.colour, "auto, always, never")
      ->check(one_of(colour_words))
      ->group(group);
  verb.add_option("--progress", flags.progress, "auto, bar, plain, none")
      ->check(one_of(progress_words))
      ->group(group);
  verb.add_option(
          "--annotations", flags.annotations,
          "auto, github, none: workflow commands, and a summary of the step; auto is github "
          "when GITHUB_ACTIONS is true")
      ->check(one_of(annotation_words))
      ->group(group);
  verb.add_option("--set", flags.sets,
                  "override a field, as in spec.candidates.0.elector.retryPeriod=4s; repeatable")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false)
      ->group(group);
  verb.add_option("--seed", flags.seed, "override the seed")
      ->transform(whole_number(0, std::numeric_limits<std::int64_t>::max()))
      ->type_name("N")
      ->group(group);
  verb.add_option("--runs", flags.runs, "override the number of runs")
      ->transform(whole_number(1, most_runs))
      ->type_name("N")
      ->group(group);
  verb.add_option("-j,--jobs", flags.jobs, "worker threads; never changes a result")
      ->transform(whole_number(1, most_jobs))
      ->type_name("N")
      ->group(group);
}

unsigned threads_of(const CommonFlags& flags) {
  if (flags.jobs != 0) return flags.jobs;
  return std::max(1U, std::thread::hardware_concurrency());
}

Undecided undecided_of(const std::string& flag) {
  if (flag == "pass") return Undecided::pass;
  return flag == "fail" ? Undecided::fail : Undecided::as_it_is;
}

run::Verdict verdict_of_undecided(const std::string& flag) {
  if (flag == "pass") return run::Verdict::pass;
  return flag == "fail" ? run::Verdict::fail : run::Verdict::inconclusive;
}

std::string file_of(const Loaded& loaded) {
  return loaded.file == "-" || loaded.file == "<preset>" ? std::string{} : loaded.file;
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.,:/=@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return visible(quoted + "'");
}

bool colour_on(const CommonFlags& flags, int fd) {
  return wants_colour(flags, fd);
}

ExitCode deliver(const CommonFlags& flags,
                 const std::string& text,
                 const nlohmann::ordered_json& json) {
  const auto writes = write_requests(flags, {"json"});
  if (!writes) return ExitCode::bad_input;
  const std::string json_text = json.dump(2) + "\n";
  bool to_stdout = true;
  ExitCode code = ExitCode::ok;
  for (const WriteRequest& request : *writes) {
    to_stdout = to_stdout && request.path != "-";
    OutputFile file{request.path};
    file.write(json_text);
    if (!file.commit("the answer as JSON")) code = ExitCode::no_output;
  }
  if (to_stdout) std::fputs((flags.output == "json" ? json_text : text).c_str(), stdout);
  return code;
}

namespace {

// Documents that are read by another command; the place of `kind` is where to say so.
bool is_of_kind(const scenario::Document& document,
                std::string_view verb,
                Diagnostics& diagnostics) {
  const std::string kind = scenario::kind_of(document);
  const std::string file = visible(document.source->name());
  std::string hint;
  if (kind == "Sweep") hint = fmt::format("run it: tenure sweep {}", file);
  if (kind == "RunResult") hint = fmt::format("a run of it again: tenure replay {}", file);
  if (kind == "Shard") hint = fmt::format("join it with the others: tenure merge {} ...", file);
  if (kind == "ResultList" || kind == "SweepResult")
    hint = fmt::format("compare it with another: tenure compare {} ...", file);
  if (hint.empty()) return true;
  Diagnostic diagnostic = document.source->diagnostic(
      Diagnostic::Level::error, "E0006", document.root->find("kind")->value->where,
      fmt::format("{} works on scenarios, and this is a {}", verb, kind));
  diagnostic.hints.push_back(std::move(hint));
  diagnostics.add(std::move(diagnostic));
  return false;
}

// The scenarios of a file; what is wrong is printed, once for all of it.
std::optional<std::vector<Loaded>> all_loaded_from(const std::string& file,
                                                   std::vector<scenario::Document> documents,
                                                   Diagnostics& diagnostics,
                                                   std::string_view verb,
                                                   const CommonFlags& flags,
                                                   Results results) {
  std::vector<Loaded> all;
  for (scenario::Document& document : documents) {
    auto loaded = loaded_from(file, std::move(document), verb, flags, diagnostics, results);
    if (loaded) all.push_back(std::move(*loaded));
  }
  print(diagnostics, flags);
  if (diagnostics.errors() != 0) return std::nullopt;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (!all.empty()) all.front().warnings.push_back(diagnostic);
  }
  return all;
}

}  // namespace

std::optional<Loaded> loaded_from(const std::string& file,
                                  scenario::Document document,
                                  std::string_view verb,
                                  const CommonFlags& flags,
                                  Diagnostics& diagnostics,
                                  Results results) {
  std::vector<std::string> sets = flags.sets;
  if (flags.seed) sets.push_back(fmt::format("spec.seed={}", *flags.seed));
  if (flags.runs) sets.push_back(fmt::format("spec.runs={}", *flags.runs));
  if (results == Results::unpacked && scenario::kind_of(document) == "RunResult") {
    if (const scenario::Entry* embedded = document.root->find("scenario"))
      document.root = embedded->value;
  }
  if (!is_of_kind(document, verb, diagnostics)) return std::nullopt;
  bool applied = true;
  for (const std::string& set : sets)
    applied = scenario::apply_override(document, set, diagnostics) && applied;
  if (!applied) return std::nullopt;
  auto scenario = scenario::decode(document, diagnostics);
  if (!scenario) return std::nullopt;
  return Loaded{file, std::move(document), std::move(*scenario), {}};
}

std::optional<std::vector<Loaded>> load_scenarios(const std::string& file,
                                                  std::string_view verb,
                                                  const CommonFlags& flags,
                                                  Results results) {
  Diagnostics diagnostics;
  auto documents = scenario::load_documents(file, diagnostics);
  return all_loaded_from(file, std::move(documents), diagnostics, verb, flags, results);
}

std::optional<std::vector<Loaded>> load_text(std::string name,
                                             std::string text,
                                             std::string_view verb,
                                             const CommonFlags& flags) {
  Diagnostics diagnostics;
  auto documents =
      scenario::parse_documents(name, std::move(text), scenario::Format::yaml, diagnostics);
  return all_loaded_from(name, std::move(documents), diagnostics, verb, flags, Results::refused);
}

bool can_be_run(const Loaded& loaded, const CommonFlags& flags) {
  Diagnostics diagnostics;
  scenario::refuse_any_instant(loaded.document, loaded.scenario, diagnostics);
  print(diagnostics, flags);
  return diagnostics.errors() == 0;
}

ExitCode report_misfit(const Loaded& loaded, const run::Misfit& misfit, const CommonFlags& flags) {
  Diagnostics diagnostics;
  scenario::report_misfit(loaded.document, loaded.scenario, misfit.answer, misfit.bound,
                          diagnostics);
  // One by one: something was run, and the closing line of all says otherwise.
  for (const Diagnostic& diagnostic : diagnostics.all()) print(diagnostic, flags);
  return ExitCode::bad_input;
}

namespace {

// What a program that printed ends with: what is still to be written may not be.
ExitCode flushed(ExitCode code) {
  std::cout.flush();  // CLI11 prints helps and versions there
  if (std::cout.good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  usage_error("E0502",
              "the standard output could not be written; what was printed there is incomplete");
  return worse(code, ExitCode::no_output);
}

}  // namespace

int run(int argc, char** argv) {
  listen_to_signals();
  CLI::App app{"tenure: what your leader election does when things fail, simulated", "tenure"};
  Session session;
  session.flags.outcome = std::make_shared<report::Outcome>();
  if (!read_environment(session.flags)) return static_cast<int>(ExitCode::bad_input);
  app.set_version_flag(
      "--version", fmt::format("tenure {} (scenario schema tenure/v1alpha1)", run::tenure_version));
  app.set_help_all_flag("--help-all", "help of all commands");
  app.require_subcommand(1);
  add_init(app, session);
  add_run(app, session);
  add_check(app, session);
  add_sweep(app, session);
  add_merge(app, session);
  add_replay(app, session);
  add_explore(app, session);
  add_compare(app, session);
  add_bounds(app, session);
  add_advise(app, session);
  add_fmt(app, session);
  add_explain(app, session);
  add_list(app, session);
  add_schema(app, session);
  add_completion(app, session);
  add_man(app, session);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    app.exit(asked);
    return static_cast<int>(flushed(ExitCode::ok));
  } catch (const CLI::ParseError& error) {
    return static_cast<int>(usage_error_of(app, error));
  }
  ExitCode code = session.chosen();
  code = worse(code, annotate(session.flags));
  return static_cast<int>(flushed(code));
}

}  // namespace tenure::cli

#include "app.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <tenure/base/text.hpp>
#include <tenure/run/result.hpp>

#include "output.hpp"

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

constexpr std::array<std::string_view, 18> all_verbs = {
    "init",    "run",    "sweep",  "check",  "explore", "audit", "replay", "report", "merge",
    "compare", "bounds", "advise", "import", "explain", "list",  "schema", "fmt",    "completion"};

bool is_verb(const CLI::App& app, std::string_view name) {
  const std::vector<const CLI::App*> verbs = app.get_subcommands({});
  return std::any_of(verbs.begin(), verbs.end(),
                     [&](const CLI::App* verb) { return verb->get_name() == name; });
}

ExitCode unknown_verb(const CLI::App& app, const std::string& written) {
  if (std::find(all_verbs.begin(), all_verbs.end(), written) != all_verbs.end() &&
      !is_verb(app, written)) {
    return usage_error("E0007", fmt::format("\"{}\" is not part of this version", written),
                       {"what is: tenure --help"});
  }
  std::string text = fmt::format("unknown command {}", tenure::quoted(written));
  if (const auto meant = did_you_mean(written, all_verbs))
    text += fmt::format("; did you mean \"{}\"?", *meant);
  return usage_error("E0001", text, {"all commands: tenure --help"});
}

// CLI11's exceptions, as diagnostics of our own.
ExitCode usage_error_of(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.empty() || word.front() == '-') continue;
    if (!is_verb(app, word)) return unknown_verb(app, word);
    break;
  }
  const std::string text = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    return usage_error("E0005", text, {"tenure --help"});
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return usage_error("E0002", text, {"the flags of a command: tenure COMMAND --help"});
  }
  return usage_error("E0004", text, {"the flags of a command: tenure COMMAND --help"});
}

bool wants_colour(const CommonFlags& flags, int fd) {
  if (flags.colour == "always") return true;
  if (flags.colour == "never") return false;
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(fd) != 0 && (no_colour == nullptr || *no_colour == '\0');
}

std::string environment(const char* name, std::string otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? std::move(otherwise) : value;
}

}  // namespace

ExitCode interruption() {
  return signal_seen.load() == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
}

ExitCode usage_error(std::string code, std::string text, std::vector<std::string> hints) {
  Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.text = std::move(text);
  diagnostic.hints = std::move(hints);
  std::fputs(rendered(diagnostic).c_str(), stderr);
  return ExitCode::bad_input;
}

void print(const Diagnostic& diagnostic, const CommonFlags& flags) {
  if (flags.quiet && diagnostic.level == Diagnostic::Level::warning) return;
  std::fputs(rendered(diagnostic).c_str(), stderr);
}

void print(const Diagnostics& diagnostics, const CommonFlags& flags) {
  constexpr std::size_t most = 20;
  std::size_t errors = 0;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.level == Diagnostic::Level::error && ++errors > most) continue;
    print(diagnostic, flags);
  }
  if (errors == 0) return;
  const auto first =
      std::find_if(diagnostics.all().begin(), diagnostics.all().end(),
                   [](const Diagnostic& d) { return d.level == Diagnostic::Level::error; });
  if (errors > most) fmt::print(stderr, "... and {} more\n", errors - most);
  if (first->file.empty()) return;
  fmt::print(stderr, "\n{} error{} in {}; nothing was run. More: tenure explain {}\n", errors,
             errors == 1 ? "" : "s", visible(first->file), first->code);
}

void add_common_flags(CLI::App& verb, Session& session) {
  CommonFlags& flags = session.flags;
  verb.add_option("-o,--output", flags.output, "form of what goes to stdout: text, json")
      ->check(CLI::IsMember({"text", "json"}));
  verb.add_option("-w,--write", flags.writes,
                  "FORMAT=PATH: write a file too (json, jsonl); repeatable");
  verb.add_flag("-q,--quiet", flags.quiet, "less on stderr");
  verb.add_flag("-v,--verbose", flags.verbose, "more on stderr");
  verb.add_option("--color", flags.colour, "auto, always, never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  verb.add_option("--progress", flags.progress, "auto, bar, plain, none")
      ->check(CLI::IsMember({"auto", "bar", "plain", "none"}));
  verb.add_option("--set", flags.sets, "PATH=VALUE: override a field; repeatable");
  verb.add_option("--seed", flags.seed, "override the seed");
  verb.add_option("--runs", flags.runs, "override the number of runs");
  verb.add_option("-j,--jobs", flags.jobs, "worker threads; never changes a result");
}

bool colour_on(const CommonFlags& flags, int fd) {
  return wants_colour(flags, fd);
}

std::optional<std::vector<Loaded>> load_scenarios(const std::string& file,
                                                  const CommonFlags& flags) {
  Diagnostics diagnostics;
  std::vector<scenario::Document> documents = scenario::load_documents(file, diagnostics);
  std::vector<Loaded> loaded;
  for (scenario::Document& document : documents) {
    std::vector<std::string> sets = flags.sets;
    if (flags.seed) sets.push_back(fmt::format("spec.seed={}", *flags.seed));
    if (flags.runs) sets.push_back(fmt::format("spec.runs={}", *flags.runs));
    bool applied = true;
    for (const std::string& set : sets)
      applied = scenario::apply_override(document, set, diagnostics) && applied;
    if (!applied) continue;
    auto scenario = scenario::decode(document, diagnostics);
    if (!scenario) continue;
    loaded.push_back({file, std::move(document), std::move(*scenario), {}});
  }
  print(diagnostics, flags);
  if (diagnostics.errors() != 0) return std::nullopt;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (!loaded.empty()) loaded.front().warnings.push_back(diagnostic);
  }
  return loaded;
}

int run(int argc, char** argv) {
  listen_to_signals();
  CLI::App app{"tenure: what your leader election does when things fail, simulated", "tenure"};
  Session session;
  session.flags.colour = environment("TENURE_COLOR", session.flags.colour);
  session.flags.progress = environment("TENURE_PROGRESS", session.flags.progress);
  app.set_version_flag(
      "--version", fmt::format("tenure {} (scenario schema tenure/v1alpha1)", run::tenure_version));
  app.set_help_all_flag("--help-all", "help of all commands");
  app.require_subcommand(1);
  add_run(app, session);
  add_replay(app, session);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    return static_cast<int>(usage_error_of(app, error, argc, argv));
  }
  ExitCode code = session.chosen();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    usage_error("E0502",
                "the standard output could not be written; what was printed there is incomplete");
    code = worse(code, ExitCode::no_output);
  }
  return static_cast<int>(code);
}

}  // namespace tenure::cli

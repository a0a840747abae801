// What is told to somebody whose command line cannot be understood.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tenure/base/text.hpp>
#include <tenure/scenario/names.hpp>
#include <tenure/scenario/reader.hpp>

#include "app.hpp"

namespace tenure::cli {
namespace {

// All commands of the interface; some are of later versions.
constexpr std::array<std::string_view, 19> all_verbs = {
    "init",   "run",    "sweep",   "check",      "explore", "audit",  "replay",
    "report", "merge",  "compare", "bounds",     "advise",  "import", "explain",
    "list",   "schema", "fmt",     "completion", "man"};

ExitCode unknown_verb(const std::string& written) {
  if (std::find(all_verbs.begin(), all_verbs.end(), written) != all_verbs.end()) {
    return usage_error("E0007", fmt::format("\"{}\" is not part of this version", written),
                       {"what is: tenure --help"});
  }
  return usage_error(
      "E0001",
      fmt::format("unknown command {}{}", tenure::quoted(written), suggestion(written, all_verbs)),
      {"all commands: tenure --help"});
}

std::vector<std::string> flag_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// "run --help" of the command that was named, or "--help".
std::string help_of(const CLI::App& app, const CLI::App& verb) {
  return &app == &verb ? "tenure --help" : fmt::format("tenure {} --help", verb.get_name());
}

ExitCode unknown_flag(const CLI::App& app, const CLI::App& verb, const std::string& written) {
  const std::string flag = written.substr(0, written.find('='));
  const std::vector<std::string> names = flag_names(verb);
  const std::vector<std::string_view> words{names.begin(), names.end()};
  const std::string owner = &app == &verb ? "tenure" : "tenure " + verb.get_name();
  return usage_error(
      "E0002",
      fmt::format("{} has no flag {}{}", owner, tenure::quoted(flag), suggestion(flag, words)),
      {fmt::format("its flags: {}", help_of(app, verb))});
}

// CLI11 puts the name of the option before everything it says.
std::pair<std::string, std::string> name_and_text(const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::size_t end = text.find_first_of(": ");
  if (end == std::string::npos) return {text, {}};
  const std::size_t begin = text.find_first_not_of(": ", end);
  return {text.substr(0, end), begin == std::string::npos ? std::string{} : text.substr(begin)};
}

bool is_flag(const std::string& word) {
  return word.size() > 1 && word.front() == '-';
}

}  // namespace

ExitCode usage_error(std::string code, std::string text, std::vector<std::string> hints) {
  Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.text = std::move(text);
  diagnostic.hints = std::move(hints);
  std::fputs(rendered(diagnostic).c_str(), stderr);
  return ExitCode::bad_input;
}

std::string suggestion(std::string_view written,
                       std::span<const std::string_view> names,
                       std::span<const Alias> aliases) {
  const auto meant = did_you_mean(written, names, aliases);
  return meant ? fmt::format("; did you mean \"{}\"?", *meant) : std::string{};
}

ExitCode usage_error_of(CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> verbs = app.get_subcommands();
  CLI::App& verb = verbs.empty() ? app : *verbs.front();
  std::vector<std::string> extras = app.remaining(true);
  // An unknown word spoils what comes after it, so it is told first.
  if (verbs.empty() && !extras.empty() && !is_flag(extras.front()))
    return unknown_verb(extras.front());
  for (const std::string& word : extras) {
    if (is_flag(word)) return unknown_flag(app, verb, word);
  }
  if (!extras.empty()) {
    return usage_error(
        "E0002",
        fmt::format("tenure {} does not take {}", verb.get_name(), tenure::quoted(extras.front())),
        {fmt::format("its arguments: {}", help_of(app, verb))});
  }
  const auto [name, text] = name_and_text(error);
  const std::vector<std::string> help{help_of(app, verb)};
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    return verbs.empty() ? usage_error("E0005", "a command is missing", help)
                         : usage_error("E0005", fmt::format("{} is missing", name), help);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const bool none = text.find("missing") != std::string::npos;
    return none ? usage_error("E0005", fmt::format("{} needs a value", name), help)
                : usage_error("E0004", fmt::format("{} is given more than once", name), help);
  }
  return usage_error("E0004", text.empty() ? name : fmt::format("{} {}", name, text), help);
}

// CLI11 has no place for the words, and shows the name of a check nowhere: it is read by
// completions.
CLI::Validator one_of(std::vector<std::string_view> words) {
  return CLI::Validator(
      [words](std::string& value) -> std::string {
        if (std::find(words.begin(), words.end(), value) != words.end()) return {};
        return fmt::format("{} is not one of {}{}", tenure::quoted(value), fmt::join(words, ", "),
                           suggestion(value, words));
      },
      "", fmt::format("{}", fmt::join(words, "|")));
}

// Numbers are rewritten, because CLI11 would read 010 as an octal one.
CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  return CLI::Validator(
      [least, most](std::string& value) -> std::string {
        const std::optional<std::int64_t> number = parse_whole(value);
        if (!number) return fmt::format("{} is not a whole number", tenure::quoted(value));
        if (*number < least || *number > most) {
          return fmt::format("{} is not between {} and {}", *number, least, most);
        }
        value = fmt::format("{}", *number);
        return {};
      },
      "");
}

CLI::Validator duration_value(std::initializer_list<std::string_view> or_words) {
  const std::vector<std::string_view> words{or_words};
  return CLI::Validator(
      [words](std::string& value) -> std::string {
        if (std::find(words.begin(), words.end(), value) != words.end()) return {};
        const ParsedDuration parsed = parse_duration(value);
        if (parsed.fault == ParsedDuration::Fault::too_long)
          return fmt::format("{} is longer than 292 years", tenure::quoted(value));
        if (parsed.fault == ParsedDuration::Fault::none) {
          return parsed.value < Duration{} ? fmt::format("{} is negative", tenure::quoted(value))
                                           : std::string{};
        }
        return fmt::format("{} is not a duration{}; {}", tenure::quoted(value),
                           words.empty() ? "" : fmt::format(" or {}", fmt::join(words, ", ")),
                           scenario::duration_hints(value, parsed).front());
      },
      "");
}

const scenario::Preset* preset_of(const std::string& name) {
  if (const scenario::Preset* preset = scenario::preset_named(name)) return preset;
  std::vector<std::string_view> names;
  for (const scenario::Preset& preset : scenario::presets()) names.push_back(preset.name);
  usage_error(
      "E0004",
      fmt::format("--preset {} is not a preset{}", tenure::quoted(name), suggestion(name, names)),
      {"all of them: tenure list presets"});
  return nullptr;
}

bool is_fault_type(const std::string& name) {
  const scenario::Name* known = scenario::find_name(scenario::faults(), name);
  if (known != nullptr && known->modelled) return true;
  if (known != nullptr) {
    usage_error("E0220", fmt::format("fault {} is not modelled in this version", name),
                {"those that are: tenure list faults"});
    return false;
  }
  const std::vector<std::string_view> names = scenario::words_of(scenario::faults());
  usage_error("E0004",
              fmt::format("--fault {} is not a fault type{}", tenure::quoted(name),
                          suggestion(name, names, scenario::fault_aliases())),
              {"all of them: tenure list faults"});
  return false;
}

}  // namespace tenure::cli

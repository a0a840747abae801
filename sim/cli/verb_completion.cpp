#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "output.hpp"
#include "words.hpp"

namespace tenure::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> all_names(const Command& command) {
  std::vector<std::string> names;
  for (const Flag& flag : command.flags)
    names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

std::vector<std::string> verbs_of(const std::vector<Command>& commands) {
  std::vector<std::string> verbs;
  for (const Command& command : commands) {
    if (!command.name.empty()) verbs.push_back(command.name);
  }
  return verbs;
}

// In single quotes, as all three shells read them.
std::string in_quotes(const std::string& text, std::string_view quote_inside) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string{quote_inside} : std::string{c};
  return out + "'";
}

// ---- bash

// The values of a flag; a file, where it takes any.
std::string bash_values(const Flag& flag) {
  if (flag.value.empty()) return {};
  const std::string reply =
      flag.words.empty() ? "files=yes" : fmt::format("words='{}'", joined(flag.words));
  return fmt::format("        {}) {} ;;\n", fmt::join(flag.names, "|"), reply);
}

std::string bash_command(const Command& command, const std::vector<std::string>& verbs) {
  std::string values;
  for (const Flag& flag : command.flags) values += bash_values(flag);
  std::string words;
  bool files = false;
  for (const Flag& argument : command.arguments) {
    words = joined(argument.words);
    files = argument.is_file;
  }
  if (command.name.empty()) words = joined(verbs);
  const std::string name = command.name.empty() ? "''" : command.name;
  return fmt::format(
      "    {})\n      flags='{}' words='{}' files={}\n      case $previous in\n{}      esac ;;\n",
      name, joined(all_names(command)), words, files ? "yes" : "no", values);
}

}  // namespace

std::string bash_completion(const std::vector<Command>& commands) {
  const std::vector<std::string> verbs = verbs_of(commands);
  std::string cases;
  for (const Command& command : commands) cases += bash_command(command, verbs);
  return "# Completion of tenure for bash: source <(tenure completion bash)\n"
         "_tenure() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb='' "
         "word\n"
         "  local flags words files\n"
         "  # --flag=value is three words here.\n"
         "  if [[ $current == = ]]; then current=''; "
         "elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
         "    case $word in\n" +
         fmt::format("      {}) verb=$word; break ;;\n", fmt::join(verbs, "|")) +
         "    esac\n"
         "  done\n"
         "  case $verb in\n" +
         cases +
         "  esac\n"
         "  if [[ $current == -* ]]; then words=$flags files=no; fi\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "  if [[ $files == yes ]]; then\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$current\")\n"
         "  fi\n"
         "}\n"
         "complete -F _tenure tenure\n";
}

// ---- zsh

namespace {

std::string escaped(const std::string& text, std::string_view marks) {
  std::string out;
  for (const char c : text) {
    if (marks.find(c) != marks.npos) out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_values(const Flag& flag) {
  if (flag.value.empty()) return {};
  const std::string action = !flag.words.empty() ? "(" + joined(flag.words) + ")"
                             : flag.is_file      ? "_files"
                                                 : " ";
  return fmt::format(":{}:{}", escaped(flag.value, ":"), action);
}

std::string zsh_flags(const Flag& flag) {
  std::string out;
  for (const std::string& name : flag.names) {
    const std::string spec =
        fmt::format("*{}[{}]{}", name, escaped(flag.meaning, "[]:"), zsh_values(flag));
    out += " \\\n        " + in_quotes(spec, "'\\''");
  }
  return out;
}

std::string zsh_command(const Command& command) {
  std::string out = fmt::format("    {})\n      _arguments", command.name);
  for (const Flag& flag : command.flags) out += zsh_flags(flag);
  for (const Flag& argument : command.arguments)
    out += " \\\n        " + in_quotes("*" + zsh_values(argument), "'\\''");
  return out + " ;;\n";
}

}  // namespace

std::string zsh_completion(const std::vector<Command>& commands) {
  std::string verbs;
  std::string cases;
  for (const Command& command : commands) {
    if (command.name.empty()) continue;
    verbs += fmt::format("    {}\n", in_quotes(command.name + ":" + command.meaning, "'\\''"));
    cases += zsh_command(command);
  }
  return "#compdef tenure\n"
         "# Completion of tenure for zsh: source <(tenure completion zsh), or a file _tenure in "
         "$fpath\n"
         "_tenure() {\n"
         "  local -a verbs=(\n" +
         verbs +
         "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe command verbs\n"
         "    return\n"
         "  fi\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $words[1] in\n" +
         cases +
         "  esac\n"
         "}\n"
         "if [[ $funcstack[1] == _tenure ]]; then _tenure \"$@\"; else compdef _tenure tenure; "
         "fi\n";
}

// ---- fish

namespace {

std::string fish_line(const std::string& condition, const std::string& rest) {
  return fmt::format("complete -c tenure -n {}{}\n", in_quotes(condition, "\\'"), rest);
}

std::string fish_flag(const std::string& condition, const Flag& flag) {
  std::string rest;
  for (const std::string& name : flag.names) {
    const bool is_long = name.compare(0, 2, "--") == 0;
    rest += is_long ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!flag.words.empty()) rest += " -x -a " + in_quotes(joined(flag.words), "\\'");
  if (flag.words.empty() && !flag.value.empty()) rest += flag.is_file ? " -r -F" : " -x";
  return fish_line(condition, rest + " -d " + in_quotes(flag.meaning, "\\'"));
}

std::string fish_command(const Command& command) {
  const std::string condition = command.name.empty()
                                    ? "__fish_use_subcommand"
                                    : "__fish_seen_subcommand_from " + command.name;
  std::string out;
  for (const Flag& flag : command.flags) out += fish_flag(condition, flag);
  for (const Flag& argument : command.arguments) {
    out += fish_line(condition, argument.is_file
                                    ? std::string{" -F"}
                                    : " -f -a " + in_quotes(joined(argument.words), "\\'"));
  }
  return out;
}

}  // namespace

std::string fish_completion(const std::vector<Command>& commands) {
  std::string out =
      "# Completion of tenure for fish: tenure completion fish | source\n"
      "complete -c tenure -f\n";
  for (const Command& command : commands) {
    if (!command.name.empty()) {
      out += fish_line("__fish_use_subcommand",
                       " -a " + command.name + " -d " + in_quotes(command.meaning, "\\'"));
    }
  }
  for (const Command& command : commands) out += fish_command(command);
  return out;
}

// ---- the verb

void add_completion(CLI::App& app, Session& session) {
  auto shell = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("completion", "completion of this command line for a shell");
  verb->add_option("SHELL", *shell, "bash, zsh, fish")
      ->type_name("")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
  verb->callback([shell, &app, &session] {
    session.chosen = [shell, &app] {
      const std::vector<Command> commands = commands_of(app);
      const std::string text = *shell == "bash"  ? bash_completion(commands)
                               : *shell == "zsh" ? zsh_completion(commands)
                                                 : fish_completion(commands);
      std::fputs(text.c_str(), stdout);
      return ExitCode::ok;
    };
  });
}

}  // namespace tenure::cli

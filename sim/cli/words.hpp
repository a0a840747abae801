// The command line as data, read from the table of the parser: what completions and the manual are
// made from, so that they cannot say anything else than --help.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app.hpp"

namespace tenure::cli {

// The group of the flags of interface 3.1.
inline constexpr const char* common_group = "Flags of every command";

struct Flag {
  std::vector<std::string> names;  // "-o", "--output"; empty: an argument
  std::string value;               // "FORMAT=PATH"; empty: it takes none
  std::string meaning;
  std::string group;
  std::vector<std::string> words;  // all that it takes; empty: anything
  bool is_file = false;
  bool is_required = false;
  bool may_repeat = false;
};

struct Command {
  std::string name;  // empty: the program itself
  std::string meaning;
  std::vector<Flag> flags;
  std::vector<Flag> arguments;
};

// The program's own flags, then each verb.
std::vector<Command> commands_of(const CLI::App& app);

std::string bash_completion(const std::vector<Command>& commands);
std::string zsh_completion(const std::vector<Command>& commands);
std::string fish_completion(const std::vector<Command>& commands);

// The manual page, for man(1).
std::string manual(const std::vector<Command>& commands);

void add_completion(CLI::App& app, Session& session);
void add_man(CLI::App& app, Session& session);

}  // namespace tenure::cli

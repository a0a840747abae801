#include "words.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenure/scenario/names.hpp>
#include <tenure/scenario/pages.hpp>
#include <tenure/scenario/preset.hpp>

namespace tenure::cli {
namespace {

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const scenario::Preset& preset : scenario::presets()) names.emplace_back(preset.name);
  return names;
}

std::vector<std::string> fault_names() {
  std::vector<std::string> names;
  for (const scenario::Name& fault : scenario::faults()) {
    if (fault.modelled) names.emplace_back(fault.name);
  }
  return names;
}

// Names of one word: a shell would have to quote the others.
std::vector<std::string> page_names() {
  std::vector<std::string> names;
  for (const std::string_view name : scenario::explained_names()) {
    if (name.find(' ') == name.npos) names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// Where the words of a flag or argument come from that has no closed list of its own.
struct Source {
  std::string_view name;
  std::vector<std::string> (*words)();
};

constexpr Source sources[] = {{"--preset", preset_names},
                              {"--fault", fault_names},
                              {"NAME", page_names}};

// `one_of` names its check after the words that it takes.
std::vector<std::string> words_of(const CLI::Option& option) {
  std::vector<std::string> words;
  std::string list;
  try {
    list = const_cast<CLI::Option&>(option).get_validator(0)->get_name();
  } catch (const CLI::OptionNotFound&) {
    return words;  // it has no check
  }
  while (!list.empty()) {
    const std::size_t end = std::min(list.find('|'), list.size());
    words.push_back(list.substr(0, end));
    list.erase(0, std::min(end + 1, list.size()));
  }
  return words;
}

// "-w,--write" as its parts, the long one last.
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

Flag flag_of(const CLI::Option& option) {
  Flag flag;
  flag.names = names_of(option);
  const std::string name = flag.names.empty() ? option.get_name(true) : flag.names.back();
  if (option.get_items_expected_max() > 0) {
    flag.value = flag.names.empty() ? name : option.get_type_name();
    if (flag.value.empty()) flag.value = "VALUE";
  }
  flag.meaning = option.get_description();
  flag.group = option.get_group();
  flag.words = words_of(option);
  for (const Source& source : sources) {
    if (flag.words.empty() && source.name == name) flag.words = source.words();
  }
  flag.is_required = option.get_required();
  flag.may_repeat = option.get_items_expected_max() > 1;
  flag.is_file = flag.words.empty() && (flag.names.empty() || flag.value == "FORMAT=PATH");
  return flag;
}

Command command_of(const CLI::App& app) {
  Command command;
  command.name = app.get_parent() == nullptr ? "" : app.get_name();
  command.meaning = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    Flag flag = flag_of(*option);
    (flag.names.empty() ? command.arguments : command.flags).push_back(std::move(flag));
  }
  return command;
}

}  // namespace

std::vector<Command> commands_of(const CLI::App& app) {
  std::vector<Command> commands{command_of(app)};
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(command_of(*verb));
  return commands;
}

}  // namespace tenure::cli

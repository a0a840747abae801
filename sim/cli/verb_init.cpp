#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>

#include <tenure/scenario/starter.hpp>

#include "app.hpp"
#include "output.hpp"

namespace tenure::cli {
namespace {

struct InitFlags {
  std::string preset;
  std::string fault;
};

ExitCode init(const InitFlags& flags, const CommonFlags& common) {
  if (!write_requests(common, {})) return ExitCode::bad_input;
  if (common.output != "text") {
    return usage_error("E0004", "init prints YAML with comments; JSON has none", {"leave -o out"});
  }
  const auto text = starter_text(flags.preset, flags.fault);
  if (!text) return ExitCode::bad_input;
  std::fputs(text->c_str(), stdout);
  return ExitCode::ok;
}

}  // namespace

std::optional<std::string> starter_text(const std::string& preset_name, const std::string& fault) {
  const scenario::Preset* preset = preset_of(preset_name);
  if (preset == nullptr) return std::nullopt;
  if (!fault.empty() && !is_fault_type(fault)) return std::nullopt;
  if (!scenario::has_starter(*preset)) {
    usage_error("E0220",
                fmt::format("preset {} has the elector {}, which is not modelled in this version",
                            preset->name, preset->elector),
                {"what is: tenure list electors"});
    return std::nullopt;
  }
  return scenario::starter(*preset, fault);
}

void add_init(CLI::App& app, Session& session) {
  auto flags = std::make_shared<InitFlags>();
  CLI::App* verb = app.add_subcommand("init", "print a commented starter scenario");
  add_common_flags(*verb, session);
  verb->add_option("--preset", flags->preset, "whose settings: tenure list presets")
      ->type_name("NAME")
      ->required();
  verb->add_option("--fault", flags->fault, "what happens to the leader: tenure list faults")
      ->type_name("TYPE");
  verb->callback([flags, &session] {
    session.chosen = [flags, &session] { return init(*flags, session.flags); };
  });
}

}  // namespace tenure::cli

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <tenure/report/schema.hpp>
#include <tenure/scenario/schema.hpp>

#include "app.hpp"

namespace tenure::cli {
namespace {

struct Kind {
  std::string_view name;
  nlohmann::ordered_json (*schema)();
};

constexpr Kind kinds[] = {{"Scenario", scenario::scenario_schema},
                          {"Sweep", scenario::sweep_schema},
                          {"RunResult", report::run_result_schema},
                          {"SweepResult", report::sweep_result_schema},
                          {"ExploreResult", report::explore_result_schema}};

std::vector<std::string_view> names() {
  std::vector<std::string_view> out;
  for (const Kind& kind : kinds) out.push_back(kind.name);
  return out;
}

ExitCode print_schema(const std::string& name, const CommonFlags& common) {
  for (const Kind& kind : kinds) {
    if (kind.name != name) continue;
    const nlohmann::ordered_json schema = kind.schema();
    return deliver(common, schema.dump(2) + "\n", schema);
  }
  return ExitCode::bug;
}

}  // namespace

void add_schema(CLI::App& app, Session& session) {
  auto kind = std::make_shared<std::string>("Scenario");
  CLI::App* verb =
      app.add_subcommand("schema", "the JSON Schema (draft 07) of a kind of document, for editors");
  add_common_flags(*verb, session);
  verb->add_option("KIND", *kind, fmt::format("{} (Scenario)", fmt::join(names(), ", ")))
      ->type_name("")
      ->check(one_of(names()));
  verb->callback([kind, &session] {
    session.chosen = [kind, &session] { return print_schema(*kind, session.flags); };
  });
}

}  // namespace tenure::cli

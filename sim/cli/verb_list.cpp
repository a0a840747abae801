#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/scenario/codes.hpp>
#include <tenure/scenario/names.hpp>
#include <tenure/scenario/pages.hpp>
#include <tenure/scenario/preset.hpp>

#include "app.hpp"

namespace tenure::cli {
namespace {

namespace fs = std::filesystem;

struct Item {
  std::string name;
  std::string meaning;
  bool modelled = true;
};

std::vector<Item> items_of(std::span<const scenario::Name> names) {
  std::vector<Item> items;
  for (const scenario::Name& name : names)
    items.push_back({std::string{name.name}, std::string{name.meaning}, name.modelled});
  return items;
}

std::vector<Item> preset_items() {
  std::vector<Item> items;
  for (const scenario::Preset& preset : scenario::presets()) {
    const scenario::Name* elector = scenario::find_name(scenario::electors(), preset.elector);
    items.push_back(
        {std::string{preset.name},
         fmt::format("{} ({}/{}/{})", preset.component, seconds_text(preset.lease_duration),
                     seconds_text(preset.renew_deadline), seconds_text(preset.retry_period)),
         elector != nullptr && elector->modelled});
  }
  return items;
}

std::vector<Item> code_items() {
  std::vector<Item> items;
  for (const scenario::Code& code : scenario::all_codes())
    items.push_back(
        {std::string{code.code}, std::string{code.meaning}, code.given != scenario::Given::later});
  return items;
}

// The checkout that the program was built in: the nearest folder above it that has scenarios.
fs::path checkout() {
  std::error_code error;
  fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    if (fs::is_directory(folder / "scenarios" / "start", error)) return folder;
  }
  return {};
}

std::vector<fs::path> scenario_files(const fs::path& root) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator at{root / "scenarios", error};
  for (; !error && at != fs::recursive_directory_iterator{}; at.increment(error)) {
    const fs::path ending = at->path().extension();
    if (ending == ".yaml" || ending == ".json") files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// As it is typed in the folder where the user is, when it lies below.
std::string as_typed(const fs::path& file, const fs::path& root) {
  std::error_code error;
  return fs::equivalent(fs::current_path(error), root, error)
             ? file.lexically_relative(root).string()
             : file.string();
}

std::vector<Item> scenario_items() {
  std::vector<Item> items;
  const fs::path root = checkout();
  if (root.empty()) return items;
  for (const fs::path& file : scenario_files(root)) {
    Diagnostics unreadable;
    for (const auto& document : scenario::load_documents(file.string(), unreadable)) {
      if (scenario::kind_of(document) != "Scenario") continue;
      const scenario::Entry* metadata = document.root->find("metadata");
      const scenario::Entry* about =
          metadata == nullptr ? nullptr : metadata->value->find("description");
      Diagnostics diagnostics;
      const bool modelled = scenario::decode(document, diagnostics).has_value();
      items.push_back({as_typed(file, root), about == nullptr ? "" : about->value->text, modelled});
    }
  }
  return items;
}

std::string text_of(const std::vector<Item>& items) {
  std::size_t width = 0;
  for (const Item& item : items) width = std::max(width, item.name.size());
  std::string out;
  for (const Item& item : items) {
    out += fmt::format("{:<{}}  {}{}\n", item.name, width, visible(item.meaning),
                       item.modelled ? "" : "  (not part of this version)");
  }
  return out;
}

nlohmann::ordered_json json_of(const std::string& kind, const std::vector<Item>& items) {
  nlohmann::ordered_json json{
      {"apiVersion", "tenure/v1alpha1"}, {"kind", "NameList"}, {"of", kind}};
  json["items"] = nlohmann::ordered_json::array();
  for (const Item& item : items) {
    json["items"].push_back(
        {{"name", item.name}, {"meaning", item.meaning}, {"modelled", item.modelled}});
  }
  return json;
}

template <class Page>
std::vector<Item> page_items(std::span<const Page> pages) {
  std::vector<Item> items;
  for (const Page& page : pages)
    items.push_back({std::string{page.name}, std::string{page.meaning}, true});
  return items;
}

std::vector<Item> field_items() {
  std::vector<Item> items;
  for (const auto pages : {scenario::field_pages(), scenario::sweep_field_pages()}) {
    for (const scenario::FieldPage& page : pages)
      items.push_back({std::string{page.path},
                       fmt::format("{}; {}", scenario::text_of(page.value), page.standard), true});
  }
  return items;
}

std::vector<Item> type_items() {
  std::vector<Item> items;
  for (const scenario::TypePage& page : scenario::type_pages())
    items.push_back({std::string{page.name}, std::string{page.text}, true});
  return items;
}

std::vector<Item> formula_items() {
  std::vector<Item> items;
  for (const scenario::FormulaPage& page : scenario::formula_pages())
    items.push_back(
        {std::string{page.name}, fmt::format("{}: {}", page.label, page.formula), true});
  return items;
}

struct Kind {
  std::string_view name;
  std::vector<Item> (*items)();
};

const Kind kinds[] = {
    {"fields", field_items},
    {"types", type_items},
    {"electors", [] { return items_of(scenario::electors()); }},
    {"faults", [] { return items_of(scenario::faults()); }},
    {"properties", [] { return items_of(scenario::properties()); }},
    {"metrics", [] { return items_of(scenario::metrics()); }},
    {"formulas", formula_items},
    {"presets", preset_items},
    {"errors", code_items},
    {"exit-codes", [] { return page_items(scenario::exit_code_pages()); }},
    {"formats", [] { return page_items(scenario::format_pages()); }},
    {"environment", [] { return page_items(scenario::environment_pages()); }},
    {"scenarios", scenario_items},
};

std::vector<std::string_view> kind_names() {
  std::vector<std::string_view> names;
  for (const Kind& kind : kinds) names.push_back(kind.name);
  return names;
}

std::vector<Item> items_of(const std::string& name) {
  for (const Kind& kind : kinds) {
    if (kind.name == name) return kind.items();
  }
  return {};
}

ExitCode list(const std::string& kind, const CommonFlags& common) {
  if (kind.empty()) {
    return usage_error("E0005", "KIND is missing",
                       {fmt::format("one of {}", fmt::join(kind_names(), ", "))});
  }
  const std::vector<Item> items = items_of(kind);
  if (items.empty()) {
    return usage_error("E0501", "no shipped scenarios are found near this program",
                       {"they are in the folder scenarios of the source",
                        "or make one: tenure init --preset NAME --fault TYPE"});
  }
  return deliver(common, text_of(items), json_of(kind, items));
}

}  // namespace

void add_list(CLI::App& app, Session& session) {
  auto kind = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("list", "the names that scenarios and flags can use");
  add_common_flags(*verb, session);
  verb->add_option("KIND", *kind, fmt::format("{}", fmt::join(kind_names(), ", ")))
      ->type_name("")
      ->check(one_of(kind_names()));
  verb->callback([kind, &session] {
    session.chosen = [kind, &session] { return list(*kind, session.flags); };
  });
}

}  // namespace tenure::cli

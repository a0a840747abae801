#include "gathering.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>

namespace tenure::cli {
namespace {

namespace fs = std::filesystem;

bool is_scenario_file(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".yaml" || ending == ".yml" || ending == ".json" || ending == ".jsonc";
}

bool is_hidden(const fs::path& path) {
  const std::string name = path.filename().string();
  return !name.empty() && name.front() == '.';
}

void report(const std::string& code, std::string text, Diagnostics& diagnostics) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.text = std::move(text);
  diagnostics.add(std::move(diagnostic));
}

void report_unreadable(const fs::path& path,
                       const std::error_code& error,
                       Diagnostics& diagnostics) {
  report("E0501", fmt::format("cannot read {}: {}", path.string(), error.message()), diagnostics);
}

// The files of one folder, and of those in it.
class Folder {
 public:
  explicit Folder(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  std::vector<std::string> files(const fs::path& folder) {
    visit(folder);
    std::sort(files_.begin(), files_.end());
    return std::move(files_);
  }

 private:
  void visit(const fs::path& folder) {
    std::error_code error;
    fs::directory_iterator at{folder, error};
    while (!error && at != fs::directory_iterator{}) {
      take(*at);
      at.increment(error);
    }
    if (error) report_unreadable(folder, error, diagnostics_);
  }

  void take(const fs::directory_entry& entry) {
    if (is_hidden(entry.path())) return;
    std::error_code error;
    if (entry.is_directory(error) && !entry.is_symlink(error)) return visit(entry.path());
    // A link to nothing is found to be unreadable when it is read; a pipe would be waited for.
    const bool can_be_read = entry.is_regular_file(error) || !entry.exists(error);
    if (can_be_read && is_scenario_file(entry.path())) files_.push_back(entry.path().string());
  }

  Diagnostics& diagnostics_;
  std::vector<std::string> files_;
};

}  // namespace

std::vector<Gathered> gathered(const std::vector<std::string>& arguments,
                               Diagnostics& diagnostics) {
  std::vector<Gathered> all;
  std::set<std::string> seen;
  for (const std::string& argument : arguments) {
    std::error_code error;
    if (argument == "-" || !fs::is_directory(argument, error)) {
      if (seen.insert(argument).second) all.push_back({argument, false});
      continue;
    }
    const std::size_t errors = diagnostics.errors();
    const std::vector<std::string> files = Folder{diagnostics}.files(argument);
    if (files.empty() && diagnostics.errors() == errors) {
      report("E0504",
             fmt::format("the folder {} holds no .yaml, .yml, .json or .jsonc file", argument),
             diagnostics);
    }
    for (const std::string& file : files) {
      if (seen.insert(file).second) all.push_back({file, true});
    }
  }
  return all;
}

}  // namespace tenure::cli

#include "replay.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "packed.hpp"

namespace tenure::conformance {
namespace {

// The committed recordings, or those that the variable names (a file or a folder).
std::vector<std::filesystem::path> recordings() {
  const char* chosen = std::getenv("TENURE_RECORDINGS");
  const std::filesystem::path place =
      chosen != nullptr ? std::filesystem::path{chosen} : client_go_folder / "recordings";
  if (!std::filesystem::is_directory(place)) return {place};
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(place)) {
    found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

struct Tally {
  std::size_t scripts = 0;
  std::size_t differences = 0;
  std::size_t orders = 0;
  std::size_t beyond_model = 0;
};

constexpr std::size_t most_shown = 3;

void replay_all(RecordingFile& file, Tally& tally) {
  // One table of names for one script: a second script begins afresh.
  for (Names names; auto recording = file.next(names); names = {}) {
    const Verdict verdict = judge(*recording, names);
    ++tally.scripts;
    tally.orders += verdict.orders;
    tally.beyond_model += verdict.beyond_model ? 1 : 0;
    if (verdict.difference.empty()) continue;
    if (++tally.differences <= most_shown) {
      fmt::print("client-go {}: {}script: {}\n\n", file.version(), verdict.difference,
                 recording->script.dump());
    }
  }
}

}  // namespace

TEST_CASE("the port does what client-go was recorded doing, at the same nanosecond") {
  const auto files = recordings();
  REQUIRE_FALSE(files.empty());
  for (const auto& path : files) {
    CAPTURE(path.string());
    RecordingFile file{path};
    Tally tally;
    replay_all(file, tally);
    fmt::print("client-go {}: {} scripts, {} differences, {} orders tried, {} beyond the model\n",
               file.version(), tally.scripts, tally.differences, tally.orders, tally.beyond_model);
    CHECK(tally.scripts > 0);
    CHECK(tally.differences == 0);
  }
}

// `scripts/conformance --mutants` takes too long for every run of the tests; that it can work does
// not.
TEST_CASE("every deliberately wrong port still fits the source it changes") {
  std::ifstream file{"sim/elect/client_go.cpp"};
  const std::string port{std::istreambuf_iterator<char>{file}, {}};
  std::ifstream list{client_go_folder / "mutants.json"};
  for (const auto& mutant : nlohmann::json::parse(list)) {
    CAPTURE(mutant.at("name").get<std::string>());
    const auto old = mutant.at("old").get<std::string>();
    const std::size_t found = port.find(old);
    REQUIRE(found != std::string::npos);
    CHECK(port.find(old, found + 1) == std::string::npos);
  }
}

}  // namespace tenure::conformance

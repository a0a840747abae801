#include "replay.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace tenure::conformance::etcd {
namespace {

// The committed transcripts, or those that the variable names (a file or a folder).
std::vector<std::filesystem::path> transcripts() {
  const char* chosen = std::getenv("TENURE_TRANSCRIPTS");
  const std::filesystem::path place =
      chosen != nullptr ? chosen : "tests/conformance/etcd/transcripts";
  if (!std::filesystem::is_directory(place)) return {place};
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(place)) {
    if (entry.path().extension() == ".jsonl") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

TEST_CASE("the model gives the answers that a real etcd was recorded giving") {
  std::size_t operations = 0;
  std::size_t messages = 0;
  std::size_t differences = 0;
  const auto files = transcripts();
  for (const std::filesystem::path& path : files) {
    const Replayed replayed = replay(path);
    operations += replayed.operations;
    messages += replayed.messages;
    if (replayed.difference.empty()) continue;
    ++differences;
    fmt::print("{}: {}\n", path.filename().string(), replayed.difference);
  }
  fmt::print("etcd: {} transcripts, {} operations, {} watch messages, {} differences\n",
             files.size(), operations, messages, differences);
  CHECK(operations > 0);
  CHECK(differences == 0);
}

}  // namespace tenure::conformance::etcd

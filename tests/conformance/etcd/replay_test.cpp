#include "replay.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
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

// The deletion at the compacted revision is kept (etcd-io/etcd#18475): one message more. A watch
// that starts in the future holds back progress messages (#20291), and a stream without watches
// gets none
// (#15237). The rest of what was recorded from 3.4.23 is the same.
TEST_CASE("3.6 differs from the recorded 3.4 where it changed, and nowhere else") {
  const std::filesystem::path folder = "tests/conformance/etcd/transcripts";
  std::vector<std::string> differ;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const Replayed replayed = replay(entry.path(), store::Version::v3_6);
    if (replayed.difference.empty()) continue;
    differ.push_back(
        fmt::format("{}: {}", entry.path().stem().string(), fmt::join(replayed.at, " ")));
  }
  std::sort(differ.begin(), differ.end());
  CHECK(fmt::format("{}", fmt::join(differ, ", ")) == "watch_compacted: 47, watch_progress: 13 45");
}

}  // namespace tenure::conformance::etcd

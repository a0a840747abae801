// Replays what a real etcd was recorded answering, on the model.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace tenure::conformance::etcd {

struct Replayed {
  std::size_t operations = 0;
  std::size_t messages = 0;  // that watches received
  // The first difference: where, what the server said, what the model says. Empty: none.
  std::string difference;
};

Replayed replay(const std::filesystem::path& transcript);

}  // namespace tenure::conformance::etcd

// Replays what a real etcd was recorded answering, on the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <tenure/store/keyspace.hpp>

namespace tenure::conformance::etcd {

// Of the server that was recorded, from the "etcd" of the first line.
inline constexpr std::optional<store::Version> as_recorded{};

struct Replayed {
  std::size_t operations = 0;
  std::size_t messages = 0;  // that watches received
  // The first difference: where, what the server said, what the model says. Empty: none.
  std::string difference;
  std::vector<std::int64_t> at;  // the "i" of every operation that differs
};

Replayed replay(const std::filesystem::path& transcript,
                std::optional<store::Version> version = as_recorded);

}  // namespace tenure::conformance::etcd

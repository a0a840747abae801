// Elections as they are configured in the field: the numbers that well-known components ship with.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <tenure/base/time.hpp>

namespace tenure::scenario {

enum class IdentityRule : std::uint8_t {
  host_and_uuid,  // a new identity with each start
  host_name,      // the pod's name: a restarted pod of a StatefulSet, or container, keeps it
  node_name,      // kept by whatever runs on the node
};

// What the source of a preset does not say; it has client-go's own default or usual practice
// instead.
struct Assumed {
  bool release_on_cancel = false;
  bool request_timeout = false;
  bool identity = false;

  friend bool operator==(const Assumed&, const Assumed&) = default;
};

struct Preset {
  std::string_view name = {};              // as on the command line
  std::string_view component = {};         // as a reader knows it
  std::string_view elector = "client-go";  // the elector type of a scenario
  Duration lease_duration{};
  Duration renew_deadline{};
  Duration retry_period{};
  bool release_on_cancel = false;
  std::optional<Duration> request_timeout = std::nullopt;  // of one request; nothing: no limit
  IdentityRule identity = IdentityRule::host_and_uuid;
  std::uint32_t replicas = 3;  // a choice of this project, for all of them
  Assumed assumed;
  std::string_view source = {};  // repository, file and commit
  std::string_view remark = {};  // what differs from plain client-go; may be empty
};

// All of them, in the order in which they are listed.
std::span<const Preset> presets();

// Null if there is no preset of that name.
const Preset* preset_named(std::string_view name);

// The first client-go preset with these three durations; null if there is none.
const Preset* preset_with(Duration lease_duration, Duration renew_deadline, Duration retry_period);

}  // namespace tenure::scenario

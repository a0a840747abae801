#include <filesystem>
#include <sstream>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <tenure/elect/client_go.hpp>

#include "packed.hpp"

namespace tenure::conformance {
namespace {

using nlohmann::json;

// What our side says, the identity's check included (since v0.28).
std::string refusal_of(const json& configuration, int minor) {
  elect::ClientGoConfig config;
  config.lease_duration = Duration{configuration.at("l").get<std::int64_t>()};
  config.renew_deadline = Duration{configuration.at("d").get<std::int64_t>()};
  config.retry_period = Duration{configuration.at("r").get<std::int64_t>()};
  if (const auto refusal = elect::refusal(config)) return std::string{*refusal};
  if (minor >= 28 && !configuration.contains("id")) return "Lock identity is empty";
  return {};
}

}  // namespace

TEST_CASE("a configuration is accepted or refused as NewLeaderElector did, with the same text") {
  for (const auto& entry : std::filesystem::directory_iterator(client_go_folder / "validation")) {
    std::istringstream lines{read_packed(entry.path())};
    std::string line;
    std::getline(lines, line);
    const std::string version = json::parse(line).at("clientGo");
    CAPTURE(version);
    const int minor = std::stoi(version.substr(version.find('.') + 1));
    int configurations = 0;
    while (std::getline(lines, line)) {
      ++configurations;
      const json configuration = json::parse(line);
      CAPTURE(line);
      CHECK(refusal_of(configuration, minor) == configuration.value("error", std::string{}));
    }
    CHECK(configurations == 1000);
  }
}

}  // namespace tenure::conformance

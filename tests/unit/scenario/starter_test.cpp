// The starters of `tenure init`: every preset with every fault is a scenario without mistakes.
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/base/diagnostics.hpp>
#include <tenure/scenario/document.hpp>
#include <tenure/scenario/names.hpp>
#include <tenure/scenario/scenario.hpp>
#include <tenure/scenario/starter.hpp>

namespace {

using namespace std::chrono_literals;
using namespace tenure;
using namespace tenure::scenario;

// With the empty name for no fault at all.
std::vector<std::string_view> fault_types() {
  std::vector<std::string_view> types{""};
  for (const Name& fault : faults()) {
    if (fault.modelled) types.push_back(fault.name);
  }
  return types;
}

std::optional<Scenario> decoded(const std::string& text, Diagnostics& diagnostics) {
  const auto documents = parse_documents("starter", text, Format::yaml, diagnostics);
  REQUIRE(documents.size() == 1);
  return decode(documents.front(), diagnostics);
}

TEST_CASE("the starter of every preset and every fault decodes without a diagnostic") {
  for (const Preset& preset : presets()) {
    if (!has_starter(preset)) continue;
    for (const std::string_view fault : fault_types()) {
      CAPTURE(preset.name);
      CAPTURE(fault);
      Diagnostics diagnostics;
      const auto scenario = decoded(starter(preset, fault), diagnostics);
      REQUIRE(scenario.has_value());
      // The one preset whose own numbers leave no margin is warned about, and rightly.
      const bool is_warned = preset.lease_duration < preset.renew_deadline + preset.retry_period;
      CHECK(diagnostics.warnings() == (is_warned ? 1 : 0));
      if (is_warned) CHECK(diagnostics.all().front().code == "W0302");
      CHECK(scenario->faults.size() == (fault.empty() ? 0 : 1));
    }
  }
}

TEST_CASE("the preset's numbers arrive in the scenario") {
  for (const Preset& preset : presets()) {
    if (!has_starter(preset)) continue;
    CAPTURE(preset.name);
    Diagnostics diagnostics;
    const auto scenario = decoded(starter(preset, "crash"), diagnostics);
    REQUIRE(scenario.has_value());
    const Elector& elector = scenario->candidates.front().elector;
    CHECK(elector.lease_duration == preset.lease_duration);
    CHECK(elector.renew_deadline == preset.renew_deadline);
    CHECK(elector.retry_period == preset.retry_period);
    CHECK(elector.release_on_cancel == preset.release_on_cancel);
    CHECK(elector.request_timeout == preset.request_timeout);
    CHECK(scenario->candidates.front().replicas == preset.replicas);
  }
}

TEST_CASE("the fault falls over a whole number of renewals, from 60 s on") {
  for (const Preset& preset : presets()) {
    if (!has_starter(preset)) continue;
    CAPTURE(preset.name);
    Diagnostics diagnostics;
    const auto scenario = decoded(starter(preset, "crash"), diagnostics);
    REQUIRE(scenario.has_value());
    const Distribution& at = scenario->faults.front().at;
    const Duration period = preset.retry_period + 5ms;
    CHECK(at.lower_bound() >= 60s);
    CHECK(at.lower_bound() >= 20 * preset.retry_period);
    CHECK((at.upper_bound() - at.lower_bound()) % period == 0s);
  }
}

TEST_CASE("what a source does not say is marked as assumed") {
  const std::string marked = starter(*preset_named("kubevirt"), "crash");
  CHECK(marked.find("releaseOnCancel: false  # assumed") != std::string::npos);
  CHECK(marked.find("requestTimeout: 5s  # assumed") != std::string::npos);
  const std::string known = starter(*preset_named("flux"), "crash");
  CHECK(known.find("releaseOnCancel: true\n") != std::string::npos);
  CHECK(known.find("requestTimeout: 15s\n") != std::string::npos);
}

TEST_CASE("a preset whose elector is not modelled has no starter") {
  CHECK_FALSE(has_starter(*preset_named("leader-elector-sidecar")));
}

}  // namespace

// What `tenure advise` states of kube-controller-manager's settings, against runs.
#include <chrono>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/run/confirm.hpp>

using namespace tenure;
using namespace std::chrono_literals;

namespace {

using scenario::Need;
using Kind = Need::Kind;

Need need(Kind kind, std::string_view text) {
  scenario::NeedProblem problem;
  const auto parsed = scenario::parse_need(kind, text, problem);
  REQUIRE_MESSAGE(parsed.has_value(), problem.text);
  return *parsed;
}

}  // namespace

// scripts/trust does the same with 100 000 runs of each.
TEST_CASE("what is stated of 15/10/2 is confirmed, need by need (client-go 9.2 to 9.8)") {
  const scenario::Setting settings{15s, 10s, 2s};
  const std::vector<Need> needs{
      need(Kind::failover, "p(99) < 20.5s"), need(Kind::outage, "8s"),
      need(Kind::outage, "5s:hanging"),      need(Kind::pause, "12.999s"),
      need(Kind::pause, "3s:cut"),           need(Kind::clock_ratio, "1.25"),
      need(Kind::requests, "1.13/s"),        need(Kind::margin, "3s")};
  const scenario::Terms terms;
  run::JudgedSetting judged = run::judged_setting(settings, needs, terms);
  run::ConfirmOptions options;
  options.runs = 1000;
  options.seed = 7;
  run::confirm(judged, terms, options);
  for (const run::JudgedNeed& each : judged.needs) {
    CAPTURE(scenario::value_text(each.need));
    CHECK(each.figure.kept);
    REQUIRE(each.confirmation);
    CHECK(each.confirmation->outcome == run::Confirmation::Outcome::agrees);
  }
}

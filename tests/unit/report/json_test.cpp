// The JSON result: its samples come back exactly, and its scenario runs again to the same bytes.
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <tenure/report/writer.hpp>
#include <tenure/run/campaign.hpp>
#include <tenure/run/result.hpp>
#include <tenure/stats/codec.hpp>

namespace tenure::report {
namespace {

run::RunResult result_of(const std::string& text, scenario::Format format) {
  Diagnostics diagnostics;
  const auto documents = scenario::parse_documents("small.yaml", text, format, diagnostics);
  REQUIRE(documents.size() == 1);
  const auto scenario = scenario::decode(documents.front(), diagnostics);
  REQUIRE(scenario.has_value());
  return run::judged(*scenario, documents.front(),
                     run::run_campaign(run::experiment_of(*scenario), {}));
}

std::string json_of(const run::RunResult& result) {
  std::string text;
  write_json(result, [&](std::string_view piece) { text += piece; });
  return text;
}

const std::string small = R"(
apiVersion: tenure/v1alpha1
kind: Scenario
metadata: {name: small}
spec:
  duration: 70s
  runs: 40
  candidates: [{name: web, replicas: 2, elector: {type: client-go}}]
  faults: [{type: crash, target: leader, at: {uniform: [40s, 58s]}}]
)";

TEST_CASE("samples come back exactly, censored ones with their places") {
  const run::RunResult result = result_of(small, scenario::Format::yaml);
  const auto json = nlohmann::json::parse(json_of(result));
  const auto& failover = json["metrics"]["failover"];
  const std::string coded = failover["samplesNs"];
  const std::string prefix = "base64-delta-varint:";
  REQUIRE(coded.substr(0, prefix.size()) == prefix);
  const auto values = stats::decode_deltas(coded.substr(prefix.size()), 1000);
  REQUIRE(values.has_value());
  CHECK(*values == result.metrics[0].values());
  CHECK(failover["censored"] == result.metrics[0].censored_at().size());
  CHECK(failover["censored"] > 0);
  CHECK(failover["censoredAt"].size() == result.metrics[0].censored_at().size());
}

TEST_CASE("a figure that the samples do not carry is null") {
  const auto json = nlohmann::json::parse(json_of(result_of(small, scenario::Format::yaml)));
  CHECK(json["metrics"]["failover"]["meanNs"].is_null());  // some are censored
  CHECK(json["metrics"]["failover"]["p99Ns"].is_null());   // fewer than 299
  CHECK(json["metrics"]["transitions"]["p50"].is_number());
}

TEST_CASE("a metric has the half width of its band") {
  const auto json =
      nlohmann::ordered_json::parse(json_of(result_of(small, scenario::Format::yaml)));
  // sqrt(ln(2 / 0.05) / (2 * 40)), statistics section 3; a sample a run.
  CHECK(json["metrics"]["transitions"]["bandHalfWidth95"] == doctest::Approx(0.214735));
}

TEST_CASE("the embedded scenario runs again to the same bytes") {
  const std::string first = json_of(result_of(small, scenario::Format::yaml));
  const auto embedded = nlohmann::ordered_json::parse(first)["scenario"].dump();
  CHECK(json_of(result_of(embedded, scenario::Format::json)) == first);
}

}  // namespace
}  // namespace tenure::report

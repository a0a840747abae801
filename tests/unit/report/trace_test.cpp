// Traces of histories made by hand; those of whole runs are compared with their histories, and the
// two forms with each other, in tests/traces.
#include <chrono>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <protozero/pbf_reader.hpp>

#include <tenure/report/trace.hpp>

namespace tenure::report {
namespace {

using namespace std::chrono_literals;

world::Setup setup_with(const std::string& process) {
  world::Setup setup;
  setup.candidates.resize(1);
  setup.processes.resize(1);
  setup.processes[0].name = process;
  setup.identities = {process};
  setup.duration = 10s;
  return setup;
}

std::string json_of(const world::Setup& setup, const std::vector<record::Record>& history) {
  std::string out;
  write_trace_json(setup, history, [&](std::string_view piece) { out += piece; });
  return out;
}

constexpr record::Incarnation first{ProcessId{0}, 0};

}  // namespace

TEST_CASE(
    "a name of 10 KB with quotes, tags, direction marks and broken UTF-8 cannot break a trace") {
  const std::string name = "\"}],<script>\n\\ \xe2\x80\xae" + std::string(10'000, 'x') + "\xff\xc0";
  const world::Setup setup = setup_with(name);
  const std::vector<record::Record> history{
      {TrueTime{1s}, 0, 0, record::ProcessStarted{first, {1, 0}}},
      {TrueTime{2s}, 1, 1, record::LeadershipBegan{first, record::Level::context}}};
  const auto json = nlohmann::json::parse(json_of(setup, history));
  CHECK(json.at("traceEvents").size() > 10);
  std::string binary;
  write_trace_protobuf(setup, history, [&](std::string_view piece) { binary += piece; });
  protozero::pbf_reader trace{binary};
  std::size_t packets = 0;
  while (trace.next(1)) {
    trace.get_message();
    ++packets;
  }
  CHECK(packets > 10);
}

TEST_CASE(
    "a request that nobody answers ends with the belief, the process, the next one or the run") {
  const auto end_of = [](std::vector<record::Record> more) {
    std::vector<record::Record> history{
        {TrueTime{1s}, 0, 0, record::RequestSent{first, RequestId{0}, 2}}};
    history.insert(history.end(), more.begin(), more.end());
    const auto json = nlohmann::json::parse(json_of(setup_with("a"), history));
    for (const auto& event : json.at("traceEvents")) {
      if (event["ph"] == "X" && event["name"] == "update")
        return event["ts"].get<double>() + event["dur"].get<double>();
    }
    return 0.0;
  };
  using record::EndReason;
  CHECK(end_of({}) == 10e6);
  CHECK(end_of({{TrueTime{3s}, 1, 1, record::RequestSent{first, RequestId{1}, 0}}}) == 3e6);
  CHECK(end_of({{TrueTime{4s}, 1, 1, record::ProcessEnded{first, EndReason::crashed}}}) == 4e6);
  CHECK(end_of({{TrueTime{5s}, 1, 1,
                 record::LeadershipEnded{first, record::Level::context,
                                         EndReason::stepped_down}}}) == 5e6);
}

TEST_CASE("nanoseconds survive in microseconds") {
  const std::vector<record::Record> history{
      {TrueTime{1'000'000'001ns}, 0, 0, record::RequestSent{first, RequestId{0}, 0}},
      {TrueTime{2'000'000'010ns}, 1, 1, record::ReplyReceived{first, RequestId{0}, 0, 0}}};
  CHECK(json_of(setup_with("a"), history).find("\"ts\":1000000.001,\"dur\":1000000.009") !=
        std::string::npos);
}

}  // namespace tenure::report

// What the metrics of a process say at a scrape, in histories made by hand; whole runs are compared
// with promtool and with their own histories in tests/metrics.
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/api/message.hpp>
#include <tenure/report/openmetrics.hpp>

namespace tenure::report {
namespace {

using namespace std::chrono_literals;
using record::EndReason;
using record::Incarnation;
using record::Level;

constexpr Incarnation a{ProcessId{0}, 0};

// One client-go process, D 10 s, that is started at 0 s.
class Process {
 public:
  explicit Process(const std::string& name = "web-0") {
    world::Candidate candidate;
    candidate.name = "web";
    candidate.elector = elect::ClientGoConfig{};
    setup_.candidates = {candidate};
    setup_.processes.resize(1);
    setup_.processes[0].name = name;
    setup_.duration = 60s;
    at(0s, record::ProcessStarted{a, {1, 0}});
  }

  template <class Fact>
  Process& at(Duration time, const Fact& fact) {
    ++event_;
    return also(time, fact);
  }
  template <class Fact>
  Process& also(Duration time, const Fact& fact) {
    history_.push_back({TrueTime{time}, history_.size(), event_, fact});
    return *this;
  }
  Process& sends(Duration time, api::Verb verb) {
    return at(time, record::RequestSent{a, RequestId{++request_}, static_cast<std::uint8_t>(verb)});
  }
  Process& hears(Duration time, std::uint16_t code) {
    return at(time, record::ReplyReceived{a, RequestId{request_}, code, 0});
  }
  // Leads from 5 s on, and renews at 7 s.
  Process& leads() {
    sends(5s, api::Verb::create).hears(5s, 201);
    also(5s, record::LeadershipBegan{a, Level::is_leader});
    also(5s, record::LeadershipBegan{a, Level::context});
    return sends(5s, api::Verb::update).hears(5s, 200).sends(7s, api::Verb::update).hears(7s, 200);
  }

  std::string text() const {
    std::string out;
    write_openmetrics(setup_, history_, std::vector<kernel::NodeClock>(1),
                      {1s, WallTime{std::chrono::seconds{0}}},
                      [&](std::string_view piece) { out += piece; });
    return out;
  }
  bool says(const std::string& metric, int second, int value) const {
    const bool by_name =
        metric.find("status") != std::string::npos || metric.find("slowpath") != std::string::npos;
    const std::string labels = R"({candidate="web",pod="web-0")";
    return text().find("\n" + metric + labels + (by_name ? R"(,name="web"} )" : "} ") +
                       std::to_string(value) + " " + std::to_string(second) + "\n") !=
           std::string::npos;
  }

 private:
  world::Setup setup_;
  std::vector<record::Record> history_;
  std::uint64_t event_ = 0;
  std::uint32_t request_ = 0;
};

constexpr const char* status = "leader_election_master_status";
constexpr const char* is_leader = "leader_election_is_leader";
constexpr const char* slowpath = "leader_election_slowpath_total";

}  // namespace

TEST_CASE("master_status ends with the failed round, is_leader when the release is over") {
  // The round begins at 9 s and fails at 19 s, D later (client-go spec 4.5); the release takes 5 s.
  Process process;
  process.leads().sends(9s, api::Verb::update).sends(11s, api::Verb::get);
  process.sends(19s, api::Verb::get);
  process.at(24s, record::LeadershipEnded{a, Level::context, EndReason::stepped_down});
  CHECK(process.says(status, 4, 0));
  CHECK(process.says(status, 18, 1));
  CHECK(process.says(status, 19, 0));
  CHECK(process.says(is_leader, 23, 1));
  CHECK(process.says(is_leader, 24, 0));
}

TEST_CASE("a stop between two rounds leaves master_status at 1, a stop in a round does not") {
  // Client-go spec 5: "0 on a failed round (not on cancel during the wait)".
  const record::LeadershipEnded stop{a, Level::context, EndReason::stopped};
  Process between;
  between.leads().at(8s, stop);
  CHECK(between.says(status, 8, 1));
  CHECK(between.says(is_leader, 8, 0));
  Process inside;
  inside.leads().sends(9s, api::Verb::update).at(9500ms, stop);
  CHECK(inside.says(status, 10, 0));
}

TEST_CASE("the slow path is a write as holder after a read; a release is none") {
  const auto reads_and_writes = [](Process& process, Duration at) {
    process.sends(at, api::Verb::get).hears(at + 100ms, 200);
    process.also(at + 100ms, record::RequestSent{a, RequestId{99}, 2});
  };
  Process slow;
  slow.leads().sends(9s, api::Verb::update).hears(9s, 409);
  reads_and_writes(slow, 10s);
  CHECK(slow.says(slowpath, 11, 1));
  CHECK_FALSE(slow.says(slowpath, 10, 0));  // a counter vector is empty before its first increment
  Process releasing;
  releasing.leads().at(8s, record::LeadershipEnded{a, Level::context, EndReason::stopped});
  reads_and_writes(releasing, 8s);
  CHECK_FALSE(releasing.says(slowpath, 11, 1));
}

TEST_CASE("a frozen or dead process has no samples, and a new one counts from 0") {
  Process process;
  process.leads().at(10s, record::ProcessPaused{a}).at(12s, record::ProcessResumed{a});
  CHECK(process.says(is_leader, 9, 1));
  CHECK_FALSE(process.says(is_leader, 11, 1));
  CHECK(process.says("up", 11, 0));
  CHECK(process.says(is_leader, 12, 1));
  process.at(14s, record::ProcessEnded{a, EndReason::crashed});
  process.at(16s, record::ProcessStarted{{a.process, 1}, {1, 1}});
  CHECK(process.says("up", 15, 0));
  CHECK(process.says("leader_election_transitions_total", 13, 1));
  CHECK(process.says("leader_election_transitions_total", 16, 0));
}

TEST_CASE("a label value is escaped") {
  const std::string text = Process{"a\"}\\\n# EOF"}.text();
  CHECK(text.find("pod=\"a\\\"}\\\\\\n# EOF\"") != std::string::npos);
  CHECK(text.find("\n# EOF") == text.size() - 7);
}

}  // namespace tenure::report

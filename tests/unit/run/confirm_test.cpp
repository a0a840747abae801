// Runs that confirm what the closed forms say of a setting.
#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/run/confirm.hpp>

using namespace tenure;
using namespace tenure::run;
using namespace std::chrono_literals;

namespace {

using scenario::Need;
using scenario::Setting;
using Kind = Need::Kind;
using Outcome = Confirmation::Outcome;

Need need(Kind kind, std::string_view text) {
  scenario::NeedProblem problem;
  const auto parsed = scenario::parse_need(kind, text, problem);
  REQUIRE_MESSAGE(parsed.has_value(), problem.text);
  return *parsed;
}

ConfirmOptions with_runs(std::uint64_t runs) {
  ConfirmOptions options;
  options.runs = runs;
  return options;
}

JudgedSetting confirmed(const Setting& setting,
                        const std::vector<Need>& needs,
                        const ConfirmOptions& options,
                        const scenario::Terms& terms = {}) {
  JudgedSetting judged = judged_setting(setting, needs, terms);
  confirm(judged, terms, options);
  return judged;
}

Confirmation confirmed(const Setting& setting, const Need& one, std::uint64_t runs) {
  return *confirmed(setting, {one}, with_runs(runs)).needs.front().confirmation;
}

AdviseResult::Answer answer(JudgedSetting judged) {
  AdviseResult result;
  result.settings.push_back(std::move(judged));
  return answer_of(result);
}

constexpr Setting usual{15s, 10s, 2s};

}  // namespace

TEST_CASE("of what is proven runs show no exception") {
  for (const Need& each :
       {need(Kind::outage, "8s"), need(Kind::outage, "5s:hanging"), need(Kind::pause, "13s"),
        need(Kind::pause, "3s:cut"), need(Kind::clock_ratio, "1.25"), need(Kind::margin, "3s")}) {
    CAPTURE(scenario::value_text(each));
    const Confirmation c = confirmed(usual, each, 200);
    CHECK(c.outcome == Outcome::agrees);
    CHECK(c.runs == 200);
    CHECK(c.bad_runs == 0);
  }
}

// client-go 9.5, 9.8, 9.4: shares of runs in which what is not promised happens.
TEST_CASE("of what is not kept runs show how often") {
  const auto share = [](const Need& each) {
    const Confirmation c = confirmed(usual, each, 300);
    CHECK(c.outcome == Outcome::agrees);
    return static_cast<double>(*c.bad_runs) / static_cast<double>(c.runs);
  };
  CHECK(share(need(Kind::outage, "10s")) == 1);
  CHECK(share(need(Kind::outage, "9s")) == doctest::Approx(0.5).epsilon(0.25));
  CHECK(share(need(Kind::outage, "8s:hanging")) == 1);
  CHECK(share(need(Kind::pause, "23.8s")) == 1);
  CHECK(share(need(Kind::clock_ratio, "1.5")) == doctest::Approx(0.669).epsilon(0.2));
  CHECK(share(need(Kind::pause, "6s:cut")) > 0);
}

// 270/240/60, client-go 8.2: M = -30 s.
TEST_CASE("with a negative margin a cut makes two leaders now and then") {
  const Confirmation c = confirmed({270s, 240s, 60s}, scenario::standing_margin(0s), 1000);
  CHECK(c.outcome == Outcome::agrees);
  CHECK(*c.bad_runs > 0);
}

TEST_CASE("while the release hangs two leaders are possible, and a margin that counts it knows") {
  const Setting flux{35s, 30s, 5s};  // client-go 9.3: overlaps of up to 15 s
  const JudgedSetting judged = confirmed(
      flux, {need(Kind::handover, "11s"), need(Kind::margin, "0s:hanging")}, with_runs(200));
  CHECK(judged.needs[0].figure.kept);
  CHECK(judged.needs[0].confirmation->outcome == Outcome::agrees);
  CHECK(judged.needs[0].confirmation->estimate <= 11'000'000'000);
  CHECK_FALSE(judged.needs[1].figure.kept);
  CHECK(*judged.needs[1].confirmation->bad_runs > 0);
  CHECK(answer(judged) == AdviseResult::Answer::not_met);
}

TEST_CASE("too few runs for a percentile leave it open, and the answer with it") {
  const std::vector<Need> needs{need(Kind::failover, "p(99) < 20s")};
  const JudgedSetting few = confirmed(usual, needs, with_runs(50));
  CHECK(few.needs[0].confirmation->outcome == Outcome::undecided);
  CHECK(answer(few) == AdviseResult::Answer::inconclusive);
}

// The law: p99 = 19.6 s, and P(F < 20 s) = 0.995.
TEST_CASE("as many runs are made as it takes to tell a percentile from what is asked") {
  const JudgedSetting judged =
      confirmed(usual, std::vector{need(Kind::failover, "p(99) < 20s")}, ConfirmOptions{});
  const Confirmation& c = *judged.needs[0].confirmation;
  CHECK(c.runs > 2000);
  CHECK(c.runs < 20'000);
  CHECK(c.outcome == Outcome::agrees);
  CHECK(answer(judged) == AdviseResult::Answer::met);
}

// client-go 9.1: 1 / R of the leader, 1 / (1.6 R) of each follower.
TEST_CASE("requests are counted over whole cycles, so that their mean is the formula's") {
  const Confirmation c = confirmed(usual, need(Kind::requests, "2/s"), 200);
  CHECK(c.outcome == Outcome::agrees);
  CHECK(static_cast<double>(*c.estimate) / 1e9 == doctest::Approx(1.125).epsilon(0.002));
}

TEST_CASE("with a latency the bounds still hold") {
  scenario::Terms terms;
  terms.latency = 50ms;
  const JudgedSetting judged =
      confirmed(usual,
                {need(Kind::failover, "max <= 24.05s"), need(Kind::pause, "12.95s"),
                 need(Kind::pause, "2.95s:cut"), need(Kind::handover, "4.7s"),
                 need(Kind::outage, "8s"), need(Kind::margin, "50ms")},
                with_runs(200), terms);
  for (const JudgedNeed& each : judged.needs) {
    CAPTURE(each.formula);
    CHECK(each.confirmation->outcome == Outcome::agrees);
  }
}

TEST_CASE("any number of threads makes the same runs") {
  const std::vector<Need> needs{need(Kind::failover, "p(90) < 20s"), need(Kind::pause, "16s")};
  ConfirmOptions options = with_runs(600);
  const JudgedSetting one = confirmed(usual, needs, options);
  options.threads = 3;
  const JudgedSetting three = confirmed(usual, needs, options);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    CHECK(one.needs[i].confirmation->estimate == three.needs[i].confirmation->estimate);
    CHECK(one.needs[i].confirmation->bad_runs == three.needs[i].confirmation->bad_runs);
  }
}

// Settings for stated needs, and needs that cannot hold together.
#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/scenario/advise.hpp>

using namespace tenure;
using namespace tenure::scenario;
using namespace std::chrono_literals;

namespace {

using Kind = Need::Kind;
using Needs = std::vector<Need>;

Need need(Kind kind, std::string_view text) {
  NeedProblem problem;
  const auto parsed = parse_need(kind, text, problem);
  REQUIRE_MESSAGE(parsed.has_value(), problem.text);
  return *parsed;
}

std::string refused(Kind kind, std::string_view text) {
  NeedProblem problem;
  CHECK_FALSE(parse_need(kind, text, problem).has_value());
  return problem.text;
}

Bounds bounds_with(const Setting& setting, const Needs& needs, const Terms& terms = {}) {
  return bounds_of(bounds_input(setting, terms, releases(needs, terms)));
}

Figure figure(const Setting& setting, const Need& one, const Terms& terms = {}) {
  return figure_of(one, bounds_with(setting, {one}, terms));
}

bool meets(const Setting& setting, const Needs& needs, const Terms& terms = {}) {
  const Bounds bounds = bounds_with(setting, needs, terms);
  return bounds.timing && std::all_of(needs.begin(), needs.end(), [&](const Need& each) {
           return figure_of(each, bounds).kept;
         });
}

std::int64_t ns(Duration duration) {
  return duration.count();
}

constexpr Setting openshift{137s, 107s, 26s};
constexpr Setting usual{15s, 10s, 2s};

// The example of interface 4.8.
Needs example() {
  return {
      need(Kind::failover, "p(99) < 40s"), need(Kind::outage, "20s"),     need(Kind::pause, "5s"),
      need(Kind::clock_ratio, "1.1"),      need(Kind::requests, "0.5/s"), standing_margin(0s)};
}

Needs impossible() {
  return {need(Kind::failover, "p(99) < 30s"), need(Kind::outage, "20s"),
          need(Kind::requests, "0.5/s")};
}

}  // namespace

// client-go 8.2: what OpenShift's comment promises, and what the code does.
TEST_CASE("of OpenShift's four promises one is kept, when calls are refused (client-go 8.2)") {
  CHECK(figure(openshift, need(Kind::margin, "30s")) == Figure{ns(4s), false});
  CHECK(figure(openshift, need(Kind::failover, "max < 163s")) == Figure{ns(251400ms), false});
  CHECK(figure(openshift, need(Kind::handover, "26s")) == Figure{ns(57200ms), false});
  CHECK(figure(openshift, need(Kind::outage, "78s")) == Figure{ns(104s), true});
  CHECK(figure(openshift, need(Kind::outage, "78s:hanging")) == Figure{ns(53500ms), false});
}

TEST_CASE("15/10/2 gets what client-go 9 says of it") {
  CHECK(figure(usual, need(Kind::failover, "max < 23.8s")) == Figure{ns(23800ms), false});
  CHECK(figure(usual, need(Kind::failover, "max <= 23.8s")).kept);
  CHECK(figure(usual, need(Kind::outage, "8s")) == Figure{ns(8s), true});          // 9.5
  CHECK(figure(usual, need(Kind::outage, "5s:hanging")) == Figure{ns(5s), true});  // 9.5
  CHECK(figure(usual, need(Kind::pause, "12.999s")) == Figure{ns(13s), true});     // 9.8
  CHECK(figure(usual, need(Kind::pause, "13s")) == Figure{ns(13s), false});  // properties.md 4.1
  CHECK(figure(usual, need(Kind::pause, "3.001s:cut")) == Figure{ns(3s), false});  // 9.8
  CHECK(figure(usual, need(Kind::clock_ratio, "1.25")).kept);                      // 9.4
  CHECK_FALSE(figure(usual, need(Kind::clock_ratio, "1.2500001")).kept);
  CHECK(figure(usual, need(Kind::handover, "4.4s")) == Figure{ns(4400ms), true});  // 9.6
  CHECK(figure(usual, need(Kind::requests, "1.125/s")).kept);
  CHECK_FALSE(figure(usual, need(Kind::requests, "1.124/s")).kept);
}

// client-go 9.2, three candidates: p99 19.609, mean 16.514 of 100 000 samples.
TEST_CASE("the figure of a quantile and of the mean is that of the law of a crash") {
  const auto in_seconds = [](Figure f) { return static_cast<double>(f.amount) / 1e9; };
  CHECK(in_seconds(figure(usual, need(Kind::failover, "p(99) < 20s"))) ==
        doctest::Approx(19.6).epsilon(0.002));
  CHECK(in_seconds(figure(usual, need(Kind::failover, "avg < 17s"))) ==
        doctest::Approx(16.514).epsilon(0.001));
  CHECK(figure(usual, need(Kind::failover, "med < 17s")) ==
        figure(usual, need(Kind::failover, "p(50) < 17s")));
}

TEST_CASE(
    "a handover needs releaseOnCancel, and its release may hang while the leader is cut off") {
  const Needs needs{need(Kind::handover, "5s"), need(Kind::pause, "0s:cut")};
  const Bounds bounds = bounds_with(usual, needs);
  CHECK(figure_of(needs[0], bounds).kept);
  CHECK(figure_of(needs[1], bounds) == Figure{ns(-2s), false});  // 15 - 10 - 2 - 5, client-go 9.3
  Terms terms;
  terms.release_on_cancel = false;
  CHECK(figure_of(needs[0], bounds_with(usual, needs, terms)).amount == ns(23800ms));
}

TEST_CASE("settings meet all needs, fewest requests first, each next one led again sooner") {
  for (const Needs& needs :
       {example(), Needs{need(Kind::failover, "max < 1m"), standing_margin(0s)},
        Needs{need(Kind::handover, "5s"), need(Kind::outage, "10s:hanging"),
              standing_margin(0s)}}) {
    const std::vector<Advised> settings = advise(needs, {}, 5);
    REQUIRE_FALSE(settings.empty());
    for (const Advised& each : settings) {
      CAPTURE(to_text(each.setting));
      CHECK(meets(each.setting, needs));
    }
    for (std::size_t i = 1; i < settings.size(); ++i) {
      const Setting& before = settings[i - 1].setting;
      const Setting& after = settings[i].setting;
      CHECK(after.retry_period < before.retry_period);
      CHECK(bounds_with(after, needs).timing->crash.most <
            bounds_with(before, needs).timing->crash.most);
    }
  }
}

TEST_CASE("durations are as round as the needs allow, finer ones save a tenth of the requests") {
  // 20s are survived with retries 5s apart when the deadline is just longer than 20s.
  CHECK(advise(example(), {}, 5) == std::vector<Advised>{{{28s, 20100ms, 5s}, Ladder::tenths}});
  Needs cheap = example();
  cheap.erase(cheap.begin() + 4);
  const std::vector<Advised> settings = advise(cheap, {}, 5);
  REQUIRE(settings.size() == 5);
  CHECK(settings[0] == Advised{{28s, 20100ms, 5s}, Ladder::tenths});
  CHECK(settings[1] == Advised{{28s, 21s, 4s}, Ladder::seconds});
  CHECK(settings[2] == Advised{{30s, 25s, 2s}, Ladder::round});
}

// Every setting on a coarse lattice, tried one by one, is no better than what the search finds.
TEST_CASE("the search misses no setting on a lattice that an enumeration finds") {
  const Needs needs{need(Kind::failover, "max < 45s"), need(Kind::outage, "9s"),
                    need(Kind::pause, "4s:cut"), standing_margin(0s)};
  Duration longest{};
  for (Duration retry = 1s; retry <= 8s; retry += 1s) {
    for (Duration deadline = 2s; deadline <= 40s; deadline += 1s) {
      for (Duration lease = deadline + 1s; lease <= 45s; lease += 1s) {
        if (meets({lease, deadline, retry}, needs)) longest = std::max(longest, retry);
      }
    }
  }
  REQUIRE(longest > 0s);
  const std::vector<Advised> settings = advise(needs, {}, 1);
  REQUIRE_FALSE(settings.empty());
  CHECK(settings.front().setting.retry_period >= longest);
}

TEST_CASE("p99 < 30 s, an outage of 20 s and 0.5 requests/s conflict, and no two of them do") {
  const Needs needs = impossible();
  CHECK(advise(needs, {}, 5).empty());
  const Conflict conflict = conflict_of(needs, {});
  REQUIRE(conflict.needs.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    Needs others = needs;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK_FALSE(advise(others, {}, 1).empty());
    const Relief& relief = conflict.needs[i];
    REQUIRE(relief.limit);
    REQUIRE(relief.setting);
    Needs relieved = needs;
    relieved[relief.need].amount = *relief.amount;
    CHECK(meets(*relief.setting, relieved));
    // The limit is one: a thousandth before it there is nothing.
    relieved[relief.need].amount = *relief.limit;
    CHECK_FALSE(advise(relieved, {}, 1).empty());
    relieved[relief.need].amount += is_upper(relieved[relief.need].kind) ? -1'000'000 : 1'000'000;
    CHECK(advise(relieved, {}, 1).empty());
  }
}

TEST_CASE("needs that have no part in a conflict are not named") {
  Needs needs = impossible();
  needs.insert(needs.begin(), need(Kind::pause, "1s"));
  needs.push_back(standing_margin(0s));
  const Conflict conflict = conflict_of(needs, {});
  REQUIRE(conflict.needs.size() == 3);
  for (const Relief& relief : conflict.needs) CHECK(needs[relief.need].kind != Kind::pause);
}

TEST_CASE("a need that nothing meets is a conflict of its own") {
  const Needs needs{need(Kind::failover, "p(99) < 500ms"), standing_margin(0s)};
  const Conflict conflict = conflict_of(needs, {});
  REQUIRE(conflict.needs.size() == 1);
  CHECK(conflict.needs[0].limit);
}

TEST_CASE("a value that is no need says what would be one") {
  CHECK(refused(Kind::failover, "40s").find("comparison") != std::string::npos);
  CHECK(refused(Kind::failover, "p(99) > 40s").find("from above") != std::string::npos);
  CHECK(refused(Kind::failover, "count < 4").find("from above") != std::string::npos);
  CHECK(refused(Kind::outage, "20").find("not a duration") != std::string::npos);
  CHECK(refused(Kind::outage, "20s:hangin").find("did you mean \"hanging\"?") != std::string::npos);
  CHECK(refused(Kind::pause, "20s:hanging").find("neither healthy nor cut") != std::string::npos);
  CHECK(refused(Kind::handover, "20s:cut").find("not a duration") != std::string::npos);
  CHECK(refused(Kind::clock_ratio, "0.9").find("ratio") != std::string::npos);
  // A confirming run could not have such a clock: a scenario's goes up to 2.
  CHECK(need(Kind::clock_ratio, "2").amount == 2'000'000'000);
  for (const char* ratio : {"2.0000000001", "2.5", "999"})
    CHECK(refused(Kind::clock_ratio, ratio).find("ratio") != std::string::npos);
  CHECK(refused(Kind::requests, "0.5").find("per second") != std::string::npos);
  CHECK(refused(Kind::requests, "0/s").find("per second") != std::string::npos);
  CHECK(refused(Kind::margin, "-1s").find("between 0s and 24h") != std::string::npos);
}

TEST_CASE("a need is told as it was written") {
  for (const auto& [kind, text] :
       {std::pair{Kind::failover, "p(99.9) < 40s"}, std::pair{Kind::failover, "max <= 163s"},
        std::pair{Kind::failover, "avg < 1.5s"}, std::pair{Kind::clock_ratio, "1.1"},
        std::pair{Kind::requests, "0.5/s"}, std::pair{Kind::handover, "26s"}}) {
    CHECK(value_text(need(kind, text)) == text);
  }
  CHECK(value_text(need(Kind::failover, "p(100) < 40s")) == "max < 40s");
  CHECK(value_text(need(Kind::outage, "20s")) == "20s, refused");
  CHECK(value_text(need(Kind::pause, "1m:cut")) == "60s, cut");
}

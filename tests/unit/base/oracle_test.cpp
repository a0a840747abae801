#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <Random123/philox.h>
#include <doctest/doctest.h>

#include <tenure/base/oracle.hpp>

using namespace tenure;

namespace {

using Words = std::array<std::uint64_t, 2>;

Words philox(Words counter, std::uint64_t key) {
  const auto block = r123::Philox2x64()({{counter[0], counter[1]}}, {{key}});
  return {block[0], block[1]};
}

// Philox2x64-10 written from the paper (Salmon, Moraes, Dror, Shaw, SC'11, section 4.3), so that a
// changed library is noticed even where the published vectors do not look.
Words philox_from_the_paper(Words counter, std::uint64_t key) {
  __extension__ using Wide = unsigned __int128;
  for (int round = 0; round < 10; ++round) {
    const Wide product = static_cast<Wide>(counter[0]) * 0xD2B74407B1CE6E93U;
    const auto high = static_cast<std::uint64_t>(product >> 64);
    counter = {high ^ key ^ counter[1], static_cast<std::uint64_t>(product)};
    key += 0x9E3779B97F4A7C15U;
  }
  return counter;
}

std::vector<std::uint64_t> draws(SeededOracle oracle, Stream stream, std::uint64_t count) {
  std::vector<std::uint64_t> answers;
  for (std::uint64_t n = 0; n < count; ++n) answers.push_back(oracle.pick({stream, n}, 999));
  return answers;
}

}  // namespace

// Random123 1.14, tests/kat_vectors, "philox2x64 10".
TEST_CASE("Philox2x64-10 gives the known answers that Random123 publishes") {
  CHECK(philox({0, 0}, 0) == Words{0xca00a0459843d731U, 0x66c24222c9a845b5U});
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  CHECK(philox({ones, ones}, ones) == Words{0x65b021d60cd8310fU, 0x4d02f3222f86df20U});
  CHECK(philox({0x243f6a8885a308d3U, 0x13198a2e03707344U}, 0xa4093822299f31d0U) ==
        Words{0x0a5e742c2997341cU, 0xb0f883d38000de5dU});
}

TEST_CASE("Philox2x64-10 is the function of the paper") {
  std::uint64_t word = 1;
  for (int i = 0; i < 100; ++i) {
    word = word * 6364136223846793005U + 1442695040888963407U;
    const Words counter{word, word ^ (word >> 7)};
    CHECK(philox(counter, word * 3) == philox_from_the_paper(counter, word * 3));
  }
}

TEST_CASE("an answer never exceeds its bound, and reaches both ends") {
  SeededOracle oracle(1, 0);
  const Stream stream = stream_named("process/web-2/jitter");
  std::map<std::uint64_t, int> seen;
  for (std::uint64_t n = 0; n < 1000; ++n) ++seen[oracle.pick({stream, n}, 4)];
  CHECK(seen.size() == 5);
  CHECK(seen.begin()->first == 0);
  CHECK(seen.rbegin()->first == 4);
  for (const auto& [answer, times] : seen) CHECK(times > 150);
  CHECK(oracle.pick({stream, 0}, 0) == 0);
}

TEST_CASE("the largest bound leaves the word as it is") {
  SeededOracle oracle(1, 0);
  CHECK(oracle.pick({stream_named("a"), 7}, ~std::uint64_t{0}) > 0);
}

TEST_CASE("a draw does not depend on what was drawn before it, nor on other streams") {
  const Stream stream = stream_named("link/a>b/latency");
  SeededOracle fresh(7, 3);
  const std::uint64_t alone = fresh.pick({stream, 41}, 1'000'000);
  SeededOracle busy(7, 3);
  for (std::uint64_t n = 0; n < 100; ++n) busy.pick({stream_named("fault/kill/at"), n}, n);
  CHECK(busy.pick({stream, 41}, 1'000'000) == alone);
}

TEST_CASE("a stream's key comes from its name alone, in whatever order names are made") {
  const std::vector<std::string> names{"process/kcm-0/jitter", "process/kcm-1/jitter",
                                       "fault/kill/at", "link/a>b/latency"};
  std::map<std::string, std::uint64_t> forward;
  for (const auto& name : names) forward[name] = stream_named(name).key;
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    CHECK(stream_named(*name).key == forward[*name]);
  }
  CHECK(stream_named("process/kcm-0/jitter").key == 0x5b8b24fd2921e2dcU);
}

TEST_CASE("names that differ in one letter have different keys") {
  std::map<std::uint64_t, std::string> seen;
  for (int i = 0; i < 10'000; ++i) {
    const std::string name = "process/web-" + std::to_string(i) + "/jitter";
    CHECK(seen.emplace(stream_named(name).key, name).second);
  }
}

TEST_CASE("seed, run and stream each change the draws") {
  const Stream stream = stream_named("a");
  const auto reference = draws(SeededOracle(1, 0), stream, 20);
  CHECK(draws(SeededOracle(1, 0), stream, 20) == reference);
  CHECK(draws(SeededOracle(2, 0), stream, 20) != reference);
  CHECK(draws(SeededOracle(1, 1), stream, 20) != reference);
  CHECK(draws(SeededOracle(1, 0), stream_named("b"), 20) != reference);
}

TEST_CASE("a recording repeats as a script") {
  SeededOracle seeded(5, 9);
  RecordingOracle recording(seeded);
  std::vector<std::uint64_t> answers;
  for (std::uint64_t n = 0; n < 10; ++n) {
    answers.push_back(recording.pick({stream_named("x"), n}, 10 * n));
  }
  std::vector<std::uint64_t> kept;
  for (const auto& choice : recording.choices()) kept.push_back(choice.answer);
  CHECK(kept == answers);
  ScriptedOracle script(kept);
  for (std::uint64_t n = 0; n < 10; ++n) {
    CHECK(script.pick({stream_named("x"), n}, 10 * n) == answers[n]);
  }
  CHECK(script.exhausted());
}

TEST_CASE("a chosen answer is given by the name of its draw, whatever is asked before it") {
  const Stream jitter = stream_named("process/web-0/jitter");
  ChosenOracle chosen({{{jitter, 1}, 7}, {{stream_named("fault/kill/at"), 0}, 3}}, nullptr);
  CHECK(chosen.pick({stream_named("fault/kill/at"), 0}, 9) == 3);
  CHECK(chosen.pick({jitter, 0}, 9) == 0);
  CHECK(chosen.pick({jitter, 1}, 9) == 7);
  CHECK(chosen.pick({jitter, 1}, 9) == 7);
  CHECK_FALSE(chosen.misfit());
}

TEST_CASE("what is not chosen is answered by another oracle, or simplest") {
  const Stream stream = stream_named("a");
  SeededOracle seeded(1, 0);
  ChosenOracle with_seed({{{stream, 3}, 0}}, &seeded);
  ChosenOracle simplest({{{stream, 3}, 0}}, nullptr);
  for (std::uint64_t n = 0; n < 6; ++n) {
    CHECK(with_seed.pick({stream, n}, 999) == (n == 3 ? 0 : seeded.pick({stream, n}, 999)));
    CHECK(simplest.pick({stream, n}, 999) == 0);
  }
}

TEST_CASE("an answer that was never asked for is a misfit, the first of them") {
  const Stream stream = stream_named("a");
  ChosenOracle chosen({{{stream, 2}, 1}, {{stream, 1}, 1}, {{stream, 0}, 1}}, nullptr);
  CHECK(chosen.misfit() == 0);
  chosen.pick({stream, 2}, 5);
  CHECK(chosen.misfit() == 1);
  CHECK_FALSE(chosen.bound_of(1));
  chosen.pick({stream, 1}, 1);
  chosen.pick({stream, 0}, 1);
  CHECK_FALSE(chosen.misfit());
  CHECK(chosen.bound_of(0) == 5);
}

TEST_CASE("an answer beyond its bound is cut, and a misfit for good") {
  const Draw draw{stream_named("a"), 0};
  ChosenOracle chosen({{draw, 6}}, nullptr);
  CHECK(chosen.pick(draw, 5) == 5);
  CHECK(chosen.misfit() == 0);
  CHECK(chosen.bound_of(0) == 5);
  CHECK(chosen.pick(draw, 6) == 6);
  CHECK(chosen.misfit() == 0);
}

TEST_CASE("of two answers to one draw the first counts and the second is a misfit") {
  const Draw draw{stream_named("a"), 0};
  ChosenOracle chosen({{draw, 1}, {draw, 2}}, nullptr);
  CHECK(chosen.pick(draw, 5) == 1);
  CHECK(chosen.misfit() == 1);
}

TEST_CASE("a recording repeats as a choice of all its answers") {
  SeededOracle seeded(5, 9);
  RecordingOracle recording(seeded);
  for (std::uint64_t n = 0; n < 10; ++n) recording.pick({stream_named("x"), n}, 10 * n);
  std::vector<ChosenOracle::Answer> answers;
  for (const auto& choice : recording.choices()) answers.push_back({choice.draw, choice.answer});
  ChosenOracle chosen(answers, nullptr);
  for (const auto& choice : recording.choices())
    CHECK(chosen.pick(choice.draw, choice.bound) == choice.answer);
  CHECK_FALSE(chosen.misfit());
}

TEST_CASE("exhausting a step answers its questions in every combination, once each") {
  const Draw first{stream_named("a"), 0};
  const Draw second{stream_named("b"), 0};
  ExhaustiveOracle oracle;
  oracle.begin();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen;
  do {
    const std::uint64_t one = oracle.pick(first, 2);
    // The second question depends on the first answer: after 1 it is not asked.
    seen.emplace_back(one, one == 1 ? 9 : oracle.pick(second, one));
  } while (oracle.advance());
  CHECK(seen == decltype(seen){{0, 0}, {1, 9}, {2, 0}, {2, 1}, {2, 2}});
}

TEST_CASE("a step without questions is made once") {
  ExhaustiveOracle oracle;
  oracle.begin();
  CHECK_FALSE(oracle.advance());
  CHECK(oracle.answers().empty());
}

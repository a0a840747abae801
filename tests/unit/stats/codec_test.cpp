#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/base/oracle.hpp>
#include <tenure/stats/codec.hpp>

using namespace tenure;
using namespace tenure::stats;

namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t any_number = 1'000'000;

std::string encoded(const std::vector<std::int64_t>& values) {
  std::string text;
  DeltaEncoder encoder([&](std::string_view piece) { text += piece; });
  for (const std::int64_t value : values) encoder.put(value);
  encoder.finish();
  return text;
}

}  // namespace

// Differences 1, -1, 0, 64 are 2, 1, 0 and 128 by zigzag; 128 takes two bytes: 02 01 00 80 01.
TEST_CASE("an encoding worked out by hand") {
  CHECK(encoded({1, 0, 0, 64}) == "AgEAgAE=");
  CHECK(encoded({}) == "");
  CHECK(encoded({0}) == "AA==");
}

TEST_CASE("what is encoded decodes to the same") {
  const std::vector<std::vector<std::int64_t>> cases{
      {}, {0}, {most}, {least}, {least, most, least}, {most, least, 0, -1, 1}, {5, 5, 5, 5}};
  for (const auto& values : cases) CHECK(decode_deltas(encoded(values), any_number) == values);
}

TEST_CASE("random values of every size and number decode to the same") {
  SeededOracle oracle(1, 0);
  const Stream stream = stream_named("codec");
  std::uint64_t number = 0;
  for (std::size_t count = 0; count < 200; ++count) {
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t word = oracle.pick({stream, number++}, ~std::uint64_t{0});
      values.push_back(static_cast<std::int64_t>(word >> oracle.pick({stream, number++}, 63)));
    }
    CHECK(decode_deltas(encoded(values), any_number) == values);
  }
}

TEST_CASE("a large metric leaves in pieces of at most 4 KiB") {
  Samples samples(Unit::nanosecond);
  for (std::uint64_t run = 0; run < 100'000; ++run) {
    samples.add({static_cast<std::int64_t>(run * 7919 % 10'000'000'019U), run});
  }
  std::string text;
  std::size_t largest = 0;
  encode_values(samples, [&](std::string_view piece) {
    largest = std::max(largest, piece.size());
    text += piece;
  });
  CHECK(largest <= 4096);
  CHECK(decode_deltas(text, any_number) == samples.values());
}

TEST_CASE("runs and faults are encoded like values") {
  Samples samples(Unit::nanosecond);
  samples.add({10, 4, 0, false});
  samples.add({11, 4, 1, false});
  samples.add({12, 7, 0, false});
  std::string runs, faults;
  encode_runs(samples, [&](std::string_view piece) { runs += piece; });
  encode_faults(samples, [&](std::string_view piece) { faults += piece; });
  CHECK(decode_deltas(runs, any_number) == std::vector<std::int64_t>{4, 4, 7});
  CHECK(decode_deltas(faults, any_number) == std::vector<std::int64_t>{0, 1, 0});
}

TEST_CASE("what is no encoding is refused") {
  CHECK_FALSE(decode_deltas("A", any_number));                 // no group of four
  CHECK_FALSE(decode_deltas("A*==", any_number));              // no digit
  CHECK_FALSE(decode_deltas("A===", any_number));              // a single digit is no byte
  CHECK_FALSE(decode_deltas("AA==AA==", any_number));          // padding inside
  CHECK_FALSE(decode_deltas("AB==", any_number));              // bits beyond the last byte
  CHECK_FALSE(decode_deltas("gA==", any_number));              // ends within a number
  CHECK_FALSE(decode_deltas("gAA=", any_number));              // 0 in two bytes
  CHECK_FALSE(decode_deltas("/////////////w==", any_number));  // more than 64 bits
}

TEST_CASE("a text of more values than expected is refused before it fills the memory") {
  CHECK(decode_deltas("AAAA", 3) == std::vector<std::int64_t>{0, 0, 0});
  CHECK_FALSE(decode_deltas("AAAA", 2));
}

#include <array>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include <tenure/base/text.hpp>

using namespace tenure;
using namespace std::chrono_literals;
using namespace std::string_view_literals;

TEST_CASE("a duration is written in Go's notation without parts that are zero") {
  CHECK(duration_text(0s) == "0s");
  CHECK(duration_text(15s) == "15s");
  CHECK(duration_text(90s) == "1m30s");
  CHECK(duration_text(3min) == "3m");
  CHECK(duration_text(1h + 5s) == "1h5s");
  CHECK(duration_text(250ms) == "250ms");
  CHECK(duration_text(1500ms) == "1.5s");
  CHECK(duration_text(1500us) == "1.5ms");
  CHECK(duration_text(7us) == "7us");
  CHECK(duration_text(1ns) == "1ns");
  CHECK(duration_text(-90s) == "-1m30s");
}

TEST_CASE("every duration is read back as it was written") {
  const std::array<std::int64_t, 9> counts{0,
                                           1,
                                           -1,
                                           999'999'999,
                                           1'000'000'001,
                                           3'600'000'000'000,
                                           123'456'789'012'345'678,
                                           std::numeric_limits<std::int64_t>::max(),
                                           std::numeric_limits<std::int64_t>::min()};
  for (const std::int64_t count : counts) {
    CAPTURE(count);
    const ParsedDuration again = parse_duration(duration_text(Duration{count}));
    CHECK(again.fault == ParsedDuration::Fault::none);
    CHECK(again.value.count() == count);
  }
}

TEST_CASE("durations compared with each other are written in seconds") {
  CHECK(seconds_text(270s) == "270s");
  CHECK(seconds_text(2005ms) == "2.005s");
  CHECK(seconds_text(0s) == "0s");
}

TEST_CASE("a duration needs a unit, except zero") {
  using Fault = ParsedDuration::Fault;
  CHECK(parse_duration("0").fault == Fault::none);
  CHECK(parse_duration("15").fault == Fault::no_unit);
  CHECK(parse_duration("1m30").fault == Fault::no_unit);
  CHECK(parse_duration("1d").fault == Fault::unknown_unit);
  CHECK(parse_duration("1d").unit == "d");
  CHECK(parse_duration("15 s").fault == Fault::unknown_unit);
  CHECK(parse_duration("").fault == Fault::not_a_duration);
  CHECK(parse_duration("-").fault == Fault::not_a_duration);
  CHECK(parse_duration(".s").fault == Fault::not_a_duration);
  CHECK(parse_duration("s").fault == Fault::not_a_duration);
  CHECK(parse_duration("--5s").fault == Fault::not_a_duration);
}

TEST_CASE("Go's spellings of a duration are understood") {
  CHECK(parse_duration("1h15m30.918s").value == 1h + 15min + 30s + 918ms);
  CHECK(parse_duration("1.5h").value == 90min);
  CHECK(parse_duration(".5s").value == 500ms);
  CHECK(parse_duration("5.s").value == 5s);
  CHECK(parse_duration("+5s").value == 5s);
  CHECK(parse_duration("-2m3.4s").value == -(2min + 3400ms));
  CHECK(parse_duration("10\xC2\xB5s").value == 10us);  // U+00B5
  CHECK(parse_duration("10\xCE\xBCs").value == 10us);  // U+03BC
}

TEST_CASE("a duration of more than 292 years does not fit") {
  using Fault = ParsedDuration::Fault;
  CHECK(parse_duration("9223372036854775807ns").value == longest_duration);
  CHECK(parse_duration("9223372036854775808ns").fault == Fault::too_long);
  CHECK(parse_duration("-9223372036854775808ns").fault == Fault::none);
  CHECK(parse_duration("-9223372036854775809ns").fault == Fault::too_long);
  CHECK(parse_duration("2562048h").fault == Fault::too_long);
  CHECK(parse_duration("99999999999999999999999999999999999999999999h").fault == Fault::too_long);
  CHECK(parse_duration(std::string(100'000, '9') + "s").fault == Fault::too_long);
}

TEST_CASE("decimals are exact") {
  CHECK(parse_decimal("0.01") == Ratio{1, 100});
  CHECK(parse_decimal("1.0002") == Ratio{5001, 5000});
  CHECK(parse_decimal("-0.5") == Ratio{-1, 2});
  CHECK(parse_decimal("1e-3") == Ratio{1, 1000});
  CHECK(parse_decimal("2.50") == Ratio{5, 2});
  CHECK(parse_decimal("0.0") == Ratio{0, 1});
  CHECK(parse_decimal("1e3") == Ratio{1000, 1});
  for (const std::string bad : {"", ".", "1.", ".5", "x", "1x", "1e", "1e999", "0x1", "nan",
                                "1234567890123456789", "0.1234567890123"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_decimal(bad));
  }
  CHECK(decimal_text(Ratio{1, 100}) == "0.01");
  CHECK(decimal_text(Ratio{-5001, 5000}) == "-1.0002");
  CHECK(decimal_text(Ratio{3, 1}) == "3");
}

TEST_CASE("whole numbers have digits only") {
  CHECK(parse_whole("0") == 0);
  CHECK(parse_whole("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  for (const std::string bad : {"", "0123", "-1", "+1", "1.0", "9223372036854775808", " 1"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_whole(bad));
  }
}

TEST_CASE("a swap of neighbours is one edit, and case does not count") {
  CHECK(edit_distance("renewDeadLine", "renewDeadline") == 0);
  CHECK(edit_distance("sweeep", "sweep") == 1);
  CHECK(edit_distance("puase", "pause") == 1);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("ca", "abc") ==
        3);  // optimal string alignment, not the unrestricted distance
}

TEST_CASE("one name is suggested, or none") {
  constexpr std::array names{"pause"sv, "crash"sv, "loss"sv, "leaseDuration"sv};
  constexpr std::array aliases{Alias{"freeze", "pause"}, Alias{"ttl", "leaseDuration"},
                               Alias{"x", "notHere"}};
  CHECK(did_you_mean("puase", names, aliases) == "pause");
  CHECK(did_you_mean("FREEZE", names, aliases) == "pause");
  CHECK(did_you_mean("ttl", names, aliases) == "leaseDuration");
  CHECK(did_you_mean("los", names, aliases) == "loss");
  CHECK_FALSE(did_you_mean("lo", names, aliases));  // two edits are too many for a short word
  CHECK_FALSE(did_you_mean("x", names, aliases));   // the alias of a name that is not offered
  CHECK_FALSE(did_you_mean("entirely", names, aliases));
  CHECK_FALSE(did_you_mean(std::string(1'000'000, 'p'), names, aliases));
}

TEST_CASE("invalid UTF-8 is found where it begins") {
  constexpr auto none = std::string_view::npos;
  CHECK(first_invalid_utf8("plain \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80") == none);
  CHECK(first_invalid_utf8("ab\xFF") == 2);
  CHECK(first_invalid_utf8("\xC0\xAF") == 0);          // overlong
  CHECK(first_invalid_utf8("\xE0\x80\xAF") == 0);      // overlong
  CHECK(first_invalid_utf8("\xED\xA0\x80") == 0);      // surrogate
  CHECK(first_invalid_utf8("\xF4\x90\x80\x80") == 0);  // above U+10FFFF
  CHECK(first_invalid_utf8("a\xE2\x82") == 1);         // cut off
  CHECK(code_points("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80") == 3);
}

TEST_CASE("control and direction-changing characters are shown, not obeyed") {
  CHECK(visible("a\x1b[31mb\n") == "a\\x1b[31mb\\n");
  CHECK(visible("\xE2\x80\xAE") == "\\u202e");
  CHECK(visible("\xC2\x9B") == "\\u009b");
  CHECK(visible("caf\xC3\xA9") == "caf\xC3\xA9");
  CHECK(visible("\xFF") == "\xEF\xBF\xBD");
  CHECK(code_points(visible_in_place("a\x1b\tb\xE2\x80\xAE")) == 5);
  CHECK(quoted(std::string(100, 'x')) == "\"" + std::string(60, 'x') + "...\"");
}

// Text that people write and read: durations, decimals, names that are nearly right, and strings
// that must be shown without letting their control characters through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <tenure/base/ratio.hpp>
#include <tenure/base/time.hpp>

namespace tenure {

// The number of code points of valid UTF-8, and where the next one begins.
std::size_t code_points(std::string_view utf8);
std::size_t next_code_point(std::string_view utf8, std::size_t at);

// The byte at which `utf8` stops being UTF-8 (overlong forms and surrogates included); npos: it is.
std::size_t first_invalid_utf8(std::string_view utf8);

// `text` with control, invisible and direction-changing characters escaped: "\n", "\x1b", "\u202e".
std::string visible(std::string_view text);

// `text` the way messages quote it: visible, cut to 60 code points, in double quotes.
std::string quoted(std::string_view text);

// The same length in code points with such characters replaced, so that a caret below still fits.
std::string visible_in_place(std::string_view line);

// Insertions, deletions, replacements and swaps of neighbours that turn one into the other,
// ignoring case (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

// A word people use for something that has another name here.
struct Alias {
  std::string_view written;
  std::string_view meant;
};

// The one name that was probably meant: a known alias of one of `names`, or the nearest within two
// edits (one for words of up to four letters).
std::optional<std::string_view> did_you_mean(std::string_view written,
                                             std::span<const std::string_view> names,
                                             std::span<const Alias> aliases = {});

// A duration in Go's notation without parts that are zero: "15s", "1m30s", "250ms", "1.5s", "0s".
std::string duration_text(Duration duration);

// The same in seconds whatever its length: "270s", "2.005s". Leases are compared in seconds.
std::string seconds_text(Duration duration);

struct ParsedDuration {
  enum class Fault : std::uint8_t { none, not_a_duration, no_unit, unknown_unit, too_long };

  Fault fault = Fault::none;
  Duration value{};
  std::string_view unit;  // the unknown one
};

// Go's duration syntax (time.ParseDuration): [+-]number unit..., with "0" as the only bare number.
// Digits below a nanosecond are cut off.
ParsedDuration parse_duration(std::string_view text);

// A decimal number exactly, at most 18 significant digits and 12 of them after the point; the sign
// is the numerator's.
std::optional<Ratio> parse_decimal(std::string_view text);

// A whole number in [0, 2^63).
std::optional<std::int64_t> parse_whole(std::string_view digits);

// A ratio as the decimal number it came from: "0.01", "1.5".
std::string decimal_text(Ratio ratio);

}  // namespace tenure

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>

namespace tenure {

namespace {

__extension__ using Wide = __int128;

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool is_continuation(std::string_view text, std::size_t at) {
  return at < text.size() && (byte_at(text, at) & 0xC0U) == 0x80U;
}

std::size_t length_of_sequence(unsigned lead) {
  if (lead < 0x80U) return 1;
  if (lead >= 0xC2U && lead < 0xE0U) return 2;
  if (lead >= 0xE0U && lead < 0xF0U) return 3;
  if (lead >= 0xF0U && lead < 0xF5U) return 4;
  return 0;
}

// Unicode's table 3-7: the second byte is narrower after some first ones, which excludes overlong
// forms, surrogates and what lies above U+10FFFF.
bool is_second_byte(unsigned lead, unsigned second) {
  if (lead == 0xE0U) return second >= 0xA0U && second < 0xC0U;
  if (lead == 0xEDU) return second >= 0x80U && second < 0xA0U;
  if (lead == 0xF0U) return second >= 0x90U && second < 0xC0U;
  if (lead == 0xF4U) return second >= 0x80U && second < 0x90U;
  return second >= 0x80U && second < 0xC0U;
}

std::uint32_t code_point_at(std::string_view text, std::size_t at, std::size_t length) {
  if (length == 1) return byte_at(text, at);
  std::uint32_t value = byte_at(text, at) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) value = (value << 6U) | (byte_at(text, at + i) & 0x3FU);
  return value;
}

// Characters that would move the cursor, vanish or turn the direction of what follows.
bool is_hidden(std::uint32_t c) {
  return c < 0x20U || (c >= 0x7FU && c < 0xA0U) || c == 0xADU || c == 0x061CU ||
         (c >= 0x200BU && c <= 0x200FU) || (c >= 0x2028U && c <= 0x202EU) ||
         (c >= 0x2060U && c <= 0x206FU) || c == 0xFEFFU || (c >= 0xFFF0U && c <= 0xFFFBU) ||
         (c >= 0xE0000U && c <= 0xE007FU);
}

std::string escaped(std::uint32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  if (c == '\r') return "\\r";
  if (c < 0x80U) return fmt::format("\\x{:02x}", c);
  if (c < 0x10000U) return fmt::format("\\u{:04x}", c);
  return fmt::format("\\U{:08x}", c);
}

std::string control_picture(std::uint32_t c) {
  if (c == '\t') return " ";
  if (c < 0x20U) return fmt::format("\xE2\x90{}", static_cast<char>(0x80U + c));
  return "\xEF\xBF\xBD";
}

// Calls visit(code point, its bytes); a byte that is not UTF-8 arrives as U+FFFD.
template <class Visit>
void for_each_code_point(std::string_view text, Visit visit) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = next_code_point(text, at);
    const std::string_view bytes = text.substr(at, end - at);
    const bool broken = bytes.size() == 1 && byte_at(bytes, 0) >= 0x80U;
    if (broken) {
      visit(std::uint32_t{0xFFFD}, std::string_view{"\xEF\xBF\xBD"});
    } else {
      visit(code_point_at(bytes, 0, bytes.size()), bytes);
    }
    at = end;
  }
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::size_t next_code_point(std::string_view utf8, std::size_t at) {
  const unsigned lead = byte_at(utf8, at);
  const std::size_t length = length_of_sequence(lead);
  if (length < 2) return at + 1;
  if (at + 1 >= utf8.size() || !is_second_byte(lead, byte_at(utf8, at + 1))) return at + 1;
  for (std::size_t i = 2; i < length; ++i) {
    if (!is_continuation(utf8, at + i)) return at + 1;
  }
  return at + length;
}

std::size_t code_points(std::string_view utf8) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < utf8.size(); at = next_code_point(utf8, at)) ++count;
  return count;
}

std::size_t first_invalid_utf8(std::string_view utf8) {
  for (std::size_t at = 0; at < utf8.size();) {
    const std::size_t end = next_code_point(utf8, at);
    if (end == at + 1 && byte_at(utf8, at) >= 0x80U) return at;
    at = end;
  }
  return std::string_view::npos;
}

std::string visible(std::string_view text) {
  std::string out;
  for_each_code_point(text, [&](std::uint32_t c, std::string_view bytes) {
    if (is_hidden(c)) {
      out += escaped(c);
    } else {
      out += bytes;
    }
  });
  return out;
}

std::string visible_in_place(std::string_view line) {
  std::string out;
  for_each_code_point(line, [&](std::uint32_t c, std::string_view bytes) {
    if (is_hidden(c)) {
      out += control_picture(c);
    } else {
      out += bytes;
    }
  });
  return out;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::size_t at = 0;
  for (std::size_t i = 0; i < longest && at < text.size(); ++i) at = next_code_point(text, at);
  return fmt::format("\"{}{}\"", visible(text.substr(0, at)), at < text.size() ? "..." : "");
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::optional<std::string_view> did_you_mean(std::string_view written,
                                             std::span<const std::string_view> names,
                                             std::span<const Alias> aliases) {
  // No name is that long, and the distance of two long words costs their product.
  if (written.size() > 64) return std::nullopt;
  for (const Alias& alias : aliases) {
    if (!same_word(alias.written, written)) continue;
    if (std::find(names.begin(), names.end(), alias.meant) != names.end()) return alias.meant;
  }
  std::size_t best = written.size() <= 4 ? 1 : 2;
  std::optional<std::string_view> nearest;
  for (const std::string_view name : names) {
    const std::size_t distance = edit_distance(written, name);
    if (distance > best || (nearest && distance == best)) continue;
    best = distance;
    nearest = name;
  }
  return nearest;
}

namespace {

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};

constexpr std::array<Unit, 8> units{{{"ns", 1},
                                     {"us", 1'000},
                                     {"\xC2\xB5s", 1'000},
                                     {"\xCE\xBCs", 1'000},
                                     {"ms", 1'000'000},
                                     {"s", 1'000'000'000},
                                     {"m", 60'000'000'000},
                                     {"h", 3'600'000'000'000}}};

// `count` units of 10^-`decimals` as a decimal number without zeros at its end.
std::string with_point(std::uint64_t count, std::size_t decimals) {
  std::string digits = fmt::format("{:0{}}", count, decimals + 1);
  std::string fraction = digits.substr(digits.size() - decimals);
  digits.resize(digits.size() - decimals);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return fraction.empty() ? digits : digits + "." + fraction;
}

struct Magnitude {
  bool negative;
  std::uint64_t value;
};

Magnitude magnitude_of(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return {value < 0, value < 0 ? ~bits + 1 : bits};
}

std::string below_a_second(std::uint64_t ns) {
  if (ns >= 1'000'000) return with_point(ns, 6) + "ms";
  if (ns >= 1'000) return with_point(ns, 3) + "us";
  return fmt::format("{}ns", ns);
}

}  // namespace

std::string duration_text(Duration duration) {
  const auto [negative, total] = magnitude_of(duration.count());
  if (total == 0) return "0s";
  std::string out = negative ? "-" : "";
  constexpr std::uint64_t second = 1'000'000'000;
  if (total < second) return out + below_a_second(total);
  const std::uint64_t hours = total / (3600 * second);
  const std::uint64_t minutes = total / (60 * second) % 60;
  const std::uint64_t rest = total % (60 * second);
  if (hours > 0) out += fmt::format("{}h", hours);
  if (minutes > 0) out += fmt::format("{}m", minutes);
  if (rest > 0) out += with_point(rest, 9) + "s";
  return out;
}

std::string seconds_text(Duration duration) {
  const auto [negative, total] = magnitude_of(duration.count());
  return fmt::format("{}{}s", negative ? "-" : "", with_point(total, 9));
}

namespace {

// One "number unit" of a duration, taken from the front of `rest`; its value in nanoseconds.
struct Part {
  ParsedDuration::Fault fault = ParsedDuration::Fault::none;
  Wide nanoseconds = 0;
  std::string_view unit;
};

constexpr Wide most_nanoseconds = Wide{std::numeric_limits<std::int64_t>::max()} + 1;

std::string_view take_digits(std::string_view& rest) {
  std::size_t end = 0;
  while (end < rest.size() && is_digit(rest[end])) ++end;
  const std::string_view digits = rest.substr(0, end);
  rest.remove_prefix(end);
  return digits;
}

std::string_view take_unit(std::string_view& rest) {
  std::size_t end = 0;
  while (end < rest.size() && rest[end] != '.' && !is_digit(rest[end])) ++end;
  const std::string_view unit = rest.substr(0, end);
  rest.remove_prefix(end);
  return unit;
}

Wide whole_times(std::string_view digits, std::int64_t unit) {
  Wide value = 0;
  for (const char c : digits) {
    value = value * 10 + (c - '0');
    if (value > most_nanoseconds) return most_nanoseconds + 1;
  }
  return value * unit;
}

Wide fraction_times(std::string_view digits, std::int64_t unit) {
  Wide value = 0;
  Wide scale = 1;
  for (const char c : digits.substr(0, 18)) {
    value = value * 10 + (c - '0');
    scale *= 10;
  }
  return value * unit / scale;
}

Part take_part(std::string_view& rest) {
  using Fault = ParsedDuration::Fault;
  const std::string_view whole = take_digits(rest);
  std::string_view fraction;
  if (!rest.empty() && rest.front() == '.') {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
  }
  if (whole.empty() && fraction.empty()) return {Fault::not_a_duration, 0, {}};
  const std::string_view name = take_unit(rest);
  if (name.empty()) return {Fault::no_unit, 0, {}};
  const auto unit =
      std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == name; });
  if (unit == units.end()) return {Fault::unknown_unit, 0, name};
  return {Fault::none,
          whole_times(whole, unit->nanoseconds) + fraction_times(fraction, unit->nanoseconds),
          name};
}

}  // namespace

ParsedDuration parse_duration(std::string_view text) {
  using Fault = ParsedDuration::Fault;
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest.front() == '-';
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) rest.remove_prefix(1);
  if (rest == "0") return {};
  if (rest.empty()) return {Fault::not_a_duration, {}, {}};
  Wide total = 0;
  while (!rest.empty()) {
    const Part part = take_part(rest);
    if (part.fault != Fault::none) return {part.fault, {}, part.unit};
    total += part.nanoseconds;
    if (total > most_nanoseconds) return {Fault::too_long, {}, {}};
  }
  if (negative) return {Fault::none, Duration{static_cast<std::int64_t>(-total)}, {}};
  if (total == most_nanoseconds) return {Fault::too_long, {}, {}};
  return {Fault::none, Duration{static_cast<std::int64_t>(total)}, {}};
}

namespace {

constexpr int most_decimals = 12;

// The power of ten behind an "e", as it may stand in JSON numbers; none when it is not one.
std::optional<int> parse_exponent(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(1);
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (text.empty() || text.size() > 2 || !std::all_of(text.begin(), text.end(), is_digit))
    return std::nullopt;
  int value = 0;
  for (const char c : text) value = value * 10 + (c - '0');
  return negative ? -value : value;
}

std::int64_t power_of_ten(int exponent) {
  std::int64_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

}  // namespace

std::optional<Ratio> parse_decimal(std::string_view text) {
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest.front() == '-';
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) rest.remove_prefix(1);
  const std::string_view whole = take_digits(rest);
  std::string_view fraction;
  if (!rest.empty() && rest.front() == '.') {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
    if (fraction.empty()) return std::nullopt;
  }
  const std::optional<int> exponent = parse_exponent(rest);
  if (whole.empty() || !exponent) return std::nullopt;
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  if (whole.size() + fraction.size() > 18) return std::nullopt;

  std::int64_t digits = 0;
  for (const char c : whole) digits = digits * 10 + (c - '0');
  for (const char c : fraction) digits = digits * 10 + (c - '0');
  if (digits == 0) return Ratio{};
  const int decimals = static_cast<int>(fraction.size()) - *exponent;
  if (decimals > most_decimals || decimals < -18) return std::nullopt;
  const Wide numerator = Wide{digits} * power_of_ten(std::max(0, -decimals));
  if (numerator >= most_nanoseconds) return std::nullopt;
  const std::int64_t denominator = power_of_ten(std::max(0, decimals));
  const std::int64_t common = std::gcd(static_cast<std::int64_t>(numerator), denominator);
  const std::int64_t reduced = static_cast<std::int64_t>(numerator) / common;
  return Ratio{negative ? -reduced : reduced, denominator / common};
}

std::optional<std::int64_t> parse_whole(std::string_view digits) {
  const bool leading_zero = digits.size() > 1 && digits.front() == '0';
  if (digits.empty() || leading_zero || !std::all_of(digits.begin(), digits.end(), is_digit))
    return std::nullopt;
  Wide value = 0;
  for (const char c : digits) {
    value = value * 10 + (c - '0');
    if (value >= most_nanoseconds) return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
}

std::string decimal_text(Ratio ratio) {
  const auto [negative, numerator] = magnitude_of(ratio.numerator);
  const auto denominator = static_cast<std::uint64_t>(ratio.denominator);
  std::string out = fmt::format("{}{}", negative ? "-" : "", numerator / denominator);
  std::uint64_t rest = numerator % denominator;
  if (rest > 0) out += '.';
  for (int i = 0; i < 18 && rest > 0; ++i) {
    const Wide scaled = Wide{rest} * 10;
    out += static_cast<char>('0' + static_cast<int>(scaled / denominator));
    rest = static_cast<std::uint64_t>(scaled % denominator);
  }
  return out;
}

}  // namespace tenure

// The text forms of values: durations, distributions, ratios, offsets, rates, names.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/scenario/clock_rate.hpp>
#include <tenure/scenario/reader.hpp>

namespace tenure::scenario {

bool read(const Reader& at, std::string& out) {
  if (!at.expect_text("a text")) return false;
  out = at.text();
  return true;
}

bool read(const Reader& at, bool& out) {
  if (!at.expect_text("true or false")) return false;
  const bool yes = at.text() == "true";
  if (at.is_plain() && (yes || at.text() == "false")) {
    out = yes;
    return true;
  }
  at.error("E0208", fmt::format("{} is not true or false", quoted(at.text())),
           {"write true or false, without quotes; yes, no, on and off are texts"});
  return false;
}

bool read(const Reader& at, std::int64_t& out) {
  if (!at.expect_text("a whole number")) return false;
  const std::optional<std::int64_t> value = at.is_plain() ? parse_whole(at.text()) : std::nullopt;
  if (value) {
    out = *value;
    return true;
  }
  const bool only_quoted = !at.is_plain() && parse_whole(at.text());
  at.error(
      "E0208", fmt::format("{} is not a whole number", quoted(at.text())),
      {only_quoted ? "write it without quotes" : "digits only: no sign, point or leading zero"});
  return false;
}

bool read(const Reader& at, std::uint64_t& out) {
  std::int64_t value = 0;
  if (!read(at, value)) return false;
  out = static_cast<std::uint64_t>(value);
  return true;
}

bool read_in_range(const Reader& at, std::int64_t low, std::int64_t high, std::int64_t& out) {
  std::int64_t value = 0;
  if (!read(at, value)) return false;
  if (value < low || value > high) {
    at.error("E0209",
             fmt::format("{} must be between {} and {}, not {}", at.path(), low, high, value));
    return false;
  }
  out = value;
  return true;
}

bool read_name(const Reader& at, std::string& out) {
  if (!at.expect_text("a name")) return false;
  const std::string_view name = at.text();
  const auto is_inner = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  const bool fits = !name.empty() && name.size() <= 63 &&
                    std::all_of(name.begin(), name.end(), is_inner) && name.front() != '-' &&
                    name.back() != '-';
  if (!fits) {
    at.error("E0210", fmt::format("{} is not a name", quoted(name)),
             {"a name is a DNS-1123 label: a-z, 0-9 and -, at most 63, beginning and ending with a "
              "letter or digit"});
    return false;
  }
  out = name;
  return true;
}

namespace {

// "1d" and "2w" as hours.
std::string in_hours(std::string_view text) {
  if (text.empty() || (text.back() != 'd' && text.back() != 'w')) return {};
  const std::optional<std::int64_t> count = parse_whole(text.substr(0, text.size() - 1));
  if (!count || *count > 1'000'000) return {};
  return fmt::format("{}h", *count * (text.back() == 'd' ? 24 : 168));
}

}  // namespace

std::vector<std::string> duration_hints(std::string_view text, const ParsedDuration& parsed) {
  using Fault = ParsedDuration::Fault;
  if (parsed.fault == Fault::no_unit && parse_decimal(text)) {
    return {fmt::format("write a unit: \"{0}s\" (or {0}ms, {0}m)", visible(text))};
  }
  if (const std::string hours = in_hours(text); !hours.empty()) {
    return {fmt::format("days and weeks have no fixed length; write \"{}\"", hours)};
  }
  if (parsed.fault == Fault::unknown_unit) {
    return {fmt::format("{} is not a unit; units are ns us ms s m h, without blanks: 1m30s",
                        quoted(parsed.unit))};
  }
  return {"write a number and a unit: \"15s\", \"250ms\", \"1m30s\""};
}

namespace {

// A duration of either sign; `what` is what the message says it is not.
bool read_any_duration(const Reader& at, Duration& out) {
  if (at.is_map()) {
    at.error("E0203", fmt::format("{} must be one fixed duration, not a distribution", at.path()));
    return false;
  }
  if (!at.expect_text("a duration")) return false;
  const ParsedDuration parsed = parse_duration(at.text());
  if (parsed.fault == ParsedDuration::Fault::none) {
    out = parsed.value;
    return true;
  }
  if (parsed.fault == ParsedDuration::Fault::too_long) {
    at.error("E0217", fmt::format("{} is longer than 292 years", quoted(at.text())),
             {"time is counted in nanoseconds of 64 bits"});
    return false;
  }
  at.error("E0203", fmt::format("{} is not a duration", quoted(at.text())),
           duration_hints(at.text(), parsed));
  return false;
}

bool has_sign(std::string_view text) {
  return !text.empty() && (text.front() == '+' || text.front() == '-');
}

bool read_fixed_offset(const Reader& at, Duration& out) {
  if (!at.expect_text("an offset")) return false;
  if (!has_sign(at.text()) && parse_duration(at.text()).fault == ParsedDuration::Fault::none &&
      parse_duration(at.text()).value != Duration{}) {
    at.error(
        "E0207",
        fmt::format("offset {0} needs a sign: \"+{1}\" reads ahead of true time, \"-{1}\" behind",
                    quoted(at.text()), visible(at.text())));
    return false;
  }
  if (!read_any_duration(at, out)) return false;
  // Half of what 64 bits hold, so that the distance of two offsets is a duration too.
  if (out > -longest_duration / 2 && out < longest_duration / 2) return true;
  at.error("E0217", fmt::format("offset {} is longer than 146 years", quoted(at.text())));
  return false;
}

// value x scale as a whole number, when it is one and fits.
std::optional<std::int64_t> exactly_scaled(Ratio value, std::int64_t scale) {
  __extension__ using Wide = __int128;
  const Wide product = Wide{value.numerator} * scale;
  if (product % value.denominator != 0) return std::nullopt;
  const Wide quotient = product / value.denominator;
  if (quotient > std::numeric_limits<std::int64_t>::max() ||
      quotient < std::numeric_limits<std::int64_t>::min()) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(quotient);
}

constexpr std::int64_t billion = 1'000'000'000;

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::optional<std::int64_t> gain_of(std::string_view text) {
  const auto number = [&](std::size_t unit) {
    return parse_decimal(text.substr(0, text.size() - unit));
  };
  if (ends_with(text, "ppm")) {
    const auto value = number(3);
    return value ? exactly_scaled(*value, 1'000) : std::nullopt;
  }
  if (ends_with(text, "%")) {
    const auto value = number(1);
    return value ? exactly_scaled(*value, billion / 100) : std::nullopt;
  }
  const auto factor = number(0);
  const auto scaled = factor ? exactly_scaled(*factor, billion) : std::nullopt;
  return scaled ? std::optional{*scaled - billion} : std::nullopt;
}

bool read_fixed_rate(const Reader& at, Duration& out) {
  if (!at.expect_text("a rate")) return false;
  const bool has_unit = ends_with(at.text(), "ppm") || ends_with(at.text(), "%");
  const std::optional<std::int64_t> gain = gain_of(at.text());
  if (has_unit && gain && !has_sign(at.text())) {
    at.error("E0207", fmt::format("rate {0} needs a sign: \"+{1}\" is fast, \"-{1}\" slow",
                                  quoted(at.text()), visible(at.text())));
    return false;
  }
  if (!gain) {
    at.error(
        "E0216", fmt::format("{} is not a clock rate", quoted(at.text())),
        {"write +200ppm, -0.5% or 1.0002 (local seconds per true second), in steps of 0.001ppm"});
    return false;
  }
  if (*gain < -billion / 2 || *gain > (fastest_clock - 1) * billion) {
    at.error("E0209", fmt::format("clock rate {} must be between 0.5 and {}", quoted(at.text()),
                                  fastest_clock));
    return false;
  }
  out = Duration{*gain};
  return true;
}

// What a distribution is of.
struct Of {
  bool (*read_fixed)(const Reader&, Duration&);
  bool may_be_negative;
  std::string_view what;
};

bool read_distribution(const Reader& at, const Of& of, Distribution& out);

bool refuse(const Reader& at, std::string problem, std::vector<std::string> hints = {}) {
  at.error("E0206", std::move(problem), std::move(hints));
  return false;
}

bool read_uniform(const Reader& at, const Of& of, Distribution& out) {
  const std::vector<Reader> ends = at.is_list() ? at.items() : std::vector<Reader>{};
  if (ends.size() != 2) return refuse(at, "uniform takes two values: [1ms, 9ms]");
  Duration low{};
  Duration high{};
  const bool low_read = of.read_fixed(ends[0], low);
  if (!of.read_fixed(ends[1], high) || !low_read) return false;
  if (low > high)
    return refuse(at, "the first value of uniform must not be greater than the second");
  out = Distribution::uniform(low, high);
  return true;
}

bool positive(const Reader& at, Duration value) {
  return value > Duration{} || refuse(at, fmt::format("{} must be greater than zero", at.path()));
}

// A duration in a field of `map` that must be there and be positive.
bool read_positive(const Reader& map, std::string_view name, Duration& out) {
  const std::optional<Reader> field = map.required(name);
  return field && read(*field, out) && positive(*field, out);
}

bool read_exponential(const Reader& at, Distribution& out) {
  if (!at.has_fields({"mean"}) || !read_positive(at, "mean", out.low)) return false;
  out.kind = Distribution::Kind::exponential;
  return true;
}

bool read_lognormal(const Reader& at, Distribution& out) {
  if (!at.has_fields({"p50", "p99"})) return false;
  const bool median_read = read_positive(at, "p50", out.low);
  if (!read_positive(at, "p99", out.high) || !median_read) return false;
  if (out.low > out.high) return refuse(at, "p50 must not be greater than p99");
  out.kind = Distribution::Kind::lognormal;
  return true;
}

bool read_number(const Reader& at, double& out) {
  if (!at.expect_text("a number")) return false;
  const std::string_view text = at.text();
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), out);
  // "inf" and "nan" are numbers to from_chars; a number begins with a digit here.
  const bool whole = fault == std::errc{} && end == text.data() + text.size() &&
                     text.front() >= '0' && text.front() <= '9';
  if (!whole || !at.is_plain()) at.error("E0208", fmt::format("{} is not a number", quoted(text)));
  return whole && at.is_plain();
}

bool read_pareto(const Reader& at, Distribution& out) {
  if (!at.has_fields({"min", "alpha"})) return false;
  const bool low_read = read_positive(at, "min", out.low);
  const std::optional<Reader> alpha = at.required("alpha");
  if (!alpha || !read_number(*alpha, out.alpha) || !low_read) return false;
  if (out.alpha < 0.01 || out.alpha > 1000)
    return refuse(*alpha, "alpha must be between 0.01 and 1000");
  out.kind = Distribution::Kind::pareto;
  return true;
}

bool read_point(const Reader& at, const Of& of, Distribution& out) {
  const std::vector<Reader> pair = at.is_list() ? at.items() : std::vector<Reader>{};
  if (pair.size() != 2)
    return refuse(at, "a point of empirical is [value, share up to it]: [4ms, 0.5]");
  Distribution::Point point;
  const bool value_read = of.read_fixed(pair[0], point.value);
  if (!read_number(pair[1], point.cumulative) || !value_read) return false;
  if (point.cumulative <= 0 || point.cumulative > 1)
    return refuse(pair[1], "a share must be above 0 and at most 1");
  if (!out.points.empty() &&
      (out.points.back().value > point.value || out.points.back().cumulative > point.cumulative)) {
    return refuse(
        at, "values and shares of empirical must not decrease: a share counts all up to its value");
  }
  out.points.push_back(point);
  return true;
}

bool read_empirical(const Reader& at, const Of& of, Distribution& out) {
  if (!at.is_list() || at.items().empty())
    return refuse(at, "empirical takes points: [[4ms, 0.5], [80ms, 1]]");
  for (const Reader& point : at.items()) {
    if (!read_point(point, of, out)) return false;
  }
  if (out.points.back().cumulative < 1) return refuse(at, "the last share of empirical must be 1");
  out.kind = Distribution::Kind::empirical;
  return true;
}

bool read_mixture(const Reader& at, const Of& of, Distribution& out) {
  if (!at.is_list() || at.items().empty())
    return refuse(at, "mixture takes parts: [{weight: 0.9, of: 5ms}, ...]");
  for (const Reader& part : at.items()) {
    if (!part.has_fields({"weight", "of"})) return false;
    double weight = 0;
    const std::optional<Reader> weight_at = part.required("weight");
    const std::optional<Reader> of_at = part.required("of");
    if (!weight_at || !of_at || !read_number(*weight_at, weight)) return false;
    if (!(weight > 0 && weight <= 1e9))
      return refuse(*weight_at, "a weight must be above 0 and at most 1e9");
    out.weights.push_back(weight);
    if (!read_distribution(*of_at, of, out.parts.emplace_back())) return false;
  }
  out.kind = Distribution::Kind::mixture;
  return true;
}

bool read_shape(const Reader& shape, std::string_view name, const Of& of, Distribution& out) {
  if (name == "uniform") return read_uniform(shape, of, out);
  if (name == "empirical") return read_empirical(shape, of, out);
  if (name == "mixture") return read_mixture(shape, of, out);
  if (of.may_be_negative)
    return refuse(shape, fmt::format("{} cannot be {}", of.what, name),
                  {"uniform, empirical or mixture can"});
  if (name == "exponential") return read_exponential(shape, out);
  if (name == "lognormal") return read_lognormal(shape, out);
  return read_pareto(shape, out);
}

bool read_distribution(const Reader& at, const Of& of, Distribution& out) {
  Distribution made;
  if (!at.is_map()) {
    if (at.is_list()) {
      return refuse(at,
                    fmt::format("{} must be {} or a distribution, not a list", at.path(), of.what),
                    {"a range is written {uniform: [1ms, 9ms]}"});
    }
    Duration value{};
    if (!of.read_fixed(at, value)) return false;
    out = Distribution::constant(value);
    return true;
  }
  constexpr std::string_view shapes[] = {"uniform", "exponential", "lognormal",
                                         "pareto",  "empirical",   "mixture"};
  if (at.node().entries.size() != 1) {
    return refuse(at, "a distribution is a map with one field",
                  {"uniform, exponential, lognormal, pareto, empirical or mixture"});
  }
  const std::string& name = at.node().entries.front().key;
  if (std::find(std::begin(shapes), std::end(shapes), name) == std::end(shapes)) {
    std::vector<std::string> hints;
    if (const auto meant = did_you_mean(name, shapes))
      hints.push_back(fmt::format("did you mean \"{}\"?", *meant));
    hints.emplace_back("one of: uniform, exponential, lognormal, pareto, empirical, mixture");
    at.error_at_key("E0206", fmt::format("{} is not a distribution", quoted(name)),
                    std::move(hints));
    return false;
  }
  const std::optional<Reader> shape = at.field(name);
  if (!shape || !read_shape(*shape, name, of, made)) return false;
  out = std::move(made);
  return true;
}

bool read_shifted(const Reader& at, const Of& of, Shifted& out) {
  Distribution made;
  if (!read_distribution(at, of, made)) return false;
  out = shifted(std::move(made));
  return true;
}

bool read_fixed_duration(const Reader& at, Duration& out) {
  return read(at, out);
}

}  // namespace

bool read(const Reader& at, Duration& out) {
  Duration value{};
  if (!read_any_duration(at, value)) return false;
  if (value < Duration{}) {
    at.error("E0217", fmt::format("{} is negative; {} must not be", quoted(at.text()), at.path()));
    return false;
  }
  out = value;
  return true;
}

bool read(const Reader& at, Distribution& out) {
  return read_distribution(at, {read_fixed_duration, false, "a duration"}, out);
}

bool read_offset(const Reader& at, Shifted& out) {
  return read_shifted(at, {read_fixed_offset, true, "an offset"}, out);
}

bool read_rate(const Reader& at, Shifted& out) {
  return read_shifted(at, {read_fixed_rate, true, "a rate"}, out);
}

bool read(const Reader& at, std::optional<Duration>& out) {
  Duration value{};
  if (!read(at, value)) return false;
  out = value;
  return true;
}

bool read(const Reader& at, std::optional<Distribution>& out) {
  Distribution value;
  if (!read(at, value)) return false;
  out = std::move(value);
  return true;
}

bool read_probability(const Reader& at, Ratio& out) {
  if (!at.expect_text("a probability")) return false;
  const bool percent = ends_with(at.text(), "%");
  std::optional<Ratio> value =
      parse_decimal(percent ? at.text().substr(0, at.text().size() - 1) : at.text());
  // A quoted number without "%" is a text, as for other numbers.
  if (value && !percent && !at.is_plain()) value.reset();
  if (!value) {
    at.error("E0215", fmt::format("{} is not a probability", quoted(at.text())),
             {"write 0.01 or \"1%\""});
    return false;
  }
  const std::int64_t whole = percent ? 100 : 1;
  __extension__ using Wide = __int128;
  if (value->numerator < 0 || Wide{value->numerator} > Wide{value->denominator} * whole) {
    at.error("E0209", fmt::format("{} is {}; a probability lies between 0 and 1", at.path(),
                                  visible(at.text())));
    return false;
  }
  const std::int64_t common = std::gcd(value->numerator, whole);
  out = Ratio{value->numerator / common, value->denominator * (whole / common)};
  return true;
}

namespace {

struct SizeUnit {
  std::string_view name;
  std::uint64_t bytes;
};

// The larger one first.
constexpr SizeUnit size_units[] = {{"GiB", std::uint64_t{1} << 30}, {"GB", 1'000'000'000},
                                   {"MiB", std::uint64_t{1} << 20}, {"MB", 1'000'000},
                                   {"KiB", std::uint64_t{1} << 10}, {"kB", 1'000}};

// The unit that was probably meant: what Kubernetes calls Gi, another case, none at all.
std::string_view size_unit_meant(std::string_view written) {
  if (written.empty()) return "MiB";
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  for (const SizeUnit& unit : size_units) {
    const std::string_view begin = unit.name.substr(0, written.size());
    if (std::equal(written.begin(), written.end(), begin.begin(), begin.end(),
                   [&](char a, char b) { return lower(a) == lower(b); })) {
      return unit.name;
    }
  }
  return {};
}

}  // namespace

bool read_size(const Reader& at, std::uint64_t& bytes) {
  if (!at.expect_text("a size")) return false;
  const std::string_view text = at.text();
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<std::int64_t> count = parse_whole(text.substr(0, digits));
  const std::string_view written = text.substr(digits);
  const auto unit = std::find_if(std::begin(size_units), std::end(size_units),
                                 [&](const SizeUnit& u) { return u.name == written; });
  if (!count || unit == std::end(size_units)) {
    std::vector<std::string> hints;
    const std::string_view meant = size_unit_meant(written);
    if (count && !meant.empty()) hints.push_back(fmt::format("write \"{}{}\"", *count, meant));
    hints.emplace_back("a size is a whole number and KiB, MiB, GiB, kB, MB or GB");
    at.error("E0221", fmt::format("{} is not a size", quoted(text)), std::move(hints));
    return false;
  }
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (static_cast<std::uint64_t>(*count) > most / unit->bytes) {
    at.error("E0209", fmt::format("{} must be less than 2^63 bytes", at.path()));
    return false;
  }
  bytes = static_cast<std::uint64_t>(*count) * unit->bytes;
  return true;
}

std::string offset_text(Duration offset) {
  return fmt::format("{}{}", offset < Duration{} ? "" : "+", duration_text(offset));
}

std::string rate_text(Duration gain_per_second) {
  const std::int64_t gain = gain_per_second.count();
  const std::int64_t common = std::gcd(gain, std::int64_t{1000});
  return fmt::format("{}{}ppm", gain < 0 ? "" : "+",
                     decimal_text(Ratio{gain / common, 1000 / common}));
}

std::string size_text(std::uint64_t bytes) {
  for (const SizeUnit& unit : size_units) {
    if (bytes % unit.bytes == 0) return fmt::format("{}{}", bytes / unit.bytes, unit.name);
  }
  // Read in these units, a size is a multiple of one of them; any other is rounded up.
  return fmt::format("{}KiB", bytes / 1024 + 1);
}

}  // namespace tenure::scenario

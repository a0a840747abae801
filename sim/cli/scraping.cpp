#include "scraping.hpp"

#include <array>
#include <chrono>
#include <ctime>
#include <string_view>

#include <fmt/format.h>

#include <tenure/base/text.hpp>

#include "app.hpp"

namespace tenure::cli {
namespace {

// RFC 3339 in UTC and whole seconds. From 1970 on, and so that no run ends behind int64
// nanoseconds.
std::optional<WallTime> read_epoch(const std::string& text) {
  constexpr const char* format = "%Y-%m-%dT%H:%M:%SZ";
  std::tm parts{};
  const char* end = strptime(text.c_str(), format, &parts);
  const std::time_t seconds = end != nullptr && *end == '\0' ? timegm(&parts) : -1;
  constexpr std::time_t year_2200 = 7'258'118'400;
  // The time that was meant is the one that is written the same way: not February 30.
  std::array<char, 32> again{};
  const std::size_t size = std::strftime(again.data(), again.size(), format, &parts);
  if (seconds < 0 || seconds >= year_2200 || std::string_view{again.data(), size} != text) {
    usage_error("E0004",
                fmt::format("--epoch {} is not a time from 1970 to 2199", tenure::quoted(text)),
                {"write UTC and whole seconds: 2026-01-01T00:00:00Z"});
    return std::nullopt;
  }
  return WallTime{std::chrono::seconds{seconds}};
}

}  // namespace

std::optional<report::Scrapes> scrapes_of(const ScrapeFlags& flags, Duration length) {
  report::Scrapes scrapes;
  if (!flags.interval.empty()) scrapes.interval = parse_duration(flags.interval).value;
  const Duration least = length / report::most_scrapes;
  if (scrapes.interval < std::chrono::milliseconds{1} || scrapes.interval < least) {
    usage_error("E0004",
                fmt::format("--scrape-interval {} is too short", duration_text(scrapes.interval)),
                {fmt::format("at least 1ms, and at most {} scrapes a run", report::most_scrapes)});
    return std::nullopt;
  }
  if (!flags.epoch.empty()) {
    const auto epoch = read_epoch(flags.epoch);
    if (!epoch) return std::nullopt;
    scrapes.epoch = *epoch;
  }
  const bool fits = later(scrapes.epoch, length) != never<WallTime>;
  if (!fits) {
    usage_error("E0004", "--epoch: the run would end behind the year 2262");
    return std::nullopt;
  }
  return scrapes;
}

}  // namespace tenure::cli

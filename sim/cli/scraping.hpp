// When the processes of a run are scraped, as flags say it.
#pragma once

#include <optional>
#include <string>

#include <tenure/base/time.hpp>
#include <tenure/report/openmetrics.hpp>

namespace tenure::cli {

// As written; empty: not given.
struct ScrapeFlags {
  const std::string& interval;
  const std::string& epoch;
};

// For a run of this length. Nothing: one of them cannot be, which was printed.
std::optional<report::Scrapes> scrapes_of(const ScrapeFlags& flags, Duration length);

}  // namespace tenure::cli

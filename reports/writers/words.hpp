// Names and numbers as a story says them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <tenure/api/message.hpp>
#include <tenure/base/ratio.hpp>
#include <tenure/base/text.hpp>
#include <tenure/kernel/node_clock.hpp>
#include <tenure/record/fact.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::report {

inline std::string name(const world::Setup& setup, record::Incarnation who) {
  if (who.process == nobody<ProcessTag>) return "nobody";
  const std::string& text = setup.processes[who.process.value].name;
  return who.number == 0 ? text : fmt::format("{} (process {})", text, who.number + 1);
}

// The verb of a request, as Kubernetes names it.
inline std::string_view verb_word(std::uint8_t verb) {
  switch (static_cast<api::Verb>(verb)) {
    case api::Verb::get:
      return "get";
    case api::Verb::create:
      return "create";
    case api::Verb::update:
      return "update";
    case api::Verb::remove:
      return "delete";
  }
  return "";
}

// A point of the run, to the millisecond: the history has every nanosecond.
inline std::string instant(TrueTime at) {
  return fmt::format("{:.3f}s", static_cast<double>(at.time_since_epoch().count()) / 1e9);
}

// A length, to a tenth of a millisecond.
inline std::string length(Duration time) {
  constexpr std::int64_t grain = 100'000;
  return seconds_text(Duration{(time.count() + grain / 2) / grain * grain});
}

// How much true time passes while a clock of this rate counts `local`.
inline Duration true_length(Duration local, kernel::ClockRate rate) {
  return scaled(local, {kernel::ClockRate::perfect, rate.local_per_true_second});
}

// "1.364": a rate is told, not computed with.
inline std::string rate_text(kernel::ClockRate rate) {
  std::string text = fmt::format("{:.3f}", static_cast<double>(rate.local_per_true_second) / 1e9);
  return text.substr(0, text.find_last_not_of('0') + 1);
}

}  // namespace tenure::report

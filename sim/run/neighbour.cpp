#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/run/neighbour.hpp>

#include "edits.hpp"

namespace tenure::run {
namespace {

using scenario::Scenario;
using Changed = Neighbour::Changed;

// The script with another value at one place.
using With = std::function<Scenario(Duration)>;

class Search {
 public:
  Search(const Signature& signature, const std::atomic<bool>* stop)
      : signature_(&signature), stop_(stop) {}

  // From a value that fails towards zero, in steps; values below zero are mirrored.
  std::optional<std::pair<Duration, Duration>> nearest(Duration failing, Duration step, With with) {
    const std::int64_t sign = failing < Duration{} ? -1 : 1;
    const auto at = [&](std::int64_t n) { return with(sign * n * step); };
    const std::int64_t steps = sign * (failing / step);
    std::int64_t fails = steps + (failing % step == Duration{} ? 0 : 1);  // as a bound: it is given
    std::int64_t passes = fails - 1;
    if (fails_at(at(passes))) {
      fails = std::exchange(passes, 0);
      if (fails == 0 || fails_at(at(0))) return std::nullopt;
      bisect(passes, fails, at);
    }
    if (!passes_at(at(passes))) return std::nullopt;
    const Duration last = sign * fails * step;
    return std::pair{fails > steps ? failing : last, sign * passes * step};
  }

 private:
  template <class At>
  void bisect(std::int64_t& passes, std::int64_t& fails, At at) {
    while (fails - passes > 1) {
      const std::int64_t middle = passes + (fails - passes) / 2;
      (fails_at(at(middle)) ? fails : passes) = middle;
    }
  }

  bool fails_at(const Scenario& script) const {
    return signature_of(trial_of(script, 0, stop_), signature_->id) == *signature_;
  }
  bool passes_at(const Scenario& script) const {
    const Trial trial = trial_of(script, 0, stop_);
    return trial.complete && !trial.findings.first(signature_->id);
  }

  const Signature* signature_;
  const std::atomic<bool>* stop_;
};

// A place in a script that has a value.
struct Place {
  Changed changed;
  std::string what;
  Duration value{};
  Duration step{};
  With with;
};

std::vector<Place> durations_of(const Scenario& script) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < script.faults.size(); ++i) {
    const auto duration = fixed_duration(script.faults[i]);
    if (!duration || *duration == Duration{}) continue;
    // A fault without a name of its own is called like its type.
    const std::string type{scenario::type_of(script.faults[i].kind)};
    const std::string& name = script.faults[i].name;
    places.push_back({Changed::fault_duration,
                      name == type ? type : fmt::format("{} {}", type, name), *duration,
                      resolution_of(script), [&script, i](Duration value) {
                        Scenario changed = script;
                        changed.faults[i].duration = Distribution::constant(value);
                        return changed;
                      }});
  }
  return places;
}

// One value for a clock's field that is the same in every run.
Place clock_place(const Scenario& script,
                  std::size_t group,
                  Changed changed,
                  Shifted scenario::Clock::*field,
                  Duration step) {
  const Shifted& now = script.candidates[group].clock.*field;
  return {changed, script.candidates[group].name, now.base + now.over.upper_bound(), step,
          [&script, group, field](Duration value) {
            Scenario other = script;
            other.candidates[group].clock.*field = {value, {}};
            return other;
          }};
}

std::vector<Place> clocks_of(const Scenario& script) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < script.candidates.size(); ++i) {
    if (has_random_clocks(script.candidates[i])) continue;
    const Place places_of_group[] = {
        clock_place(script, i, Changed::clock_offset, &scenario::Clock::offset,
                    resolution_of(script)),
        clock_place(script, i, Changed::clock_rate, &scenario::Clock::gain_per_second,
                    std::chrono::microseconds{1})};
    for (const Place& place : places_of_group) {
      if (place.value != Duration{}) places.push_back(place);
    }
  }
  return places;
}

bool is_delay(const scenario::Choice& choice) {
  return choice.stream.ends_with("/latency");
}

// Answers about delays count nanoseconds above the least delay.
std::vector<Place> delays_of(const Scenario& script) {
  std::vector<Place> places;
  for (std::size_t i = 0; script.choices && i < script.choices->answers.size(); ++i) {
    const scenario::Choice& choice = script.choices->answers[i];
    if (!is_delay(choice)) continue;
    places.push_back({Changed::choice, fmt::format("{} #{}", choice.stream, choice.number),
                      Duration{static_cast<std::int64_t>(choice.answer)}, Duration{1},
                      [&script, i](Duration value) {
                        Scenario changed = script;
                        changed.choices->answers[i].answer =
                            static_cast<std::uint64_t>(value.count());
                        return changed;
                      }});
  }
  return places;
}

std::string value_text(Changed changed, Duration value) {
  switch (changed) {
    case Changed::fault_duration:
    case Changed::clock_offset:
      return seconds_text(value);
    case Changed::clock_rate:
      return fmt::format("{:+}ppm", value / std::chrono::microseconds{1});
    case Changed::choice:
      return fmt::format("{}", value.count());
  }
  return {};
}

}  // namespace

std::vector<Neighbour> nearest_passing(const Scenario& scenario,
                                       const Signature& signature,
                                       const std::atomic<bool>* stop) {
  Search search{signature, stop};
  std::vector<Neighbour> neighbours;
  for (auto* places_of : {durations_of, clocks_of, delays_of}) {
    for (Place& place : places_of(scenario)) {
      const auto found = search.nearest(place.value, place.step, std::move(place.with));
      if (found) neighbours.push_back({place.changed, place.what, found->first, found->second});
    }
    if (!neighbours.empty()) break;
  }
  return neighbours;
}

std::string to_text(const Neighbour& neighbour) {
  constexpr std::string_view kinds[] = {"", "clock offset of ", "clock rate of ", "draw "};
  return fmt::format("{}{} {} violates, {} passes",
                     kinds[static_cast<std::size_t>(neighbour.changed)], neighbour.what,
                     value_text(neighbour.changed, neighbour.failing),
                     value_text(neighbour.changed, neighbour.passing));
}

}  // namespace tenure::run

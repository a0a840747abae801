#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <tenure/base/assert.hpp>
#include <tenure/scenario/advise.hpp>

namespace tenure::scenario {
namespace {

using namespace std::chrono_literals;
using Kind = Need::Kind;
using Needs = std::vector<Need>;

// With this one a lease is never what is too short.
constexpr Duration ample_lease = longest_lease * 4;

// Durations as people write them; up to a day.
constexpr Duration round_durations[] = {
    100ms, 200ms, 250ms,  500ms, 750ms, 1s,    1500ms, 2s,    2500ms, 3s,    4s,
    5s,    6s,    7500ms, 8s,    10s,   12s,   15s,    20s,   25s,    30s,   35s,
    40s,   45s,   50s,    60s,   75s,   90s,   105s,   2min,  150s,   3min,  4min,
    5min,  6min,  8min,   10min, 12min, 15min, 20min,  25min, 30min,  40min, 45min,
    1h,    90min, 2h,     3h,    4h,    6h,    8h,     12h,   24h};

// Ascending durations: the places of a table, or the multiples of a step.
class Rungs {
 public:
  explicit Rungs(std::vector<Duration> table) : table_(std::move(table)) {}
  Rungs(Duration step, Duration most) : step_(step), size_(most / step) {}

  std::int64_t size() const { return table_.empty() ? size_ : std::ssize(table_); }
  Duration operator[](std::int64_t at) const {
    return table_.empty() ? step_ * (at + 1) : table_[static_cast<std::size_t>(at)];
  }

 private:
  std::vector<Duration> table_;
  Duration step_{};
  std::int64_t size_ = 0;
};

// The first number from 0 to `end` for which the predicate holds from there on; `end`: none.
template <class Predicate>
std::int64_t first_of(std::int64_t end, Predicate holds) {
  std::int64_t low = 0;
  std::int64_t high = end;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

struct Grid {
  Rungs lease;
  Rungs deadline;
};

std::vector<Duration> round_table(bool whole) {
  std::vector<Duration> table;
  for (const Duration rung : round_durations) {
    if (!whole || rung % 1s == 0s) table.push_back(rung);
  }
  return table;
}

Grid grid_of(Ladder ladder) {
  const Rungs seconds{1s, longest_lease};
  switch (ladder) {
    case Ladder::round:
      return {Rungs{round_table(true)}, Rungs{round_table(false)}};
    case Ladder::seconds:
      return {seconds, seconds};
    case Ladder::tenths:
      return {seconds, Rungs{100ms, longest_lease}};
    case Ladder::any:
      break;
  }
  return {seconds, Rungs{1ns, longest_lease}};
}

// Needs of one search, by what they ask of which duration.
class Search {
 public:
  Search(Needs needs, const Terms& terms)
      : needs_(std::move(needs)), terms_(terms), releases_(releases(needs_, terms)) {}

  // The shortest deadline and lease that are long enough, if the failover is not too long then.
  std::optional<Setting> with_retry(Duration retry, const Grid& grid) const {
    const auto setting = shortest_with(retry, grid);
    return setting && meets(*setting, Asks::failover) ? setting : std::nullopt;
  }

  // A setting in nanoseconds, if there is one at all. Between two retry periods at which an outage
  // needs another attempt, the shorter one is never worse; so the shortest that there may be is
  // tried, and the shortest with an attempt exactly at the end of the outage: no deadline can be
  // shorter than there. But where the next leader comes before L, which is among many candidates
  // or in a low quantile, it comes the sooner the longer the last renewal may lie back: then the
  // longest retry period with the same lease is the best one.
  std::optional<Setting> any() const {
    static const Grid grid = grid_of(Ladder::any);
    for (const Duration retry : decisive_retries()) {
      auto setting = shortest_with(retry, grid);
      if (!setting) continue;
      if (meets(*setting, Asks::failover)) return setting;
      setting = stretched(*setting);
      if (meets(*setting, Asks::failover)) return setting;
    }
    return std::nullopt;
  }

  // What comes first is compared: a quantile when one is asked for, else the worst case.
  Duration failover_of(const Setting& setting) const {
    Need worst;
    for (const Need& need : needs_) {
      if (need.kind == Kind::failover) worst = need;
    }
    return Duration{figure_of(worst, bounds(setting)).amount};
  }

 private:
  enum class Asks : std::uint8_t { retry, deadline, lease, failover };

  std::optional<Setting> shortest_with(Duration retry, const Grid& grid) const {
    Setting setting{ample_lease, {}, retry};
    if (!meets(setting, Asks::retry)) return std::nullopt;
    const std::int64_t deadline = first_of(grid.deadline.size(), [&](std::int64_t at) {
      setting.renew_deadline = grid.deadline[at];
      return meets(setting, Asks::deadline);
    });
    if (deadline == grid.deadline.size()) return std::nullopt;
    setting.renew_deadline = grid.deadline[deadline];
    const std::int64_t lease = first_of(grid.lease.size(), [&](std::int64_t at) {
      setting.lease_duration = grid.lease[at];
      return meets(setting, Asks::lease);
    });
    if (lease == grid.lease.size()) return std::nullopt;
    setting.lease_duration = grid.lease[lease];
    return setting;
  }

  Setting stretched(Setting setting) const {
    const Duration shortest = setting.retry_period;
    const std::int64_t beyond = first_of(setting.lease_duration.count(), [&](std::int64_t more) {
      setting.retry_period = shortest + Duration{more + 1};
      return !meets(setting, Asks::retry) || !meets(setting, Asks::deadline) ||
             !meets(setting, Asks::lease);
    });
    setting.retry_period = shortest + Duration{beyond};
    return setting;
  }

  static Asks asks_of(const Need& need) {
    switch (need.kind) {
      case Kind::failover:
        return Asks::failover;
      case Kind::outage:
        return Asks::deadline;
      case Kind::requests:
      case Kind::handover:
        return Asks::retry;
      case Kind::pause:
      case Kind::clock_ratio:
      case Kind::margin:
        break;
    }
    return Asks::lease;
  }

  Bounds bounds(const Setting& setting) const {
    return bounds_of(bounds_input(setting, terms_, releases_));
  }

  bool meets(Setting setting, Asks asks) const {
    // What depends on the retry period alone is asked of any setting with it.
    if (asks == Asks::retry)
      setting.renew_deadline = longer(setting.retry_period, setting.retry_period);
    const Bounds bounds = this->bounds(setting);
    if (!bounds.timing) return false;
    // That a failover cannot be so quick is known without its law, which costs more.
    return std::all_of(needs_.begin(), needs_.end(), [&](const Need& need) {
      if (asks_of(need) != asks) return true;
      if (need.kind == Kind::failover && bounds.timing->crash.least.count() > need.amount)
        return false;
      return figure_of(need, bounds).kept;
    });
  }

  std::vector<Duration> decisive_retries() const {
    const auto retry_is_met = [&](Duration retry) {
      return std::all_of(needs_.begin(), needs_.end(), [&](const Need& need) {
        if (need.kind != Kind::requests) return true;
        return figure_of(need, bounds({ample_lease, retry * 2, retry})).kept;
      });
    };
    const std::int64_t most = Duration{longest_lease}.count();
    const Duration shortest{first_of(most, [&](std::int64_t at) {
      return Duration{at} >= shortest_retry && retry_is_met(Duration{at});
    })};
    if (shortest.count() == most) return {};
    std::vector<Duration> retries{shortest};
    const auto add_divisor = [&](Duration length) {
      if (length < shortest) return;
      const std::int64_t attempts = length / shortest;
      retries.push_back(Duration{(length.count() + attempts - 1) / attempts});
    };
    for (const Need& need : needs_) {
      if (need.kind != Kind::outage) continue;
      add_divisor(Duration{need.amount});
      if (terms_.request_timeout) add_divisor(Duration{need.amount} - *terms_.request_timeout);
    }
    return retries;
  }

  Needs needs_;
  Terms terms_;
  bool releases_;
};

std::vector<Duration> retries_of(Ladder ladder) {
  if (ladder == Ladder::round) return round_table(false);
  std::vector<Duration> out;
  const Duration step = ladder == Ladder::seconds ? Duration{1s} : Duration{100ms};
  for (Duration retry = step; retry <= 2min; retry += step) out.push_back(retry);
  return out;
}

// Fewest requests first, which is the longest retry period. What another one beats in both, or
// equals, is left out.
std::vector<Advised> undominated(std::vector<Advised> all, const Search& search) {
  std::stable_sort(all.begin(), all.end(), [](const Advised& a, const Advised& b) {
    return a.setting.retry_period > b.setting.retry_period;
  });
  std::vector<Advised> out;
  Duration soonest = longest_duration;
  for (const Advised& each : all) {
    const Duration failover = search.failover_of(each.setting);
    if (failover >= soonest) continue;
    soonest = failover;
    out.push_back(each);
  }
  return out;
}

std::vector<Advised> settings_on(Ladder ladder, const Search& search, std::size_t most) {
  const Grid grid = grid_of(ladder);
  std::vector<Advised> settings;
  std::vector<Duration> retries = retries_of(ladder);
  std::reverse(retries.begin(), retries.end());
  for (const Duration retry : retries) {
    if (settings.size() == most) break;
    const auto setting = search.with_retry(retry, grid);
    if (!setting) continue;
    settings.push_back({*setting, ladder});
    settings = undominated(std::move(settings), search);
  }
  return settings;
}

constexpr std::array typed{Ladder::round, Ladder::seconds, Ladder::tenths};

// The cheapest of the roundest ladder that has one.
std::optional<Setting> roundest(const Needs& needs, const Terms& terms) {
  const Search search{needs, terms};
  for (const Ladder ladder : typed) {
    const auto settings = settings_on(ladder, search, 1);
    if (!settings.empty()) return settings.front().setting;
  }
  return std::nullopt;
}

// Requests are in inverse proportion to the retry period.
bool saves_a_tenth(const Setting& finer, const Setting& rounder) {
  return finer.retry_period / 10 * 9 >= rounder.retry_period;
}

Needs with_amount(Needs needs, std::size_t which, std::int64_t amount) {
  needs[which].amount = amount;
  return needs;
}

bool possible(const Needs& needs, const Terms& terms) {
  return Search{needs, terms}.any().has_value();
}

// Amounts are told in thousandths: of a second, of a ratio, of a request per second.
constexpr std::int64_t grain = 1'000'000;

// The amount nearest to what was asked for with which the need holds together with the others.
std::optional<std::int64_t> limit_of(const Needs& needs, std::size_t which, const Terms& terms) {
  const std::int64_t asked = needs[which].amount;
  const auto holds_at = [&](std::int64_t grains) {
    return possible(with_amount(needs, which, grains * grain), terms);
  };
  if (is_upper(needs[which].kind)) {
    const std::int64_t least = asked / grain + 1;
    const std::int64_t count = Duration{longest_lease}.count() / grain;
    const std::int64_t more = first_of(count, [&](std::int64_t n) { return holds_at(least + n); });
    if (more == count) return std::nullopt;
    return (least + more) * grain;
  }
  const std::int64_t least = needs[which].kind == Kind::clock_ratio ? 1'000'000'000 / grain : 0;
  const std::int64_t most = asked / grain;
  const std::int64_t count = most - least + 1;
  const std::int64_t fewer = first_of(count, [&](std::int64_t n) { return holds_at(most - n); });
  if (fewer == count) return std::nullopt;
  return (most - fewer) * grain;
}

// The limit in the next rounder amount for which a setting can be typed, and that setting.
void exemplify(const Needs& needs, std::size_t which, const Terms& terms, Relief& relief) {
  const Kind kind = needs[which].kind;
  const bool counts_seconds = kind != Kind::clock_ratio && kind != Kind::requests;
  const std::int64_t unit = grain * (counts_seconds ? 100 : 10);
  for (const std::int64_t rounding :
       {unit, unit * 5, unit * 10, unit * 20, unit * 50, unit * 100}) {
    const std::int64_t limit = *relief.limit;
    const std::int64_t amount =
        (is_upper(kind) ? limit + rounding - 1 : limit) / rounding * rounding;
    relief.setting = roundest(with_amount(needs, which, amount), terms);
    relief.amount = amount;
    if (relief.setting) return;
  }
  relief.amount = relief.limit;
  relief.setting = Search{with_amount(needs, which, *relief.limit), terms}.any();
}

Needs chosen(std::span<const Need> needs, const std::vector<std::size_t>& indices) {
  Needs out;
  for (const std::size_t index : indices) out.push_back(needs[index]);
  return out;
}

// The subsets of `count` indices that have `size` elements, those with low indices first.
void subsets(std::size_t count,
             std::size_t size,
             std::vector<std::size_t>& sofar,
             const std::function<bool(const std::vector<std::size_t>&)>& take) {
  if (sofar.size() == size) {
    take(sofar);
    return;
  }
  for (std::size_t next = sofar.empty() ? 0 : sofar.back() + 1; next < count; ++next) {
    sofar.push_back(next);
    subsets(count, size, sofar, take);
    sofar.pop_back();
  }
}

std::vector<std::size_t> smallest_conflict(std::span<const Need> needs, const Terms& terms) {
  for (std::size_t size = 1; size <= needs.size(); ++size) {
    std::vector<std::size_t> found;
    std::vector<std::size_t> sofar;
    subsets(needs.size(), size, sofar, [&](const std::vector<std::size_t>& indices) {
      if (found.empty() && !possible(chosen(needs, indices), terms)) found = indices;
      return found.empty();
    });
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace

std::vector<Advised> advise(std::span<const Need> needs, const Terms& terms, std::size_t most) {
  TENURE_ASSERT(terms.candidates >= 2, "somebody must take over");
  const Search search{Needs{needs.begin(), needs.end()}, terms};
  const auto exact = search.any();
  if (!exact) return {};
  std::vector<Advised> all;
  for (const Ladder ladder : typed) {
    auto more = settings_on(ladder, search, all.empty() ? most : 1);
    if (!all.empty() && !more.empty() && !saves_a_tenth(more.front().setting, all.front().setting))
      continue;
    all.insert(all.begin(), more.begin(), more.end());
  }
  if (all.empty()) return {{*exact, Ladder::any}};
  all = undominated(std::move(all), search);
  all.resize(std::min(all.size(), most));
  return all;
}

Conflict conflict_of(std::span<const Need> needs, const Terms& terms) {
  const std::vector<std::size_t> indices = smallest_conflict(needs, terms);
  TENURE_ASSERT(!indices.empty(), "the needs cannot hold together");
  const Needs named = chosen(needs, indices);
  const Needs all{needs.begin(), needs.end()};
  Conflict conflict;
  for (std::size_t i = 0; i < named.size(); ++i) {
    Relief relief{indices[i], limit_of(all, indices[i], terms), true, std::nullopt, std::nullopt};
    if (relief.limit) {
      exemplify(all, indices[i], terms, relief);
    } else if (relief.limit = limit_of(named, i, terms); relief.limit) {
      relief.with_all = false;
      exemplify(named, i, terms, relief);
    } else {
      Needs others = named;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      if (!others.empty()) relief.setting = Search{others, terms}.any();
    }
    conflict.needs.push_back(relief);
  }
  return conflict;
}

}  // namespace tenure::scenario

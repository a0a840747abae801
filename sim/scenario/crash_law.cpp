#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <tenure/base/assert.hpp>
#include <tenure/scenario/crash_law.hpp>

namespace tenure::scenario {
namespace {

// Times are in units of R. Cells are this wide, so that 1, 2.2 and 4.4 are ends of cells and no
// jump of a density lies inside of one.
constexpr int cells_per_retry = 200;
constexpr double step = 1.0 / cells_per_retry;
constexpr int shortest_wait = cells_per_retry;          // 1
constexpr int longest_wait = cells_per_retry * 11 / 5;  // 1 + J = 2.2
constexpr double mean_wait = 1.6;
constexpr double jitter = 1.2;
// From this age on the residual life is the stationary one to within rounding.
constexpr double stationary_age = 24;

double wait_longer_than(double x) {
  if (x <= 1) return 1;
  return x < 2.2 ? (2.2 - x) / jitter : 0;
}

double stationary_later_than(double x) {
  if (x <= 0) return 1;
  if (x <= 1) return 1 - x / mean_wait;
  return x < 2.2 ? (2.2 - x) * (2.2 - x) / (2 * jitter * mean_wait) : 0;
}

// A function that is constant on each cell from 0 on and `before` it, nothing behind its cells,
// with its first two integrals from 0.
class Cells {
 public:
  explicit Cells(double before) : before_(before) {}

  void add(double value) {
    second_.push_back(second_.back() + first_.back() * step + value * step * step / 2);
    first_.push_back(first_.back() + value * step);
    values_.push_back(value);
  }
  double first(double x) const {
    if (x <= 0) return before_ * x;
    const auto [cell, rest] = place(x);
    return first_[cell] + value(cell) * rest;
  }
  double second(double x) const {
    if (x <= 0) return before_ * x * x / 2;
    const auto [cell, rest] = place(x);
    return second_[cell] + first_[cell] * rest + value(cell) * rest * rest / 2;
  }
  // The integral of (x - from) f(x) from `from` to `to`.
  double moment(double from, double to) const {
    return (to - from) * first(to) - (second(to) - second(from));
  }

 private:
  struct Place {
    std::size_t cell;
    double rest;
  };
  Place place(double x) const {
    const std::size_t cell = std::min(static_cast<std::size_t>(x / step), values_.size());
    return {cell, x - static_cast<double>(cell) * step};
  }
  double value(std::size_t cell) const { return cell < values_.size() ? values_[cell] : 0; }

  double before_;
  std::vector<double> values_;
  std::vector<double> first_{0};
  std::vector<double> second_{0};
};

double middle(int cell) {
  return (cell + 0.5) * step;
}

// The density of polls, one being at 0: m = f + f * m, where f is that of a wait.
Cells poll_density(int cells) {
  Cells polls{0};
  for (int cell = 0; cell < cells; ++cell) {
    const bool first_poll = cell >= shortest_wait && cell < longest_wait;
    const double later_polls = polls.first(middle(cell) - 1) - polls.first(middle(cell) - 2.2);
    polls.add(((first_poll ? 1 : 0) + later_polls) / jitter);
  }
  return polls;
}

// P(W > x) where W is the residual life at `age`: the last poll before was the one at 0, or one at
// t with a wait longer than age - t + x.
Cells residual_later_than(double age) {
  const bool is_stationary = age >= stationary_age;
  const Cells polls = poll_density(is_stationary ? 0 : static_cast<int>(age / step) + 1);
  Cells later{1};
  for (int cell = 0; cell < longest_wait; ++cell) {
    const double x = middle(cell);
    if (is_stationary) {
      later.add(stationary_later_than(x));
      continue;
    }
    const double sure = std::min(age, age + x - 1);  // later polls wait long enough for sure
    later.add(wait_longer_than(age + x) + polls.first(age) - polls.first(sure) +
              polls.moment(age + x - 2.2, sure) / jitter);
  }
  return later;
}

// P(V + W > x): V has the density 1 / 1.6 up to 1, and falls to 0 from there to 2.2.
double sum_later_than(const Cells& residual, double x) {
  const double soon = (residual.first(x) - residual.first(x - 1)) / mean_wait;
  const double late = residual.moment(x - 2.2, x - 1) / (jitter * mean_wait);
  return std::clamp(soon + late, 0.0, 1.0);
}

double power(double base, std::uint32_t exponent) {
  double out = 1;
  for (; exponent != 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0) out *= base;
    base *= base;
  }
  return out;
}

}  // namespace

CrashLaw::CrashLaw(Duration lease, Duration retry, std::uint32_t followers)
    : lease_(lease), retry_(retry) {
  TENURE_ASSERT(followers >= 1, "somebody must take over");
  TENURE_ASSERT(retry > Duration::zero() && lease > retry, "client-go takes L > 1.2 R > 0");
  const double age = static_cast<double>(lease.count()) / static_cast<double>(retry.count());
  const Cells residual = residual_later_than(age);
  // The mean over the age at the crash, one retry period long, of the tail of the first follower.
  std::vector<double> area{0};
  for (int cell = 0; cell < 2 * longest_wait; ++cell)
    area.push_back(area.back() + power(sum_later_than(residual, middle(cell)), followers) * step);
  const int all = cells_per_retry + 2 * longest_wait;
  tail_.resize(static_cast<std::size_t>(all) + 1);
  const auto area_until = [&](int cell) {
    if (cell <= 0) return cell * step;  // before 0 the tail is 1
    return area[std::min(static_cast<std::size_t>(cell), area.size() - 1)];
  };
  for (int i = 0; i <= all; ++i)
    tail_[static_cast<std::size_t>(i)] = area_until(i) - area_until(i - cells_per_retry);
}

double CrashLaw::later_than(Duration time) const {
  const double x = (static_cast<double>(time.count()) - static_cast<double>(lease_.count())) /
                   static_cast<double>(retry_.count());
  const double cell = (x + 1) / step;
  if (cell <= 0) return 1;
  if (cell >= static_cast<double>(tail_.size() - 1)) return 0;
  const auto below = static_cast<std::size_t>(cell);
  const double part = cell - static_cast<double>(below);
  return tail_[below] * (1 - part) + tail_[below + 1] * part;
}

Duration CrashLaw::at(double retries) const {
  // Ten-thousandths of R: finer than the law is known, coarser than compilers differ.
  const auto parts = static_cast<std::int64_t>(std::llround(retries * 10'000));
  const Duration offset =
      parts < 0 ? -scaled(retry_, {-parts, 10'000}) : scaled(retry_, {parts, 10'000});
  return longer(lease_, offset);
}

Duration CrashLaw::quantile(Ratio q) const {
  const double wanted = 1 - static_cast<double>(q.numerator) / static_cast<double>(q.denominator);
  for (std::size_t i = 1; i < tail_.size(); ++i) {
    if (tail_[i] > wanted) continue;
    const double fall = tail_[i - 1] - tail_[i];
    const double part = fall > 0 ? (tail_[i - 1] - wanted) / fall : 1;
    return at((static_cast<double>(i - 1) + part) * step - 1);
  }
  return at(4.4);
}

Duration CrashLaw::mean() const {
  double sum = 0;
  for (std::size_t i = 1; i < tail_.size(); ++i) sum += (tail_[i - 1] + tail_[i]) / 2 * step;
  return at(sum - 1);
}

}  // namespace tenure::scenario

// The law of the failover after a crash of the leader, at zero latency (client-go, tools/
// leaderelection): F = L + min over the followers of (V + W) - A.
//
// A, the age of the last renewal at the crash, is uniform on [0, R). V is a follower's time from a
// random instant to its next poll, W from its expiry to the next one; polls lie apart by times
// uniform on [R, 2.2 R]. W is the residual life at age L of polls that begin at 0, found by the
// renewal equation; far from the beginning it has the law of V.
//
// Numbers of this law are shown and decide which durations are tried; they never feed into a run.
#pragma once

#include <cstdint>
#include <vector>

#include <tenure/base/ratio.hpp>
#include <tenure/base/time.hpp>

namespace tenure::scenario {

class CrashLaw {
 public:
  // `followers` at least 1, L > R > 0.
  CrashLaw(Duration lease, Duration retry, std::uint32_t followers);

  // P(F > time).
  double later_than(Duration time) const;

  // The q-quantile, 0 < q <= 1, and the mean, to about a ten-thousandth of R.
  Duration quantile(Ratio q) const;
  Duration mean() const;

 private:
  Duration at(double retries) const;

  Duration lease_;
  Duration retry_;
  std::vector<double> tail_;  // P(F > L + x R) for x = -1, -1 + step, ...
};

}  // namespace tenure::scenario

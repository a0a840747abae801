// A distribution of values that may be negative: `base` plus a draw of `over`. What draws durations
// never yields less than zero, while a clock may be behind or slow.
#pragma once

#include <tenure/base/distribution.hpp>
#include <tenure/base/time.hpp>

namespace tenure {

struct Shifted {
  Duration base{};
  Distribution over;

  friend bool operator==(const Shifted&, const Shifted&) = default;
};

inline Duration sample(const Shifted& shifted, Oracle& oracle, Draw draw) {
  return shifted.base + sample(shifted.over, oracle, draw);
}

// Takes a distribution whose values may be negative apart, and puts it together again.
Shifted shifted(Distribution with_signs);
Distribution with_signs(const Shifted& shifted);

}  // namespace tenure

// A distribution of values that may be negative: `base` plus a draw of `over`. What draws durations
// never yields less than zero, while a clock may be behind or slow.
#pragma once

#include <tenure/base/distribution.hpp>
#include <tenure/base/time.hpp>

namespace tenure::scenario {

struct Shifted {
  Duration base{};
  Distribution over;

  friend bool operator==(const Shifted&, const Shifted&) = default;
};

// Takes a distribution whose values may be negative apart, and puts it together again.
Shifted shifted(Distribution with_signs);
Distribution with_signs(const Shifted& shifted);

}  // namespace tenure::scenario

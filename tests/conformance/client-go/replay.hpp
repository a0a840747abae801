// Feeds a recording to our port of the elector and tells where the two part.
//
// The recording gives the port what the world around it did: when it starts, is cancelled or
// crashes; what each reply said and how long it took; where in its range each jittered wait ended.
// Everything else is the port's own: the replay advances to its next timer or to the next of those
// events, and never looks at the recording to learn when the port should do something.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "recording.hpp"

namespace tenure::conformance {

// Several things may be due for one elector at one nanosecond. The real program then takes them in
// whatever order its goroutines run, so every order is tried: this is one of them.
struct Order {
  struct Question {
    std::int64_t at = 0;
    std::size_t due = 0;  // how many things were
    std::size_t taken = 0;
  };
  std::vector<Question> questions;
};

// What our port does.
struct Played {
  std::vector<Line> lines;
  bool beyond_model = false;  // see `Verdict`
};
Played replay(const Recording& recording, const Recorded& elector, Names& names, Order& order);

struct Verdict {
  std::string difference;  // the first, as a small timeline of both sides; empty: none
  std::size_t orders = 0;  // how many were tried for all electors
  // client-go before v0.33 sleeps out a Retry-After although the context of the call has ended, and
  // its elector with it. The port, whose calls end when it says so, does not have that.
  bool beyond_model = false;
};
Verdict judge(const Recording& recording, Names& names);

}  // namespace tenure::conformance

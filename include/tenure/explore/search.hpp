// A breadth-first search by ticks, over any system of states that has codes. The search knows
// nothing of elections: the simulator is one system, and tests search others whose sizes are known.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include <tenure/explore/explorer.hpp>
#include <tenure/explore/state.hpp>

namespace tenure::explore {

// One way on from a state.
struct Successor {
  std::string_view code;  // valid during the call
  bool is_tick = false;
  std::uint8_t believers = 0;  // 2 stands for two and more
  // What this step violated; of a state with two believers the search itself sees to it, when time
  // passes.
  const std::vector<check::PropertyId>* violated = nullptr;
};

// Makes the successors of states. Every thread has one of its own.
class Expander {
 public:
  virtual ~Expander() = default;

  using Take = std::function<void(const Successor&)>;
  virtual void begin(const Take& take) = 0;  // the first states
  virtual void expand(std::string_view code, const Take& take) = 0;
  virtual const Probes& probes() const = 0;
};

using MakeExpander = std::function<std::unique_ptr<Expander>()>;

Exploration search(const MakeExpander& make, const Options& options);

}  // namespace tenure::explore

// Closed sets of alternatives.
#pragma once

#include <variant>

namespace tenure {

template <class... Functions>
struct overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
overloaded(Functions...) -> overloaded<Functions...>;

}  // namespace tenure

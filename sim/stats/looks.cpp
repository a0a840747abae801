#include <algorithm>

#include <tenure/base/assert.hpp>
#include <tenure/stats/looks.hpp>

namespace tenure::stats {

double alpha_of_look(std::size_t number, double alpha) {
  TENURE_ASSERT(number >= 1, "looks are numbered from 1");
  const auto k = static_cast<double>(number);
  return alpha / (k * (k + 1));
}

std::vector<std::uint64_t> looks_up_to(std::uint64_t runs, std::span<const std::uint64_t> listed) {
  std::vector<std::uint64_t> looks;
  if (listed.empty()) {
    for (std::uint64_t look = 1000; look < runs; look *= 2) looks.push_back(look);
  }
  for (const std::uint64_t look : listed) {
    if (look < runs) looks.push_back(look);
  }
  looks.push_back(runs);
  return looks;
}

std::size_t number_of_look(std::span<const std::uint64_t> looks, std::uint64_t runs) {
  TENURE_ASSERT(!looks.empty(), "there is a last look");
  const auto found = std::lower_bound(looks.begin(), looks.end() - 1, runs);
  return static_cast<std::size_t>(found - looks.begin()) + 1;
}

}  // namespace tenure::stats

// What is wrong with a shard, whether it is seen in its file alone or beside the others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <tenure/base/diagnostics.hpp>

namespace tenure::run {

// A diagnostic about a whole file.
inline void report_shard(Diagnostics& diagnostics,
                         const std::string& file,
                         std::string code,
                         std::string text,
                         std::vector<std::string> hints = {}) {
  Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.file = file;
  diagnostic.text = std::move(text);
  diagnostic.hints = std::move(hints);
  diagnostics.add(std::move(diagnostic));
}

// Whether the numbers lie in [first, end), each above the one before.
inline bool ascends(const std::vector<std::uint64_t>& numbers,
                    std::uint64_t first,
                    std::uint64_t end) {
  return std::is_sorted(numbers.begin(), numbers.end(), std::less_equal<>{}) &&
         (numbers.empty() || (numbers.front() >= first && numbers.back() < end));
}

}  // namespace tenure::run

#include <cstdint>
#include <cstring>
#include <string_view>

#include <tenure/explore/state.hpp>

namespace tenure::explore {
namespace {

// Both halves of a product of 64-bit words, folded: every bit of both reaches all of the result
// (the mixing step of wyhash).
std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(hash ^ 0x2d358dccaa6c78a5U) * (word ^ 0x9e3779b97f4a7c15U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64) ^ hash;
}

}  // namespace

std::uint64_t fingerprint_of(std::string_view code) {
  std::uint64_t hash = code.size() * 0x9e3779b97f4a7c15U;
  std::size_t i = 0;
  for (; i + 8 <= code.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, code.data() + i, 8);
    hash = mixed(hash, word);
  }
  std::uint64_t rest = 0;
  for (unsigned shift = 0; i < code.size(); ++i, shift += 8) {
    rest |= std::uint64_t{static_cast<std::uint8_t>(code[i])} << shift;
  }
  hash = mixed(hash, rest);
  return mixed(hash, 0x8bb84b93962eacc9U);
}

}  // namespace tenure::explore

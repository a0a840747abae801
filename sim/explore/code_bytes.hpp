// Codes while they are written: bytes, and parts without an order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tenure::explore {

// A code while it is written: a string takes its time over single bytes.
class Bytes {
 public:
  void push(std::uint8_t byte) {
    if (size_ == bytes_.size()) grow(1);
    bytes_[size_++] = static_cast<char>(byte);
  }
  void append(std::string_view more) {
    if (bytes_.size() < size_ + more.size()) grow(more.size());
    std::copy(more.begin(), more.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(size_));
    size_ += more.size();
  }
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  std::string_view view() const { return {bytes_.data(), size_}; }

 private:
  // Out of line, so that the rest is a few instructions wherever a byte is written.
  [[gnu::noinline]] void grow(std::size_t by) { bytes_.resize(size_ * 2 + by + 64); }

  std::vector<char> bytes_;
  std::size_t size_ = 0;
};

// Codes of things that have no order, to be sorted.
class Parts {
 public:
  void clear() { bytes_.clear(), ends_.clear(); }
  Bytes& bytes() { return bytes_; }
  void end_part() { ends_.push_back(bytes_.size()); }
  std::size_t count() const { return ends_.size(); }

  void append_to(Bytes& out) {
    if (count() < 2) return out.append(bytes_.view());
    views_.clear();
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      views_.push_back(bytes_.view().substr(begin, end - begin));
      begin = end;
    }
    std::sort(views_.begin(), views_.end());
    for (const std::string_view part : views_) out.append(part);
  }

 private:
  Bytes bytes_;
  std::vector<std::size_t> ends_;
  std::vector<std::string_view> views_;
};

inline std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
inline std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

}  // namespace tenure::explore

// Samples as text: the difference of each value from the one before (the first from 0), zigzag,
// LEB128, base64 with padding. A million failovers, spread over seconds, are some 7 MB, written in
// pieces, never held.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include <tenure/stats/sample.hpp>

namespace tenure::stats {

// What stands before such a text, so that a reader knows what it is.
inline constexpr std::string_view coding = "base64-delta-varint:";

// Takes the next piece of text; the view ends with the call.
using TextSink = std::function<void(std::string_view)>;

class DeltaEncoder {
 public:
  explicit DeltaEncoder(TextSink sink);

  void put(std::int64_t value);

  // Writes what is left, with padding. Nothing may be put afterwards.
  void finish();

 private:
  void put_byte(std::uint8_t byte);
  void write_block(std::size_t digits);
  void flush();

  TextSink sink_;
  std::uint64_t before_ = 0;
  std::uint32_t block_ = 0;  // up to three bytes that are not yet text
  std::size_t bytes_in_block_ = 0;
  std::array<char, 4096> text_{};
  std::size_t length_ = 0;
};

// The values of a metric, and the run of each value.
void encode_values(const Samples& samples, const TextSink& sink);
void encode_runs(const Samples& samples, const TextSink& sink);

// The fault of each value, for metrics where any differs from 0.
void encode_faults(const Samples& samples, const TextSink& sink);

// The values again; nothing if the text is not such an encoding in every byte, or holds more than
// `most` values.
std::optional<std::vector<std::int64_t>> decode_deltas(std::string_view text, std::size_t most);

}  // namespace tenure::stats

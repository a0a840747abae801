#include <utility>

#include <tenure/stats/codec.hpp>

namespace tenure::stats {
namespace {

// RFC 4648, section 4.
constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Small numbers of either sign become small numbers: 0, -1, 1, -2 are 0, 1, 2, 3.
constexpr std::uint64_t zigzag(std::uint64_t difference) {
  const std::uint64_t sign = difference >> 63;
  return (difference << 1) ^ (0 - sign);
}

constexpr std::uint64_t unzigzag(std::uint64_t code) {
  return (code >> 1) ^ (0 - (code & 1));
}

std::optional<std::uint32_t> digit(char c) {
  const std::size_t place = alphabet.find(c);
  if (place == std::string_view::npos) return std::nullopt;
  return static_cast<std::uint32_t>(place);
}

// Collects bytes into LEB128 numbers and adds these up.
class DeltaDecoder {
 public:
  explicit DeltaDecoder(std::size_t most) : most_(most) {}

  bool put(std::uint8_t byte) {
    const std::uint64_t low = byte & 0x7fU;
    if (shift_ == 63 && low > 1) return false;  // beyond 64 bits
    if (shift_ > 0 && byte == 0) return false;  // one number has one encoding
    if (shift_ == 0 && values_.size() == most_) return false;
    code_ |= low << shift_;
    shift_ += 7;
    if ((byte & 0x80U) != 0) return shift_ < 64;
    before_ += unzigzag(std::exchange(code_, 0));
    shift_ = 0;
    values_.push_back(static_cast<std::int64_t>(before_));
    return true;
  }

  bool complete() const { return shift_ == 0; }
  std::vector<std::int64_t> take() { return std::move(values_); }

 private:
  std::size_t most_;
  std::vector<std::int64_t> values_;
  std::uint64_t before_ = 0;
  std::uint64_t code_ = 0;
  unsigned shift_ = 0;
};

std::size_t padding_of(std::string_view text) {
  if (text.ends_with("==")) return 2;
  return text.ends_with('=') ? 1 : 0;
}

// The bytes of one group of two to four base64 digits.
bool put_group(std::string_view digits, DeltaDecoder& decoder) {
  std::uint32_t block = 0;
  for (const char c : digits) {
    const auto value = digit(c);
    if (!value) return false;
    block = (block << 6) | *value;
  }
  const std::size_t bytes = digits.size() - 1;
  block <<= 6 * (4 - digits.size());
  for (std::size_t i = 0; i < bytes; ++i) {
    if (!decoder.put(static_cast<std::uint8_t>(block >> (16 - 8 * i)))) return false;
  }
  const std::uint32_t unused = block & ((std::uint32_t{1} << (24 - 8 * bytes)) - 1);
  return unused == 0;
}

template <class Value>
void encode(std::size_t count, Value value, const TextSink& sink) {
  DeltaEncoder encoder(sink);
  for (std::size_t i = 0; i < count; ++i) encoder.put(value(i));
  encoder.finish();
}

}  // namespace

DeltaEncoder::DeltaEncoder(TextSink sink) : sink_(std::move(sink)) {}

// Differences are taken modulo 2^64, so that no pair of values is too far apart.
void DeltaEncoder::put(std::int64_t value) {
  const auto now = static_cast<std::uint64_t>(value);
  std::uint64_t code = zigzag(now - std::exchange(before_, now));
  while (code >= 0x80U) {
    put_byte(static_cast<std::uint8_t>(code | 0x80U));
    code >>= 7;
  }
  put_byte(static_cast<std::uint8_t>(code));
}

void DeltaEncoder::put_byte(std::uint8_t byte) {
  block_ = (block_ << 8) | byte;
  if (++bytes_in_block_ == 3) write_block(4);
}

void DeltaEncoder::write_block(std::size_t digits) {
  const std::uint32_t aligned = block_ << (8 * (3 - bytes_in_block_));
  for (std::size_t i = 0; i < 4; ++i) {
    text_[length_++] = i < digits ? alphabet[(aligned >> (18 - 6 * i)) & 63U] : '=';
  }
  block_ = 0;
  bytes_in_block_ = 0;
  if (length_ == text_.size()) flush();
}

void DeltaEncoder::flush() {
  if (length_ > 0) sink_(std::string_view(text_.data(), length_));
  length_ = 0;
}

void DeltaEncoder::finish() {
  if (bytes_in_block_ > 0) write_block(bytes_in_block_ + 1);
  flush();
}

void encode_values(const Samples& samples, const TextSink& sink) {
  encode(
      samples.size(), [&](std::size_t i) { return samples.values()[i]; }, sink);
}

void encode_runs(const Samples& samples, const TextSink& sink) {
  encode(
      samples.size(), [&](std::size_t i) { return static_cast<std::int64_t>(samples.run_of(i)); },
      sink);
}

void encode_faults(const Samples& samples, const TextSink& sink) {
  encode(
      samples.size(), [&](std::size_t i) { return std::int64_t{samples.fault_of(i)}; }, sink);
}

std::optional<std::vector<std::int64_t>> decode_deltas(std::string_view text, std::size_t most) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::string_view digits = text.substr(0, text.size() - padding_of(text));
  DeltaDecoder decoder(most);
  for (std::size_t at = 0; at < digits.size(); at += 4) {
    if (!put_group(digits.substr(at, 4), decoder)) return std::nullopt;
  }
  if (!decoder.complete()) return std::nullopt;
  return decoder.take();
}

}  // namespace tenure::stats

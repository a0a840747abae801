#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "run_json.hpp"

namespace tenure::report {
namespace {

using Json = nlohmann::ordered_json;

// A text that JSON leaves as it is. A scenario could hold it too, so only the next slot counts, and
// what a user wrote stands behind all samples.
std::string slot_text(std::size_t number) {
  return fmt::format("\x7f\x7fsamples:{}\x7f", number);
}

}  // namespace

Json SampleSlots::slot(Encode encode) {
  slots_.push_back(std::move(encode));
  return slot_text(slots_.size() - 1);
}

void SampleSlots::write(const Json& json, const TextSink& sink) const {
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace);
  std::string_view rest = text;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const std::string slot = slot_text(i);
    const std::size_t at = rest.find(slot);
    sink(rest.substr(0, at));
    sink("base64-delta-varint:");
    slots_[i](sink);
    rest.remove_prefix(at + slot.size());
  }
  sink(rest);
  sink("\n");
}

}  // namespace tenure::report

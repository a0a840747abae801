#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <tenure/base/assert.hpp>
#include <tenure/stats/codec.hpp>

#include "run_json.hpp"

namespace tenure::report {
using Json = nlohmann::ordered_json;

std::string SampleSlots::text_of(std::size_t number) const {
  return fmt::format("\x7f{}:{}\x7f", salt_, number);
}

Json SampleSlots::slot(Encode encode) {
  slots_.push_back(std::move(encode));
  return text_of(slots_.size() - 1);
}

void SampleSlots::write(const Json& json, const TextSink& sink) const {
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace);
  std::string_view rest = text;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const std::string slot = text_of(i);
    const std::size_t at = rest.find(slot);
    TENURE_ASSERT(at != std::string_view::npos, "every slot stands in the JSON, in its order");
    sink(rest.substr(0, at));
    sink(stats::coding);
    slots_[i](sink);
    rest.remove_prefix(at + slot.size());
  }
  sink(rest);
  sink("\n");
}

}  // namespace tenure::report

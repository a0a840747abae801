#include <string>
#include <string_view>

#include <tenure/fault/fault.hpp>

namespace tenure::fault {

Fault::Streams Fault::streams() const {
  const auto stream = [this](std::string_view purpose) {
    return stream_named("fault/" + name + "/" + std::string{purpose});
  };
  return {.at = stream("at"),
          .duration = stream("duration"),
          .every = stream("every"),
          .probability = stream("probability"),
          .target = stream("target"),
          .latency = stream("latency"),
          .jitter = stream("jitter")};
}

}  // namespace tenure::fault

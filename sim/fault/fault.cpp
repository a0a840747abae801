#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tenure/fault/fault.hpp>

namespace tenure::fault {
namespace {

struct StreamForm {
  std::string_view purpose;
  Stream Fault::Streams::*stream;

  std::string name_of(const Fault& fault) const {
    return fmt::format("fault/{}/{}", fault.name, purpose);
  }
};

using Streams = Fault::Streams;
constexpr std::array<StreamForm, 7> stream_forms = {{
    {"at", &Streams::at},
    {"duration", &Streams::duration},
    {"every", &Streams::every},
    {"probability", &Streams::probability},
    {"target", &Streams::target},
    {"latency", &Streams::latency},
    {"jitter", &Streams::jitter},
}};

}  // namespace

Fault::Streams Fault::streams() const {
  Streams streams;
  for (const StreamForm& form : stream_forms)
    streams.*form.stream = stream_named(form.name_of(*this));
  return streams;
}

std::vector<std::string> Fault::stream_names() const {
  std::vector<std::string> names;
  for (const StreamForm& form : stream_forms) names.push_back(form.name_of(*this));
  return names;
}

}  // namespace tenure::fault

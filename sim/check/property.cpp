#include <array>
#include <string_view>

#include <tenure/check/property.hpp>

namespace tenure::check {

std::string_view to_text(PropertyId id) {
  constexpr std::array<std::string_view, property_count> names = {
      "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "B1", "B2", "V1", "L1", "L4"};
  return names[static_cast<std::size_t>(id)];
}

void Findings::violated(const Violation& violation) {
  ++tally_[index(violation.id)].violations;
  std::optional<Violation>& first = first_[index(violation.id)];
  if (!first) first = violation;
}

}  // namespace tenure::check

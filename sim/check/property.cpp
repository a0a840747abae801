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

std::optional<Violation> Findings::first_of(PropertySet ids) const {
  std::optional<Violation> earliest;
  for (std::size_t i = 0; i < property_count; ++i) {
    if (!ids.contains(static_cast<PropertyId>(i)) || !first_[i]) continue;
    if (!earliest || first_[i]->at < earliest->at) earliest = first_[i];
  }
  return earliest;
}

bool Findings::exercised(PropertySet ids) const {
  if (ids.contains(PropertyId::B1)) return tally(PropertyId::B1).premises != 0;
  if (ids.contains(PropertyId::S4)) return tally(PropertyId::S4).premises != 0;
  for (std::size_t i = 0; i < property_count; ++i) {
    if (ids.contains(static_cast<PropertyId>(i)) && tally_[i].premises != 0) return true;
  }
  return false;
}

}  // namespace tenure::check

// The names that scenarios use, with a sentence for each: what `tenure list` and `explain` print
// and what did-you-mean chooses from. `modelled` is false for what this version knows but refuses.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <tenure/base/text.hpp>

namespace tenure::scenario {

struct Name {
  std::string_view name;
  std::string_view meaning;
  bool modelled = true;
};

std::span<const Name> electors();
std::span<const Name> faults();
std::span<const Name> properties();
std::span<const Name> metrics();

const Name* find_name(std::span<const Name> names, std::string_view name);
std::vector<std::string_view> words_of(std::span<const Name> names);

// Words that people use for fields and for faults.
std::span<const Alias> field_aliases();
std::span<const Alias> fault_aliases();

}  // namespace tenure::scenario

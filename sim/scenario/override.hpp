// Which field the path of an override names, however it is spelled.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tenure/scenario/document.hpp>

namespace tenure::scenario {

// The steps of "spec.candidates[web].elector" with items of lists by their indices: spec,
// candidates, 0, elector. What is not in the document stays as it is written; empty: no path.
std::vector<std::string> resolved_path(const Document& document, std::string_view path);

// Whether setting the one sets the other, too: one holds the other, or they are the same field.
bool overlap(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace tenure::scenario

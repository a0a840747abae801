#include <algorithm>

#include <fmt/format.h>

#include <tenure/alert/series.hpp>

#include "go_text.hpp"

namespace tenure::alert {
namespace {

bool comes_before(const Label& label, std::string_view name) {
  return label.name < name;
}

}  // namespace

Labels::Labels(std::initializer_list<Label> labels) {
  for (const Label& label : labels) set(label.name, label.value);
}

std::string_view Labels::of(std::string_view name) const {
  const auto found = std::lower_bound(all_.begin(), all_.end(), name, comes_before);
  if (found == all_.end() || found->name != name) return {};
  return found->value;
}

void Labels::set(std::string_view name, std::string_view value) {
  if (value.empty()) return erase(name);
  const auto found = std::lower_bound(all_.begin(), all_.end(), name, comes_before);
  if (found != all_.end() && found->name == name) {
    found->value = value;
  } else {
    all_.insert(found, Label{std::string{name}, std::string{value}});
  }
}

void Labels::erase(std::string_view name) {
  const auto found = std::lower_bound(all_.begin(), all_.end(), name, comes_before);
  if (found != all_.end() && found->name == name) all_.erase(found);
}

std::string to_text(const Labels& labels) {
  std::string text = "{";
  for (const Label& label : labels.all()) {
    if (text.size() > 1) text += ", ";
    text += fmt::format("{}={}", label.name, go_quoted(label.value));
  }
  return text + "}";
}

void SeriesStore::append(const Labels& labels, Sample sample) {
  std::vector<Sample>& samples = all_[labels];
  if (!samples.empty() && samples.back().at >= sample.at) return;
  samples.push_back(sample);
}

}  // namespace tenure::alert

// A value of a result file that is being read: it knows its path, and complains for itself. Nothing
// stops at the first mistake; what cannot be used reads as nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/report/reader.hpp>

namespace tenure::report {

class ResultField {
 public:
  ResultField(const nlohmann::ordered_json& json, ResultPlace place, Diagnostics& diagnostics)
      : json_(&json), place_(std::move(place)), diagnostics_(&diagnostics) {}

  const nlohmann::ordered_json& json() const { return *json_; }
  const ResultPlace& place() const { return place_; }
  // Whether it was asked for and is not there, which was reported.
  bool is_missing() const { return json_->is_discarded(); }

  bool has(std::string_view name) const { return json_->is_object() && json_->contains(name); }

  // A field that must be there.
  ResultField at(std::string_view name) const {
    const std::string path =
        place_.path.empty() ? std::string{name} : fmt::format("{}.{}", place_.path, name);
    if (has(name)) return {json_->at(std::string{name}), {place_.file, path}, *diagnostics_};
    static const nlohmann::ordered_json missing{nlohmann::ordered_json::value_t::discarded};
    const ResultField field{missing, {place_.file, path}, *diagnostics_};
    if (!is_missing()) field.problem("is missing");
    return field;
  }

  std::vector<ResultField> items() const {
    std::vector<ResultField> all;
    if (!json_->is_array()) {
      expected("a list");
      return all;
    }
    for (std::size_t i = 0; i < json_->size(); ++i) {
      const std::string path = fmt::format("{}[{}]", place_.path, i);
      all.emplace_back((*json_)[i], ResultPlace{place_.file, path}, *diagnostics_);
    }
    return all;
  }

  // Null: it is none.
  const std::string* text() const {
    if (!json_->is_string()) expected("a text");
    return json_->get_ptr<const std::string*>();
  }

  std::optional<std::uint64_t> whole() const {
    if (json_->is_number_integer() && (json_->is_number_unsigned() || *json_ >= 0))
      return json_->get<std::uint64_t>();
    expected("a whole number");
    return std::nullopt;
  }

  void problem(std::string_view text) const {
    Diagnostic diagnostic;
    diagnostic.code = "E0701";
    diagnostic.file = place_.file;
    diagnostic.text = place_.path.empty() ? fmt::format("this file {}", text)
                                          : fmt::format("{} {}", visible(place_.path), text);
    diagnostic.hints.emplace_back("a result is what tenure run -w json=PATH writes");
    diagnostics_->add(std::move(diagnostic));
  }

 private:
  void expected(std::string_view what) const {
    if (!is_missing()) problem(fmt::format("is not {}", what));
  }

  const nlohmann::ordered_json* json_;
  ResultPlace place_;
  Diagnostics* diagnostics_;
};

}  // namespace tenure::report

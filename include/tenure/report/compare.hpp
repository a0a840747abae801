// A comparison of two results, for people, for pull requests and for machines.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include <tenure/report/writer.hpp>
#include <tenure/run/compare.hpp>

namespace tenure::report {

// Of which results it is, as the user named them.
struct ComparedFiles {
  std::string base;
  std::string other;
};

// What a person reads; the last line says whether the second is a regression.
std::string comparison_text(const run::Comparison& comparison,
                            const ComparedFiles& files,
                            Colour colour);

// The same as tables in Markdown.
std::string comparison_markdown(const run::Comparison& comparison, const ComparedFiles& files);

// `kind: CompareResult`.
nlohmann::ordered_json comparison_json(const run::Comparison& comparison);

}  // namespace tenure::report

// The loader must come back from any bytes: with a scenario or with diagnostics, never with a
// crash. The first byte chooses the format; with 'o' the first line is a --set argument for the
// YAML below.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include <tenure/scenario/scenario.hpp>

namespace {

using namespace tenure;
using namespace tenure::scenario;

void demand(bool condition) {
  if (!condition) std::abort();
}

// What was decoded, written back and read again, is the same scenario.
void check_round_trip(const Scenario& scenario) {
  Diagnostics problems;
  const auto documents =
      parse_documents("again.json", scenario_json(scenario).dump(), Format::json, problems);
  demand(documents.size() == 1);
  const auto again = decode(documents.front(), problems);
  demand(again && *again == scenario);
}

Format format_of_byte(char byte) {
  if (byte == 'j') return Format::json;
  if (byte == 'c') return Format::jsonc;
  return Format::yaml;
}

std::string take_line(std::string& text) {
  const std::size_t end = text.find('\n');
  std::string line = text.substr(0, end);
  text.erase(0, end == std::string::npos ? end : end + 1);
  return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char first = static_cast<char>(data[0]);
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string argument = first == 'o' ? take_line(text) : std::string{};
  Diagnostics problems;
  for (Document& document :
       parse_documents("fuzz", std::move(text), format_of_byte(first), problems)) {
    if (first == 'o') apply_override(document, argument, problems);
    Diagnostics own;
    if (const auto scenario = decode(document, own)) check_round_trip(*scenario);
    demand(!rendered(own).empty() || own.all().empty());
  }
  static_cast<void>(rendered(problems));
  return 0;
}

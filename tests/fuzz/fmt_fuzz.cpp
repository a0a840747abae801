// Whatever can be read is written in canonical form, as YAML and as JSON, and means the same when
// it is read again; the canonical form of that is itself, byte for byte. The first byte chooses the
// format of the rest: j JSON, anything else YAML.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include <tenure/scenario/canonical.hpp>
#include <tenure/scenario/scenario.hpp>

namespace {

using namespace tenure;
using namespace tenure::scenario;
using Json = nlohmann::ordered_json;

void demand(bool condition) {
  if (!condition) std::abort();
}

void check_again(const Scenario& scenario,
                 const Json& form,
                 const std::string& text,
                 Format format) {
  Diagnostics problems;
  const auto documents = parse_documents("again", text, format, problems);
  demand(documents.size() == 1);
  const auto again = decode(documents.front(), problems);
  demand(again && *again == scenario);
  const Json second = as_written(scenario_json(*again), *documents.front().root);
  demand(second == form && yaml_text(second) == yaml_text(form));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Format format = data[0] == 'j' ? Format::json : Format::yaml;
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Diagnostics problems;
  for (const Document& document : parse_documents("fuzz", std::move(text), format, problems)) {
    Diagnostics own;
    const auto scenario = decode(document, own);
    if (!scenario || problems.errors() != 0) continue;
    const Json full = scenario_json(*scenario);
    for (const Json& form : {as_written(full, *document.root), full}) {
      check_again(*scenario, form, yaml_text(form), Format::yaml);
      check_again(*scenario, form, form.dump(), Format::json);
    }
  }
  return 0;
}

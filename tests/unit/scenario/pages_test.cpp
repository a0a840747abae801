// The pages of `tenure explain`: whatever can be written or listed has one.
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/base/diagnostics.hpp>
#include <tenure/check/metrics.hpp>
#include <tenure/check/property.hpp>
#include <tenure/scenario/bounds.hpp>
#include <tenure/scenario/codes.hpp>
#include <tenure/scenario/document.hpp>
#include <tenure/scenario/names.hpp>
#include <tenure/scenario/pages.hpp>
#include <tenure/scenario/preset.hpp>
#include <tenure/scenario/scenario.hpp>
#include <tenure/scenario/sweep.hpp>

namespace {

using namespace tenure;
using namespace tenure::scenario;

TEST_CASE("every name that a list prints has a page") {
  for (const auto names : {electors(), faults(), properties(), metrics()}) {
    for (const Name& name : names) {
      CAPTURE(name.name);
      CHECK_FALSE(explained(name.name).empty());
    }
  }
  for (const Preset& preset : presets()) CHECK_FALSE(explained(preset.name).empty());
  for (const Code& code : all_codes()) {
    CAPTURE(code.code);
    const std::string page = explained(code.code);
    CHECK(page.find(" bad ") != std::string::npos);
    CHECK(page.find(" good ") != std::string::npos);
  }
  for (const FieldPage& page : field_pages()) CHECK_FALSE(explained(page.path).empty());
  for (const FieldPage& page : sweep_field_pages()) CHECK_FALSE(explained(page.path).empty());
  for (const TypePage& page : type_pages()) CHECK_FALSE(explained(page.name).empty());
  for (const FormulaPage& page : formula_pages()) CHECK_FALSE(explained(page.name).empty());
  for (const WordPage& page : environment_pages()) CHECK_FALSE(explained(page.name).empty());
  for (const std::string_view name : {"exit codes", "environment", "formats"})
    CHECK_FALSE(explained(name).empty());
}

TEST_CASE("every name that did-you-mean chooses from has a page") {
  for (const std::string_view name : explained_names()) {
    CAPTURE(name);
    CHECK_FALSE(explained(name).empty());
  }
}

TEST_CASE("a page of a code says where its examples stand") {
  for (const Code& code : all_codes()) {
    CAPTURE(code.code);
    CHECK(code.in.empty() == (code.given != Given::fields && code.given != Given::explored &&
                              code.code != "W0303" && code.code != "W0305"));
    if (!code.in.empty()) CHECK_FALSE(explained(code.in).empty());
  }
}

// The labels of the lines that bounds prints, in any of its forms.
std::set<std::string> labels_of(const BoundsInput& input) {
  std::set<std::string> labels;
  const std::string text = rendered(bounds_of(input), BoundsText::lines);
  for (std::size_t at = text.find('\n') + 1; at < text.size(); at = text.find('\n', at) + 1) {
    if (text.compare(at, 2, "  ") != 0 || text[at + 2] == ' ' ||
        text.compare(at, 7, "  note:") == 0)
      continue;
    std::string label = text.substr(at + 2, 30);
    label.erase(label.find_last_not_of(' ') + 1);
    labels.insert(label);
  }
  return labels;
}

TEST_CASE("every line of bounds has a page, and every page of a formula is of such a line") {
  BoundsInput releasing;
  releasing.release_on_cancel = true;
  BoundsInput refused;
  refused.lease_duration = refused.renew_deadline;
  std::set<std::string> printed;
  for (const BoundsInput& input : {BoundsInput{}, releasing, refused}) {
    for (const std::string& label : labels_of(input)) {
      CAPTURE(label);
      CHECK(explained(label).find("formula ") == 0);
      printed.insert(label);
    }
  }
  for (const FormulaPage& page : formula_pages()) {
    CAPTURE(page.label);
    CHECK(printed.count(std::string{page.label}) == 1);
  }
}

TEST_CASE("every modelled name has a page of its own, and every page has a name") {
  const auto modelled = [](std::span<const Name> names) {
    std::set<std::string_view> out;
    for (const Name& name : names) {
      if (name.modelled) out.insert(name.name);
    }
    return out;
  };
  const auto paged = [](const auto pages) {
    std::set<std::string_view> out;
    for (const auto& page : pages) out.insert(page.name);
    return out;
  };
  CHECK(modelled(electors()) == paged(elector_pages()));
  CHECK(modelled(faults()) == paged(fault_pages()));
  CHECK(modelled(properties()) == paged(property_pages()));
  CHECK(modelled(metrics()) == paged(metric_pages()));
}

TEST_CASE("every property and metric that is checked has a page") {
  for (std::size_t i = 0; i < check::property_count; ++i) {
    CHECK_FALSE(explained(check::to_text(static_cast<check::PropertyId>(i))).empty());
  }
  for (std::size_t i = 0; i < check::metric_count; ++i) {
    const std::string_view name = check::to_text(static_cast<check::MetricId>(i));
    CHECK(explained(name).find("unit") != std::string::npos);
  }
}

// The fields that the decoder takes at a place, from its own mouth: it names them to whoever writes
// one that it does not know.
std::vector<std::string> fields_at(const std::string& text) {
  Diagnostics diagnostics;
  for (const Document& document : parse_documents("x", text, Format::yaml, diagnostics)) {
    if (kind_of(document) == "Sweep") {
      decode_sweep(document, diagnostics);
    } else {
      decode(document, diagnostics);
    }
  }
  const std::string mark = "fields here: ";
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.text.find("\"zzz\"") == std::string::npos) continue;
    for (const std::string& hint : diagnostic.hints) {
      if (hint.compare(0, mark.size(), mark) != 0) continue;
      std::vector<std::string> fields;
      for (std::size_t at = mark.size(); at < hint.size();) {
        const std::size_t end = std::min(hint.find(", ", at), hint.size());
        fields.push_back(hint.substr(at, end - at));
        at = end + 2;
      }
      return fields;
    }
  }
  return {};
}

struct Place {
  std::string path;
  std::string text;  // a document with the field zzz there
};

std::string spec(const std::string& content) {
  return "apiVersion: tenure/v1alpha1\nkind: Scenario\nmetadata: {name: x}\nspec: {" + content +
         "}\n";
}

std::string candidate(const std::string& content) {
  return spec("candidates: [{name: a, " + content + "}]");
}

std::vector<Place> places() {
  std::vector<Place> out{
      {"", "zzz: 1\n"},
      {"metadata", "metadata: {zzz: 1}\n"},
      {"spec", spec("zzz: 1")},
      {"spec.lease", spec("lease: {zzz: 1}")},
      {"spec.cluster", spec("cluster: {zzz: 1}")},
      {"spec.cluster.nodes", spec("cluster: {nodes: [{zzz: 1}]}")},
      {"spec.cluster.latency", spec("cluster: {latency: {zzz: 1}}")},
      {"spec.record", spec("record: {zzz: 1}")},
      {"spec.explore", spec("explore: {zzz: 1}")},
      {"spec.choices", spec("choices: {zzz: 1}")},
      {"spec.choices.answers", spec("choices: {answers: [{zzz: 1}]}")},
      {"spec.candidates", candidate("zzz: 1")},
      {"spec.candidates.elector", candidate("elector: {type: client-go, zzz: 1}")},
      {"spec.candidates.elector", candidate("elector: {type: naive-loop, zzz: 1}")},
      {"spec.candidates.elector.behaviour",
       candidate("elector: {type: client-go, behaviour: {zzz: 1}}")},
      {"spec.candidates.clock", candidate("clock: {zzz: 1}")},
      {"spec.candidates.restart", candidate("restart: {zzz: 1}")},
      {"spec.candidates.shutdown", candidate("shutdown: {zzz: 1}")},
      {"spec.faults.target", spec("faults: [{type: crash, target: {zzz: 1}}]")},
      {"spec.thresholds", spec("thresholds: {gap: {zzz: 1}}")},
      {"spec.stopping", spec("stopping: {zzz: 1}")},
      {"spec.alerts", spec("alerts: {zzz: 1}")},
      {"spec.alerts.groups", spec("alerts: {groups: [{zzz: 1}]}")},
      {"spec.alerts.groups.rules", spec("alerts: {groups: [{rules: [{zzz: 1}]}]}")},
      {"spec.alerts.scrape", spec("alerts: {scrape: {zzz: 1}}")},
      {"spec.alerts.expect", spec("alerts: {expect: [{zzz: 1}]}")},
  };
  for (const FaultPage& fault : fault_pages()) {
    out.push_back(
        {"spec.faults", spec("faults: [{type: " + std::string{fault.name} + ", zzz: 1}]")});
  }
  for (const PropertyPage& property : property_pages()) {
    out.push_back({"spec.properties",
                   spec("properties: [{name: " + std::string{property.name} + ", zzz: 1}]")});
  }
  return out;
}

std::vector<Place> places_of_sweeps() {
  const std::string head = "apiVersion: tenure/v1alpha1\nkind: Sweep\n";
  const auto in_spec = [&](const std::string& content) {
    return head + "metadata: {name: x}\nspec: {" + content + "}\n";
  };
  const auto parameter = [&](const std::string& content) {
    return in_spec("scenarioRef: {path: x}, parameters: [{name: a, " + content + "}]");
  };
  return {{"sweep", head + "zzz: 1\n"},
          {"sweep.metadata", head + "metadata: {zzz: 1}\n"},
          {"sweep.spec", in_spec("zzz: 1")},
          {"sweep.spec.scenarioRef", in_spec("scenarioRef: {zzz: 1}")},
          {"sweep.spec.design", in_spec("design: {zzz: 1}")},
          {"sweep.spec.parameters", parameter("zzz: 1")},
          {"sweep.spec.parameters.range", parameter("range: {zzz: 1}")},
          {"sweep.spec.follow", in_spec("follow: [{zzz: 1}]")},
          {"sweep.spec.objectives", in_spec("objectives: {zzz: 1}")}};
}

std::vector<Place> all_places() {
  std::vector<Place> all = places();
  for (Place& place : places_of_sweeps()) all.push_back(std::move(place));
  return all;
}

TEST_CASE("every field that the decoder takes has a page") {
  for (const Place& place : all_places()) {
    CAPTURE(place.text);
    const std::vector<std::string> fields = fields_at(place.text);
    CHECK_FALSE(fields.empty());
    for (const std::string& field : fields) {
      const std::string path = place.path.empty() ? field : place.path + "." + field;
      CAPTURE(path);
      CHECK(explained(path).find("default") != std::string::npos);
    }
  }
}

TEST_CASE("every page of a field is of one that the decoder takes") {
  std::set<std::string> taken;
  for (const Place& place : all_places()) {
    for (const std::string& field : fields_at(place.text))
      taken.insert(place.path.empty() ? field : place.path + "." + field);
  }
  for (const auto pages : {field_pages(), sweep_field_pages()}) {
    for (const FieldPage& page : pages) {
      CAPTURE(page.path);
      CHECK(taken.count(std::string{page.path}) == 1);
    }
  }
}

TEST_CASE("a field is found with and without its prefix, and with list items in it") {
  const std::string page = explained("spec.candidates.elector.leaseDuration");
  CHECK_FALSE(page.empty());
  for (const std::string_view path :
       {"scenario.spec.candidates.elector.leaseDuration",
        "spec.candidates[0].elector.leaseDuration", "spec.candidates.0.elector.leaseDuration",
        "scenario.spec.candidates[kcm].elector.leaseDuration", "leaseDuration"}) {
    CAPTURE(path);
    CHECK(explained(path) == page);
  }
  const std::string of_a_sweep = explained("sweep.spec.parameters.range.step");
  CHECK(of_a_sweep.find("sweep.spec.parameters.range.step\n") == 0);
  for (const std::string_view path :
       {"Sweep.spec.parameters.range.step", "Sweep.parameters[0].range.step",
        "spec.parameters.range.step"}) {
    CAPTURE(path);
    CHECK(explained(path) == of_a_sweep);
  }
  CHECK(explained("spec.candidates.elector.leaseDuratoin").empty());
  CHECK(explained("").empty());
}

}  // namespace

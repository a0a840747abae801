// The parts of a run's result as JSON, for files that hold one or many.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <tenure/report/writer.hpp>

namespace tenure::report {

// Samples are too many to be held as text: a slot stands for them, and they are written in its
// place.
class SampleSlots {
 public:
  // `salt` is nothing that the JSON can hold otherwise: the digest of what a user wrote.
  explicit SampleSlots(std::string salt) : salt_(std::move(salt)) {}

  using Encode = std::function<void(const TextSink&)>;

  nlohmann::ordered_json slot(Encode encode);

  // The JSON with all of its slots filled, and a newline.
  void write(const nlohmann::ordered_json& json, const TextSink& sink) const;

 private:
  std::string text_of(std::size_t number) const;

  std::string salt_;
  std::vector<Encode> slots_;
};

// Fields `properties`, `thresholds` and `metrics`; `result` must live until the slots are written.
void add_findings(const run::RunResult& result, nlohmann::ordered_json& json, SampleSlots& slots);

nlohmann::ordered_json threshold_json(const run::RunResult& result,
                                      const run::ThresholdResult& threshold);

}  // namespace tenure::report

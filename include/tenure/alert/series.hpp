// Time series as Prometheus keeps them: labels that name them, and samples in the order of time.
//
// Invariants:
//  (1) the labels of a set are sorted by name, each name stands once, and no value is empty
//  (2) the samples of a series have ascending, different times
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tenure::alert {

// The resolution of Prometheus. Instants count from the beginning of the run.
using Millis = std::int64_t;

inline constexpr std::string_view metric_name_label = "__name__";

struct Label {
  std::string name;
  std::string value;

  friend auto operator<=>(const Label&, const Label&) = default;
};

class Labels {
 public:
  Labels() = default;
  Labels(std::initializer_list<Label> labels);

  // Empty: there is no such label; to Prometheus that is the same.
  std::string_view of(std::string_view name) const;
  void set(std::string_view name, std::string_view value);
  void erase(std::string_view name);

  const std::vector<Label>& all() const { return all_; }

  friend auto operator<=>(const Labels&, const Labels&) = default;

 private:
  std::vector<Label> all_;
};

// As Prometheus prints them: {__name__="up", job="api"}.
std::string to_text(const Labels& labels);

struct Sample {
  Millis at = 0;
  double value = 0;
  bool is_stale = false;  // from here on the series is no more

  friend bool operator==(const Sample&, const Sample&) = default;
};

class SeriesStore {
 public:
  // A sample that is not later than the last one of its series is dropped, as Prometheus does.
  void append(const Labels& labels, Sample sample);

  // By labels, so that whatever adds them up does so in one order.
  const std::map<Labels, std::vector<Sample>>& all() const { return all_; }

 private:
  std::map<Labels, std::vector<Sample>> all_;
};

}  // namespace tenure::alert

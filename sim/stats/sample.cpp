#include <algorithm>
#include <limits>

#include <tenure/base/assert.hpp>
#include <tenure/stats/sample.hpp>

namespace tenure::stats {

void Samples::add(const Sample& sample) {
  note_run(sample.run);
  note_fault(sample.fault);
  if (sample.censored) censored_at_.push_back(values_.size());
  values_.push_back(sample.value);
}

void Samples::note_run(std::uint64_t run) {
  const std::size_t index = values_.size();
  if (index == 0) {
    first_run_ = run;
    return;
  }
  TENURE_ASSERT(run >= run_of(index - 1), "samples are added in order of run");
  if (is_regular()) {
    if (run - first_run_ == index) return;
    for (std::size_t i = 0; i < index; ++i) run_offsets_.push_back(static_cast<std::uint32_t>(i));
  }
  TENURE_ASSERT(run - first_run_ <= std::numeric_limits<std::uint32_t>::max(),
                "a metric's runs lie within 2^32 of each other");
  run_offsets_.push_back(static_cast<std::uint32_t>(run - first_run_));
}

void Samples::note_fault(std::uint32_t fault) {
  if (faults_.empty() && fault == 0) return;
  faults_.resize(values_.size(), 0);
  faults_.push_back(fault);
}

void Samples::append(const Samples& later) {
  TENURE_ASSERT(unit_ == later.unit_, "one metric has one unit");
  if (empty()) {
    *this = later;
    return;
  }
  for (std::size_t i = 0; i < later.size(); ++i) add(later[i]);
}

bool Samples::is_censored(std::size_t index) const {
  return std::binary_search(censored_at_.begin(), censored_at_.end(), index);
}

std::uint64_t Samples::run_of(std::size_t index) const {
  return first_run_ + (is_regular() ? index : run_offsets_[index]);
}

Sample Samples::operator[](std::size_t index) const {
  return {values_[index], run_of(index), fault_of(index), is_censored(index)};
}

bool Samples::one_per_run(std::uint64_t first, std::uint64_t count) const {
  return is_regular() && size() == count && (empty() || first_run_ == first);
}

std::uint64_t Samples::runs_spanned() const {
  return empty() ? 0 : run_of(size() - 1) - first_run_ + 1;
}

std::size_t Samples::memory() const {
  return values_.capacity() * sizeof(std::int64_t) +
         (run_offsets_.capacity() + faults_.capacity()) * sizeof(std::uint32_t) +
         censored_at_.capacity() * sizeof(std::size_t);
}

Samples of_fault(const Samples& samples, std::uint32_t fault) {
  Samples chosen(samples.unit());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples.fault_of(i) == fault) chosen.add(samples[i]);
  }
  return chosen;
}

}  // namespace tenure::stats

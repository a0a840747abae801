// Everything that is always on while a run goes: the monitors of all properties, and the metrics.
#pragma once

#include <cstddef>
#include <variant>

#include <tenure/check/belief_safety.hpp>
#include <tenure/check/failover.hpp>
#include <tenure/check/lease_record.hpp>
#include <tenure/check/lease_safety.hpp>
#include <tenure/check/metrics.hpp>
#include <tenure/check/property.hpp>
#include <tenure/record/recorder.hpp>

namespace tenure::check {

class Checks final : public record::Recorder {
 public:
  Checks(const PropertyConfig& config, std::size_t processes)
      : level_(config.belief_level),
        lease_record_(config, processes),
        belief_safety_(config, processes),
        bounded_failover_(config, processes),
        eventual_stability_(config, processes),
        metrics_(config.warmup, processes) {}

  void on(const record::Record& record) override;

  // The run is over at `at`: what was open is closed.
  void end(TrueTime at);

  // About what each process name adds.
  static constexpr std::size_t bytes_per_process = 256;

  const Findings& findings() const { return findings_; }
  const RunMetrics& metrics() const { return metrics_.result(); }

 private:
  struct Dispatch;

  record::Level level_;
  LeaseSafety lease_safety_;
  LeaseRecord lease_record_;
  BeliefSafety belief_safety_;
  BoundedFailover bounded_failover_;
  EventualStability eventual_stability_;
  Metrics metrics_;
  Findings findings_;
};

}  // namespace tenure::check

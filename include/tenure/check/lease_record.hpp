// leaseRecord (S4-S8): how the fields of the record may change, judged by the writes that were
// applied and by the grounds on which their writers acted.
#pragma once

#include <cstdint>
#include <vector>

#include <tenure/check/property.hpp>
#include <tenure/record/fact.hpp>

namespace tenure::check {

class LeaseRecord {
 public:
  LeaseRecord() = default;
  LeaseRecord(const PropertyConfig& config, std::size_t processes)
      : warmup_(config.warmup), claims_(processes) {}

  void on(TrueTime at, const record::LeaseWritten& written, Findings& findings);
  void on(const record::LeaseDeleted&) { known_ = false; }
  void on(const record::ExpiryClaimed& claim) { claims_[claim.who.process.value] = claim; }

 private:
  void check_holder(TrueTime at, const record::LeaseWritten& written, Findings& findings) const;
  void check_transitions(TrueTime at,
                         const record::LeaseWritten& written,
                         Findings& findings) const;
  void check_times(TrueTime at, const record::LeaseWritten& written, Findings& findings) const;

  TrueTime warmup_{};
  bool known_ = false;
  std::uint64_t uid_ = 0;
  record::LeaseRecord last_;
  std::vector<record::ExpiryClaimed> claims_;  // the last of each process name
};

}  // namespace tenure::check

// leaseSafety (S1-S3): what the API server promises, whatever the electors do. For one Lease, one
// revision names one holder; every applied write had the stored version as its base.
#pragma once

#include <cstdint>

#include <tenure/check/property.hpp>
#include <tenure/record/fact.hpp>

namespace tenure::check {

class LeaseSafety {
 public:
  void on(TrueTime at, const record::LeaseWritten& written, Findings& findings);
  void on(TrueTime at, const record::LeaseDeleted& deleted, Findings& findings);
  void on(TrueTime at, const record::RequestHandled& handled, Findings& findings) {
    if (handled.stale_applied) stale_applied(at, handled, findings);
  }

 private:
  static void stale_applied(TrueTime at, const record::RequestHandled& handled, Findings& findings);

  Revision newest_;  // of any object
  Revision stored_;  // of the Lease; 0 while there is none
};

}  // namespace tenure::check

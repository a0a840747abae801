#include <tenure/check/lease_safety.hpp>

namespace tenure::check {

void LeaseSafety::on(TrueTime at, const record::LeaseWritten& written, Findings& findings) {
  findings.premise(PropertyId::S1);
  findings.premise(PropertyId::S2);
  if (written.revision <= newest_) {
    findings.violated({.id = PropertyId::S1,
                       .at = at,
                       .who = written.writer,
                       .found = written.revision.value,
                       .expected = newest_.value + 1});
  }
  // A PUT to an absent Lease creates it, whatever resourceVersion it carries.
  const bool base_fits = written.created ? stored_ == Revision{} : written.base == stored_;
  if (!base_fits || written.replaced != stored_) {
    findings.violated({.id = PropertyId::S2,
                       .at = at,
                       .who = written.writer,
                       .found = written.base.value,
                       .expected = stored_.value});
  }
  newest_ = written.revision;
  stored_ = written.revision;
}

void LeaseSafety::on(TrueTime at, const record::LeaseDeleted& deleted, Findings& findings) {
  if (deleted.revision <= newest_) {
    findings.violated(
        {.id = PropertyId::S1, .at = at, .who = deleted.by, .found = deleted.revision.value});
  }
  newest_ = deleted.revision;
  stored_ = Revision{};
}

void LeaseSafety::stale_applied(TrueTime at,
                                const record::RequestHandled& handled,
                                Findings& findings) {
  findings.violated({.id = PropertyId::S3, .at = at, .who = handled.from});
}

}  // namespace tenure::check

#include <tenure/check/lease_record.hpp>

namespace tenure::check {

void LeaseRecord::on(TrueTime at, const record::LeaseWritten& written, Findings& findings) {
  const bool same_lease = known_ && !written.created && written.uid == uid_;
  if (same_lease && at >= warmup_) {
    check_holder(at, written, findings);
    check_transitions(at, written, findings);
    check_times(at, written, findings);
  }
  known_ = true;
  uid_ = written.uid;
  last_ = written.record;
}

void LeaseRecord::check_holder(TrueTime at,
                               const record::LeaseWritten& written,
                               Findings& findings) const {
  const Identity holder = written.record.holder;
  if (holder == last_.holder) return;
  findings.premise(PropertyId::S4);
  if (!holder.empty() && holder != written.writer_identity) {
    findings.violated({.id = PropertyId::S4, .at = at, .who = written.writer});
  }
  if (holder.empty() || last_.holder.empty()) return;
  findings.premise(PropertyId::S5);
  const record::ExpiryClaimed& claim = claims_[written.writer.process.value];
  const bool is_about_this = claim.who == written.writer && claim.base == written.replaced;
  if (!is_about_this || claim.age < claim.lifetime) {
    findings.violated({.id = PropertyId::S5,
                       .at = at,
                       .who = written.writer,
                       .length = is_about_this ? claim.age : Duration{},
                       .expected = claim.lifetime.count()});
  }
}

void LeaseRecord::check_transitions(TrueTime at,
                                    const record::LeaseWritten& written,
                                    Findings& findings) const {
  findings.premise(PropertyId::S6);
  const bool counts = !written.record.holder.empty() && written.record.holder != last_.holder;
  const std::int64_t expected = last_.transitions + (counts ? 1 : 0);
  if (written.record.transitions == expected) return;
  findings.violated({.id = PropertyId::S6,
                     .at = at,
                     .who = written.writer,
                     .found = written.record.transitions,
                     .expected = expected});
}

void LeaseRecord::check_times(TrueTime at,
                              const record::LeaseWritten& written,
                              Findings& findings) const {
  const record::LeaseRecord& now = written.record;
  const bool same_tenure = !now.holder.empty() && now.holder == last_.holder;
  if (!same_tenure) return;
  findings.premise(PropertyId::S7);
  findings.premise(PropertyId::S8);
  if (now.renew_us < last_.renew_us) {
    findings.violated({.id = PropertyId::S7,
                       .at = at,
                       .who = written.writer,
                       .found = now.renew_us,
                       .expected = last_.renew_us});
  }
  if (now.acquire_us != last_.acquire_us || now.renew_us < now.acquire_us) {
    findings.violated({.id = PropertyId::S8,
                       .at = at,
                       .who = written.writer,
                       .found = now.acquire_us,
                       .expected = last_.acquire_us});
  }
}

}  // namespace tenure::check

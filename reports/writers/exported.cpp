#include "exported.hpp"

#include <variant>

#include <tenure/api/message.hpp>
#include <tenure/elect/any_elector.hpp>

namespace tenure::report {
namespace {

bool is(std::uint8_t verb, api::Verb wanted) {
  return verb == static_cast<std::uint8_t>(wanted);
}

const elect::ClientGoConfig* client_go(const world::Setup& setup, ProcessId id) {
  return std::get_if<elect::ClientGoConfig>(&setup.candidate_of(id).elector);
}

}  // namespace

void Exports::on(const record::Record& record) {
  std::visit([&](const auto& fact) { happened(record, fact); }, record.fact);
}

TrueTime Exports::end_of_round(ProcessId id, TrueTime begin) const {
  const elect::ClientGoConfig* config = client_go(setup_, id);
  if (config == nullptr) return never<TrueTime>;
  const kernel::NodeClock& clock = clocks_[id.value];
  return clock.true_of(later(clock.local(begin).mono, config->renew_deadline));
}

void Exports::happened(const record::Record& record, const record::RequestSent& f) {
  Process& p = process(f.from.process);
  p.verb = f.verb;
  const elect::ClientGoConfig* config = client_go(setup_, f.from.process);
  if (config == nullptr) return;
  if (p.shown.believes && !p.round_is_open) {
    using From = elect::ClientGoProfile::DeadlineFrom;
    const bool from_success = config->profile.deadline_from == From::last_success;
    p.round_is_open = true;
    p.round_ends = end_of_round(f.from.process, from_success ? p.last_success : record.at);
  }
  if (p.shown.believes && p.round_is_open && record.at >= p.round_ends) {
    p.releases = true;
    p.shown.master_status = false;
  }
  // tryAcquireOrRenew counts when it is about to write as the holder that the GET named
  // (leaderelection.go since v0.30, slowpathExercised).
  const bool after_read = is(f.verb, api::Verb::update) && p.read_in == record.cause;
  if (after_read && p.sees_itself_leading && !p.releases && config->profile.fast_path)
    ++p.shown.slowpath;
}

void Exports::happened(const record::Record& record, const record::ReplyReceived& f) {
  Process& p = process(f.by.process);
  const bool is_good = f.code == 200 || f.code == 201;
  if (!is_good) return;
  if (is(p.verb, api::Verb::get)) {
    p.read_in = record.cause;
  } else {
    p.round_is_open = false;
    p.last_success = record.at;
  }
}

void Exports::happened(const record::Record&, const record::LeadershipBegan& f) {
  Process& p = process(f.who.process);
  if (f.level == record::Level::is_leader) {
    p.sees_itself_leading = true;
    return;
  }
  p.shown.believes = true;
  ++p.shown.transitions;
  p.shown.master_status = client_go(setup_, f.who.process) != nullptr;
  p.round_is_open = false;
  p.releases = false;
}

// A stop between two rounds leaves the gauge at 1: only a round that fails turns it off
// (leaderelection.go, renew).
void Exports::happened(const record::Record&, const record::LeadershipEnded& f) {
  Process& p = process(f.who.process);
  if (f.level == record::Level::is_leader) {
    p.sees_itself_leading = false;
    return;
  }
  p.shown.believes = false;
  p.releases = f.reason == record::EndReason::stopped;
  if (f.reason == record::EndReason::stepped_down || p.round_is_open) p.shown.master_status = false;
}

void Exports::happened(const record::Record&, const record::ProcessStarted& f) {
  Process& p = process(f.who.process);
  const bool cut_off = p.shown.cut_off;
  p = Process{};
  p.shown.alive = true;
  p.shown.cut_off = cut_off;
}

void Exports::happened(const record::Record&, const record::ProcessEnded& f) {
  Exported& p = process(f.who.process).shown;
  p.alive = p.frozen = false;
}

void Exports::happened(const record::Record&, const record::ProcessPaused& f) {
  process(f.who.process).shown.frozen = true;
}

void Exports::happened(const record::Record&, const record::ProcessResumed& f) {
  process(f.who.process).shown.frozen = false;
}

void Exports::happened(const record::Record&, const record::ConnectionChanged& f) {
  process(f.process).shown.cut_off = f.cut_off;
}

}  // namespace tenure::report

#include <algorithm>
#include <chrono>

#include <tenure/elect/client_go.hpp>

namespace tenure::elect {

void ClientGo::settle(const ClientGoConfig& config, LocalTime now, Duration grain) {
  const bool attempt_reads_clock = step_open == Step::fast_update || step_open == Step::get;
  const bool writes = attempt_reads_clock || step_open == Step::create ||
                      step_open == Step::update || step_open == Step::release_update;
  if (step_open == Step::none) open_call = {};
  if (!attempt_reads_clock) attempt_at = {never<MonoTime>, never<WallTime>};
  if (!writes) desired = {};
  // The answer says what number the attempt writes; a Lease is not deleted while it is held.
  if (step_open == Step::get) desired.leader_transitions = 0;
  if (phase == Phase::acquiring) round_deadline = next_tick = never<MonoTime>;
  if (config.profile.deadline_from != ClientGoProfile::DeadlineFrom::last_success) {
    last_success = never<MonoTime>;
  }
  if (!has_raw) observed_raw = {};
  // Of the cached object an UPDATE takes the identity and the version.
  cache.spec = {};
  if (!has_cache) cache = {};
  reported = {};
  // Of the observed record everybody looks at the holder and the duration; who holds the Lease
  // carries on with its acquire time and transitions.
  observed.renew_time = {};
  if (!is_leader()) {
    observed.acquire_time = {};
    observed.leader_transitions = 0;
  }
  // Whether its own Lease is still valid is asked by the fast path alone.
  if (is_leader() && !config.profile.fast_path) observed_at = never<MonoTime>;
  if (observed_at == never<MonoTime>) return;
  const bool own = config.profile.expiry_by == ClientGoProfile::ExpiryBy::own;
  const Duration lifetime =
      own ? config.lease_duration : Duration{std::chrono::seconds{observed.lease_duration_seconds}};
  const MonoTime looked_at = attempt_reads_clock ? attempt_at.mono : now.mono;
  observed_at = std::max(observed_at, later(looked_at, -longer(lifetime, grain)));
}

}  // namespace tenure::elect

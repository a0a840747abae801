// client-go's LeaderElector, in the shape of the original: k8s.io/client-go/tools/leaderelection,
// read at 32ce75a7d (2026-07-24, the code base after v0.37.0-beta.0); differences between released
// versions are fields of the profile. Function names are upstream's, in snake case.
//
// Letters in comments: L lease duration, D renew deadline, R retry period.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

#include <tenure/base/fields.hpp>
#include <tenure/base/id.hpp>
#include <tenure/base/ratio.hpp>
#include <tenure/base/time.hpp>
#include <tenure/elect/elector.hpp>
#include <tenure/elect/lease_record.hpp>

namespace tenure::elect {

// A follower waits R + u R 1.2 between two attempts, u uniform in [0, 1) (JitterFactor).
inline constexpr Ratio jitter_factor{6, 5};

// What differs between versions; the commits are client-go's.
struct ClientGoProfile {
  enum class ExpiryBy : std::uint8_t { record, own };
  enum class Release : std::uint8_t { none, update, get_update, get_update_retry };
  enum class DeadlineFrom : std::uint8_t { round_start, last_success };
  // Attempts of a round: R apart counted from its start, one that is missed is made up for; or
  // counted from the end of the first one, and a missed one is dropped.
  enum class Ticks : std::uint8_t { round_start, first_failure };

  bool fast_path = true;                        // v0.30, 3c7c00d2d
  ExpiryBy expiry_by = ExpiryBy::record;        // v0.27, b4217e149; own before
  Release release = Release::get_update_retry;  // v0.20 update, v0.34 500bfe00c, v0.37 1b1630d32
  bool release_is_bounded = true;               // v0.31, f9eba8e8c: by D
  DeadlineFrom deadline_from = DeadlineFrom::round_start;  // v1.12; last_success before
  Ticks ticks = Ticks::round_start;                        // v0.32, 4379fade3; first_failure before

  static constexpr auto fields() {
    return std::tuple{Field{"fastPath", &ClientGoProfile::fast_path},
                      Field{"expiryBy", &ClientGoProfile::expiry_by},
                      Field{"release", &ClientGoProfile::release},
                      Field{"releaseIsBounded", &ClientGoProfile::release_is_bounded},
                      Field{"deadlineFrom", &ClientGoProfile::deadline_from},
                      Field{"ticks", &ClientGoProfile::ticks}};
  }
  friend bool operator==(const ClientGoProfile&, const ClientGoProfile&) = default;
};
static_assert(every_member_is_described<ClientGoProfile>);

inline constexpr int oldest_client_go_minor = 26;
inline constexpr int newest_client_go_minor = 37;

// The behaviour of client-go v0.`minor`, 26 to 37.
ClientGoProfile client_go_profile(int minor);

struct ClientGoConfig {
  Duration lease_duration = std::chrono::seconds{15};
  Duration renew_deadline = std::chrono::seconds{10};
  Duration retry_period = std::chrono::seconds{2};
  bool release_on_cancel = false;
  bool coordinated = false;
  std::optional<Duration> request_timeout;  // of the lock's client; none: a lock built with `New`
  store::Key lease{};
  ClientGoProfile profile;
};

// The checks of NewLeaderElector on the numbers, in its order: the text of the first that fails.
// The identity is checked by whoever sets it ("Lock identity is empty", since v0.28).
std::optional<std::string_view> refusal(const ClientGoConfig& config);

// The timeout of the client that resourcelock.NewFromKubeconfig builds: max(1 s, D/2).
Duration kubeconfig_timeout(Duration renew_deadline);

struct ClientGo {
  enum class Phase : std::uint8_t { idle, acquiring, renewing, releasing, stopped };
  // Which request of an attempt is open; `none` between attempts.
  enum class Step : std::uint8_t {
    none,
    fast_update,
    get,
    create,
    update,
    release_get,
    release_update
  };

  Identity me;
  Phase phase = Phase::idle;
  Step step_open = Step::none;
  bool leading = false;    // the context given to OnStartedLeading is live
  bool stopping = false;   // the parent context is cancelled
  bool has_raw = false;    // observedRawRecord is not nil
  bool has_cache = false;  // the lock holds a Lease object it got back
  RequestId open_call;
  Counter calls;
  LeaseRecord observed;                    // last record seen; the zero record at start
  MonoTime observed_at = never<MonoTime>;  // when this process saw it change
  LeaseRecord observed_raw;                // as seen by the last GET
  LeaseRecord desired;                     // what the open write writes
  Identity reported;                       // last holder given to OnNewLeader
  api::Lease cache;                        // its resourceVersion is the base of the next UPDATE
  // The clock is read once, at the start of an attempt.
  LocalTime attempt_at{never<MonoTime>, never<WallTime>};
  MonoTime round_deadline = never<MonoTime>;  // in a round: its begin + D; releasing: likewise
  MonoTime next_tick = never<MonoTime>;       // in a round: the next attempt, if this one fails
  MonoTime last_success = never<MonoTime>;    // kept where deadlines count from it

  static constexpr auto fields() {
    return std::tuple{Field{"me", &ClientGo::me},
                      Field{"phase", &ClientGo::phase},
                      Field{"step", &ClientGo::step_open},
                      Field{"leading", &ClientGo::leading},
                      Field{"stopping", &ClientGo::stopping},
                      Field{"hasRaw", &ClientGo::has_raw},
                      Field{"hasCache", &ClientGo::has_cache},
                      Field{"openCall", &ClientGo::open_call},
                      Field{"calls", &ClientGo::calls},
                      Field{"observed", &ClientGo::observed},
                      Field{"observedAt", &ClientGo::observed_at},
                      Field{"observedRaw", &ClientGo::observed_raw},
                      Field{"desired", &ClientGo::desired},
                      Field{"reported", &ClientGo::reported},
                      Field{"cache", &ClientGo::cache},
                      Field{"attemptAt", &ClientGo::attempt_at},
                      Field{"roundDeadline", &ClientGo::round_deadline},
                      Field{"nextTick", &ClientGo::next_tick},
                      Field{"lastSuccess", &ClientGo::last_success}};
  }

  void step(const ClientGoConfig& config, const Input& input, LocalTime now, Outbox& out);

  // Forgets what no further step looks at, and makes ages that are past every comparison equal: two
  // states with the same futures become the same state. `grain` is the least difference of ages.
  void settle(const ClientGoConfig& config, LocalTime now, Duration grain);

  // Whether the open call's answer is read for the object in it, not only for its resourceVersion.
  bool reads_object() const { return step_open == Step::get || step_open == Step::release_get; }

  bool believes_it_leads() const { return leading; }
  bool is_leader() const { return !me.empty() && observed.holder == me; }

  // The health adaptor (NewLeaderHealthzAdaptor): unhealthy when the elector still sees itself as
  // the holder and has not seen the record change for more than L + timeout.
  bool is_healthy(const ClientGoConfig& config, MonoTime now, Duration timeout) const;

  friend bool operator==(const ClientGo&, const ClientGo&) = default;
};
static_assert(every_member_is_described<ClientGo>);

}  // namespace tenure::elect

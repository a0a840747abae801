#include <optional>
#include <string_view>

#include <doctest/doctest.h>

#include <tenure/elect/client_go.hpp>

using namespace tenure;
using namespace tenure::elect;
using namespace std::chrono_literals;

namespace {

ClientGoConfig durations(Duration lease, Duration deadline, Duration retry) {
  ClientGoConfig config;
  config.lease_duration = lease;
  config.renew_deadline = deadline;
  config.retry_period = retry;
  return config;
}

std::optional<std::string_view> refusal_of(Duration lease, Duration deadline, Duration retry) {
  return refusal(durations(lease, deadline, retry));
}

constexpr std::string_view lease_too_short = "leaseDuration must be greater than renewDeadline";
constexpr std::string_view deadline_too_short =
    "renewDeadline must be greater than retryPeriod*JitterFactor";

}  // namespace

// client-go-elector.md 2.2. Rules 6 to 9 (callbacks, lock, identity) concern what a configuration
// here cannot lack: an elector has neither callbacks nor a lock object, and a setup names every
// process.

TEST_CASE("client-go's test configuration is accepted") {
  CHECK(refusal_of(15s, 2s, 1s) == std::nullopt);
  CHECK(refusal(ClientGoConfig{}) == std::nullopt);
}

TEST_CASE("1: the lease must last longer than the renew deadline") {
  CHECK(refusal_of(10s, 10s, 2s) == lease_too_short);
  CHECK(refusal_of(10s + 1ns, 10s, 2s) == std::nullopt);
}

TEST_CASE("2: the renew deadline must be longer than 1.2 retry periods") {
  CHECK(refusal_of(15s, 2400ms, 2s) == deadline_too_short);
  CHECK(refusal_of(15s, 2400ms + 1ns, 2s) == std::nullopt);
}

TEST_CASE("2: the product is cut to whole nanoseconds") {
  CHECK(refusal_of(15s, 10ns, 9ns) == deadline_too_short);  // 10.8 ns
  CHECK(refusal_of(15s, 11ns, 9ns) == std::nullopt);
}

TEST_CASE("3: the lease must be longer than zero") {
  CHECK(refusal_of(0s, -5s, -10s) == "leaseDuration must be greater than zero");
}

TEST_CASE("4: the renew deadline must be longer than zero") {
  CHECK(refusal_of(1s, -5s, -10s) == "renewDeadline must be greater than zero");
}

TEST_CASE("5: the retry period must be longer than zero") {
  CHECK(refusal_of(2s, 1s, 0s) == "retryPeriod must be greater than zero");
  CHECK(refusal_of(2s, 1s, -1s) == "retryPeriod must be greater than zero");
}

TEST_CASE("the first rule that fails is the one that is told") {
  CHECK(refusal_of(0s, 0s, 0s) == lease_too_short);
  CHECK(refusal_of(5s, 10s, 20s) == lease_too_short);
  CHECK(refusal_of(5s, 0s, 0s) == deadline_too_short);
}

// client-go-elector.md 1, fact 3: a two-leader window with perfect clocks is accepted.
TEST_CASE("a lease that does not cover deadline and retry period is accepted") {
  CHECK(refusal_of(15s, 14s, 2s) == std::nullopt);
  CHECK(refusal_of(270s, 240s, 60s) == std::nullopt);
}

// client-go-elector.md 3.3.
TEST_CASE("a client made from a kubeconfig waits half the renew deadline, but at least a second") {
  CHECK(kubeconfig_timeout(10s) == 5s);
  CHECK(kubeconfig_timeout(1500ms) == 1s);
}

// client-go-elector.md 7, the switches and the versions they came with.
TEST_CASE("each version of client-go has its own profile") {
  using Profile = ClientGoProfile;
  for (int minor = oldest_client_go_minor; minor <= newest_client_go_minor; ++minor) {
    CAPTURE(minor);
    const Profile profile = client_go_profile(minor);
    CHECK(profile.expiry_by == (minor < 27 ? Profile::ExpiryBy::own : Profile::ExpiryBy::record));
    CHECK(profile.fast_path == (minor >= 30));
    CHECK(profile.release_is_bounded == (minor >= 31));
    CHECK(profile.release == (minor < 34   ? Profile::Release::update
                              : minor < 37 ? Profile::Release::get_update
                                           : Profile::Release::get_update_retry));
    CHECK(profile.deadline_from == Profile::DeadlineFrom::round_start);
  }
}

TEST_CASE("the newest profile is the default one") {
  CHECK(client_go_profile(newest_client_go_minor) == ClientGoProfile{});
}

// client-go-elector.md 5, boundary; the other rows are in the transcript health.txt.
TEST_CASE("a leader is healthy up to L + timeout after the last change it saw, exactly") {
  ClientGo elector;
  elector.me = Identity{1};
  elector.observed.holder = elector.me;
  elector.observed_at = MonoTime{100s};
  const ClientGoConfig config = durations(60s, 40s, 5s);
  CHECK(elector.is_healthy(config, MonoTime{180s}, 20s));
  CHECK_FALSE(elector.is_healthy(config, MonoTime{180s + 1ns}, 20s));
}

TEST_CASE("an elector without an identity never takes itself for the leader") {
  const ClientGo elector;
  CHECK_FALSE(elector.is_leader());
}

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tenure/elect/client_go.hpp>

namespace tenure::elect {

using namespace std::chrono_literals;

namespace {

// time.Duration(JitterFactor * float64(R)): cut towards zero, and where int64 ends, its smallest
// value (Go on amd64).
Duration longest_wait(Duration retry_period) {
  const double product = 1.2 * static_cast<double>(retry_period.count());
  if (product < -0x1p63 || product >= 0x1p63) return Duration::min();
  return Duration{static_cast<std::int64_t>(product)};
}

}  // namespace

ClientGoProfile client_go_profile(int minor) {
  using Profile = ClientGoProfile;
  Profile profile;
  profile.fast_path = minor >= 30;
  profile.expiry_by = minor >= 27 ? Profile::ExpiryBy::record : Profile::ExpiryBy::own;
  profile.release = minor >= 37   ? Profile::Release::get_update_retry
                    : minor >= 34 ? Profile::Release::get_update
                                  : Profile::Release::update;
  profile.release_is_bounded = minor >= 31;
  profile.ticks = minor >= 32 ? Profile::Ticks::round_start : Profile::Ticks::first_failure;
  return profile;
}

std::optional<std::string_view> refusal(const ClientGoConfig& config) {
  if (config.lease_duration <= config.renew_deadline) {
    return "leaseDuration must be greater than renewDeadline";
  }
  if (config.renew_deadline <= longest_wait(config.retry_period)) {
    return "renewDeadline must be greater than retryPeriod*JitterFactor";
  }
  if (config.lease_duration < 1ns) return "leaseDuration must be greater than zero";
  if (config.renew_deadline < 1ns) return "renewDeadline must be greater than zero";
  if (config.retry_period < 1ns) return "retryPeriod must be greater than zero";
  return std::nullopt;
}

Duration kubeconfig_timeout(Duration renew_deadline) {
  return std::max<Duration>(1s, renew_deadline / 2);
}

}  // namespace tenure::elect

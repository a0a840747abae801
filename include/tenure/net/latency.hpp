// How long messages take between a process and the API server when nothing is wrong.
#pragma once

#include <cstdint>

#include <tenure/base/distribution.hpp>
#include <tenure/base/oracle.hpp>
#include <tenure/base/time.hpp>

namespace tenure::net {

struct Latency {
  // Round trips: one draw per request, half each way, an odd nanosecond on the way back. One-way
  // delays: drawn separately, the same for all verbs.
  enum class Form : std::uint8_t { round_trip, one_way };

  Form form = Form::round_trip;
  Distribution first = Distribution::constant(std::chrono::milliseconds{3});  // GET; or the request
  Distribution second =
      Distribution::constant(std::chrono::milliseconds{5});  // all else; or the response
};

struct Transit {
  Duration request{};
  Duration response{};
};

// The two delays of the `number`-th request of a link. `back` is the stream of the way back; a
// round trip is one draw from the way there.
inline Transit draw_transit(const Latency& latency,
                            bool is_read,
                            Oracle& oracle,
                            Stream there,
                            Stream back,
                            std::uint64_t number) {
  if (latency.form == Latency::Form::one_way) {
    return {sample(latency.first, oracle, {there, number}),
            sample(latency.second, oracle, {back, number})};
  }
  const Duration round_trip =
      sample(is_read ? latency.first : latency.second, oracle, {there, number});
  return {round_trip / 2, round_trip - round_trip / 2};
}

}  // namespace tenure::net

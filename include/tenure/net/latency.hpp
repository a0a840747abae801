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
  Duration response{};  // of a round trip; one way, it is drawn when the response leaves
};

// The delays of a request, drawn as it leaves. A round trip is one draw.
inline Transit draw_request(const Latency& latency, bool is_read, Oracle& oracle, Draw draw) {
  if (latency.form == Latency::Form::one_way) return {sample(latency.first, oracle, draw), {}};
  const Duration round_trip = sample(is_read ? latency.first : latency.second, oracle, draw);
  return {round_trip / 2, round_trip - round_trip / 2};
}

// The delay of the response to it, drawn as that leaves: what an exploration need not choose before
// it matters.
inline Duration draw_response(const Latency& latency,
                              Duration way_back,
                              Oracle& oracle,
                              Draw draw) {
  if (latency.form == Latency::Form::one_way) return sample(latency.second, oracle, draw);
  return way_back;
}

}  // namespace tenure::net

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <tenure/base/assert.hpp>
#include <tenure/base/variant.hpp>
#include <tenure/world/world.hpp>

#include "turn.hpp"

namespace tenure::world {
namespace {

using elect::TimerId;

// ---- messages

void lose(Turn& turn,
          ProcessId id,
          std::uint32_t incarnation,
          RequestId request,
          bool is_request,
          record::Loss why) {
  if (!turn.wants_messages) return;
  turn.record(record::MessageLost{{id, incarnation}, request, is_request, why});
}

// The delay of a message on top of its link's latency; nothing: it will not arrive.
std::optional<Duration> passage(Turn& turn,
                                ProcessId id,
                                std::uint32_t incarnation,
                                RequestId request,
                                bool is_request) {
  const LinkState& link = turn.world.links[id.value];
  if (!(is_request ? link.request_open : link.response_open)) {
    blame_partitions(turn, id, is_request);
    lose(turn, id, incarnation, request, is_request, record::Loss::cut);
    return std::nullopt;
  }
  if (!link.disturbed) return Duration{0};
  const Disturbance disturbance = disturb(turn, id, is_request);
  if (!disturbance.lost) return disturbance.delay;
  lose(turn, id, incarnation, request, is_request, record::Loss::lost);
  return std::nullopt;
}

void send_reply(Turn& turn, const RequestArrives& asked, const api::Response& response) {
  const auto extra = passage(turn, asked.process, asked.incarnation, asked.request, false);
  if (!extra) return;
  const Draw draw{turn.name(asked.process).streams.response_latency, asked.draw};
  const Duration way_back =
      net::draw_response(turn.setup.latency, asked.way_back, turn.oracle, draw);
  turn.world.agenda.post(later(later(turn.world.now, way_back), *extra),
                         ReplyArrives{asked.process, asked.incarnation, asked.request, response});
}

void receive(Turn& turn, ProcessId id, RequestId request, const api::Response& response) {
  Process& process = turn.process(id);
  process.call_is_open = false;
  process.timers.cancel(call_timer);
  if (turn.wants_messages) {
    turn.record(record::ReplyReceived{turn.incarnation(id), request, response.code,
                                      static_cast<std::uint8_t>(response.outcome)});
  }
  feed(turn, id, elect::Replied{request, response});
}

bool is_awaited(Turn& turn, const ReplyArrives& reply) {
  const Process& process = turn.process(reply.process);
  return process.is_alive() && process.incarnation() == reply.incarnation && process.call_is_open &&
         process.open_call == reply.request;
}

// ---- outputs of an elector

// How long a call is waited for. The HTTP client notices a dead connection whatever time limit the
// caller has set.
Duration time_limit(std::optional<Duration> of_client) {
  return std::min(of_client.value_or(longest_duration), dead_connection_timeout);
}

void perform(Turn& turn, ProcessId id, const elect::Call& call) {
  Process& process = turn.process(id);
  process.open_call = call.request;
  process.call_is_open = true;
  const Duration limit = time_limit(call.timeout);
  process.timers.set(call_timer, due_after(turn, id, {limit, limit}));
  if (turn.wants_messages) {
    turn.record(record::RequestSent{turn.incarnation(id), call.request,
                                    static_cast<std::uint8_t>(call.payload.verb)});
  }
  const std::uint32_t number = process.draws.request.next();
  const net::Transit transit =
      net::draw_request(turn.setup.latency, call.payload.verb == api::Verb::get, turn.oracle,
                        {turn.name(id).streams.request_latency, number});
  const auto extra = passage(turn, id, process.incarnation(), call.request, true);
  if (!extra) return;
  turn.world.agenda.post(later(later(turn.world.now, transit.request), *extra),
                         RequestArrives{id, process.incarnation(), call.request, number,
                                        transit.response, call.payload});
}

void perform(Turn& turn, ProcessId id, const elect::Abort& abort) {
  Process& process = turn.process(id);
  if (!process.call_is_open || process.open_call != abort.request) return;
  process.call_is_open = false;
  process.timers.cancel(call_timer);
}

void perform(Turn& turn, ProcessId id, const elect::SetTimer& set) {
  turn.process(id).timers.set(static_cast<std::size_t>(set.timer), due_after(turn, id, set.delay));
}

void perform(Turn& turn, ProcessId id, const elect::CancelTimer& cancel) {
  turn.process(id).timers.cancel(static_cast<std::size_t>(cancel.timer));
}

void perform(Turn& turn, ProcessId id, const elect::StartLeading&) {
  turn.process(id).believes = true;
  turn.record(record::LeadershipBegan{turn.incarnation(id), record::Level::context});
}

void perform(Turn& turn, ProcessId id, const elect::StopLeading&) {
  turn.process(id).believes = false;
  const bool stopping = turn.process(id).state == RunState::terminating;
  turn.record(record::LeadershipEnded{
      turn.incarnation(id), record::Level::context,
      stopping ? record::EndReason::stopped : record::EndReason::stepped_down});
}

void perform(Turn& turn, ProcessId id, const elect::Observe& observe) {
  turn.record(record::LeaderObserved{turn.incarnation(id), observe.holder});
}

void perform(Turn& turn, ProcessId id, const elect::ClaimExpired& claim) {
  turn.record(record::ExpiryClaimed{turn.incarnation(id), claim.base, claim.age, claim.lifetime});
}

void perform(Turn& turn, ProcessId id, const elect::Exit&) {
  exit_requested(turn, id);
}

// ---- events

void happen(Turn& turn, const ProcessStarts& event) {
  start(turn, event.process);
  arm(turn, event.process);
}

void happen(Turn& turn, const ProcessEnds& event) {
  const Process& process = turn.process(event.process);
  if (!process.is_alive() || process.incarnation() != event.incarnation) return;
  end(turn, event.process, record::EndReason::killed);
}

void fire(Turn& turn, ProcessId id, std::size_t timer) {
  Process& process = turn.process(id);
  process.timers.cancel(timer);
  if (timer == exit_timer) return run_returns(turn, id);
  if (timer != call_timer) return feed(turn, id, elect::TimerFired{static_cast<TimerId>(timer)});
  // Nobody answered in time.
  const auto limit = std::visit([](const auto& config) { return config.request_timeout; },
                                turn.setup.candidate_of(id).elector);
  const bool is_dead = time_limit(limit) == dead_connection_timeout;
  receive(turn, id, process.open_call,
          api::failure(is_dead ? api::Outcome::connection_lost : api::Outcome::timeout));
}

void happen(Turn& turn, const ProcessWakes& event) {
  Process& process = turn.process(event.process);
  process.wake = {};
  const MonoTime now = turn.local(event.process).mono;
  while (process.is_alive() && !process.is_frozen()) {
    const std::size_t timer = process.timers.first();
    if (process.timers.due(timer) > now) break;
    fire(turn, event.process, timer);
  }
  arm(turn, event.process);
}

std::optional<api::Response> outage_answer(const fault::Fault& outage) {
  switch (outage.mode) {
    case fault::OutageMode::refuse:
      return api::failure(api::Outcome::refused);
    case fault::OutageMode::hang:
      return std::nullopt;
    case fault::OutageMode::error:
      return api::failure_with_code(outage.code);
  }
  return std::nullopt;
}

record::LeaseRecord facts_of(const api::LeaseSpec& spec) {
  const auto number = [](std::int32_t value) {
    return value == api::LeaseSpec::absent ? 0 : value;
  };
  const auto time = [](api::MicroTime at) { return at.present() ? at.microseconds : 0; };
  return {spec.holder, number(spec.lease_duration_seconds), number(spec.lease_transitions),
          time(spec.acquire_time), time(spec.renew_time)};
}

void record_handled(Turn& turn, const RequestArrives& event, const api::Server::Handled& handled) {
  const record::Incarnation from{event.process, event.incarnation};
  const api::Request& request = event.payload;
  const bool stale = handled.applied && handled.existed && request.verb == api::Verb::update &&
                     request.body.resource_version != handled.before.resource_version;
  turn.record(record::RequestHandled{
      from, static_cast<std::uint8_t>(request.verb), handled.response.code,
      handled.response.outcome == api::Outcome::conflict, stale, event.request});
  if (!handled.applied) return;
  const api::Lease& lease = handled.response.lease;
  if (request.verb == api::Verb::remove) {
    turn.record(record::LeaseDeleted{from, request.key.value, turn.world.server.revision()});
    return;
  }
  turn.record(record::LeaseWritten{from, turn.identity(event.process, event.incarnation),
                                   request.key.value, !handled.existed, lease.uid,
                                   request.body.resource_version,
                                   handled.existed ? handled.before.resource_version : Revision{},
                                   lease.resource_version, facts_of(lease.spec)});
}

void happen(Turn& turn, const RequestArrives& event) {
  // A cut that began while the request was on its way stops it too.
  if (!turn.world.links[event.process.value].request_open) {
    blame_partitions(turn, event.process, true);
    return lose(turn, event.process, event.incarnation, event.request, true, record::Loss::cut);
  }
  if (const fault::Fault* out = outage(turn); out != nullptr) {
    blame(turn, fault::Type::api_outage, event.process);
    const auto answer = outage_answer(*out);
    if (!answer) {
      return lose(turn, event.process, event.incarnation, event.request, true,
                  record::Loss::swallowed);
    }
    if (answer->code != 0) {
      turn.record(record::RequestHandled{{event.process, event.incarnation},
                                         static_cast<std::uint8_t>(event.payload.verb),
                                         answer->code,
                                         false,
                                         false,
                                         event.request});
    }
    return send_reply(turn, event, *answer);
  }
  const api::Server::Handled handled = turn.world.server.handle(event.payload);
  record_handled(turn, event, handled);
  send_reply(turn, event, handled.response);
}

void happen(Turn& turn, const ReplyArrives& event) {
  if (!turn.world.links[event.process.value].response_open) {
    blame_partitions(turn, event.process, false);
    return lose(turn, event.process, event.incarnation, event.request, false, record::Loss::cut);
  }
  if (!is_awaited(turn, event)) return;
  if (turn.process(event.process).is_frozen()) {
    turn.world.held_replies.push_back(event);
    return blame(turn, fault::Type::pause, event.process);
  }
  receive(turn, event.process, event.request, event.payload);
  arm(turn, event.process);
}

void happen(Turn& turn, const FaultBegins& event) {
  fault_begins(turn, event.fault, event.occurrence);
}
void happen(Turn& turn, const FaultEnds& event) {
  fault_ends(turn, event.fault, event.occurrence);
}

// The run's own fingerprint, as OMNeT++ keeps one: two runs that handled the same events at the
// same times have the same hash.
void mix_into(std::uint64_t& hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
  hash ^= hash >> 29;
}

void step_elector(Turn& turn, ProcessId id, const elect::Input& input, elect::Outbox& out) {
  Process& process = turn.process(id);
  const elect::AnyElectorConfig& config = turn.setup.candidate_of(id).elector;
  const LocalTime now = turn.local(id);
  if (!turn.setup.grid) return elect::step(process.elector, config, input, now, out);
  const elect::AnyElector before = process.elector;
  out.ties.width = tie_width(turn.setup, turn.setup.candidate_of(id));
  elect::step(process.elector, config, input, now, out);
  if (!out.ties.met) return;
  const Draw draw{turn.name(id).streams.tie, process.draws.tie.next()};
  if (turn.oracle.pick(draw, 1) == 0) return;
  process.elector = before;
  out.clear();
  out.ties.turned = true;
  elect::step(process.elector, config, input, now, out);
}

}  // namespace

void feed(Turn& turn, ProcessId id, const elect::Input& input) {
  elect::Outbox out;
  Process& process = turn.process(id);
  step_elector(turn, id, input, out);
  if (const bool sees = elect::is_leader(process.elector); sees != process.sees_itself_leading) {
    process.sees_itself_leading = sees;
    if (sees) {
      turn.record(record::LeadershipBegan{turn.incarnation(id), record::Level::is_leader});
    } else {
      turn.record(record::LeadershipEnded{turn.incarnation(id), record::Level::is_leader,
                                          record::EndReason::stepped_down});
    }
  }
  for (const elect::Output& output : out) {
    std::visit([&](const auto& wanted) { perform(turn, id, wanted); }, output);
  }
}

void catch_up(Turn& turn, ProcessId id) {
  Process& process = turn.process(id);
  std::vector<HeldReply>& held = turn.world.held_replies;
  while (process.is_alive() && !process.is_frozen()) {
    std::array<std::size_t, process_timers> due{};
    std::size_t timers = 0;
    const MonoTime now = turn.local(id).mono;
    for (std::size_t timer = 0; timer < due.size(); ++timer) {
      if (process.timers.due(timer) <= now) due[timers++] = timer;
    }
    const auto reply =
        std::find_if(held.begin(), held.end(), [&](const HeldReply& r) { return r.process == id; });
    const std::size_t replies = reply == held.end() ? 0 : 1;
    const std::size_t choices = timers + replies + (process.stop_is_held ? 1 : 0);
    if (choices == 0) break;
    const std::size_t chosen =
        choices == 1 ? 0
                     : turn.oracle.pick({turn.name(id).streams.order, process.draws.order.next()},
                                        choices - 1);
    if (chosen < timers) {
      fire(turn, id, due[chosen]);
    } else if (chosen < timers + replies) {
      const HeldReply message = *reply;
      held.erase(reply);
      if (is_awaited(turn, message)) receive(turn, id, message.request, message.payload);
    } else {
      process.stop_is_held = false;
      feed(turn, id, elect::StopRequested{});
    }
  }
}

void happen_any(Turn& turn, const Event& event) {
  std::visit([&](const auto& e) { happen(turn, e); }, event);
}

void hash_event(World& world, const Event& event) {
  const std::uint64_t process =
      std::visit(overloaded{[](const FaultBegins& e) { return std::uint64_t{e.fault.value}; },
                            [](const FaultEnds& e) { return std::uint64_t{e.fault.value}; },
                            [](const auto& e) { return std::uint64_t{e.process.value}; }},
                 event);
  mix_into(world.run_hash, static_cast<std::uint64_t>(world.now.time_since_epoch().count()));
  mix_into(world.run_hash, std::uint64_t{event.index()} << 32 | process);
}

bool begins_event(World& world, TrueTime at) {
  TENURE_ASSERT(at >= world.now, "time never runs backwards");
  world.events_at_once = at == world.now ? world.events_at_once + 1 : 0;
  if (world.events_at_once > most_events_at_once) {
    world.stalled = true;
    return false;
  }
  world.now = at;
  ++world.events;
  return true;
}

bool step(World& world, Oracle& oracle, record::Recorder& recorder) {
  if (world.agenda.next_at() >= TrueTime{world.setup->duration}) return false;
  if (world.setup->grid) return step_on_grid(world, oracle, recorder);
  const auto taken = world.agenda.take();
  if (!begins_event(world, taken.first.at)) return false;
  hash_event(world, taken.second);
  Turn turn{world, *world.setup, oracle, recorder, recorder.wants_messages()};
  std::visit(
      [&](const auto& event) {
        // A copy: what happens may post into the slot of this event.
        const auto copy = event;
        happen(turn, copy);
      },
      taken.second);
  return true;
}

}  // namespace tenure::world

#include <algorithm>
#include <utility>
#include <vector>

#include <tenure/base/assert.hpp>

#include "turn.hpp"

namespace tenure::world {
namespace {

void schedule_restart(Turn& turn, ProcessId id, bool clean, const Distribution* delay) {
  const Candidate& candidate = turn.setup.candidate_of(id);
  if (candidate.restart_policy == RestartPolicy::never) return;
  if (candidate.restart_policy == RestartPolicy::on_failure && clean) return;
  const Draw draw{turn.name(id).streams.restart, turn.process(id).draws.restart.next()};
  const Duration after =
      sample(delay != nullptr ? *delay : candidate.restart_delay, turn.oracle, draw);
  turn.world.agenda.post(later(turn.world.now, after), ProcessStarts{id});
}

void end_beliefs(Turn& turn, ProcessId id, record::EndReason reason) {
  Process& process = turn.process(id);
  if (process.believes) {
    process.believes = false;
    turn.record(record::LeadershipEnded{turn.incarnation(id), record::Level::context, reason});
  }
  if (process.sees_itself_leading) {
    process.sees_itself_leading = false;
    turn.record(record::LeadershipEnded{turn.incarnation(id), record::Level::is_leader, reason});
  }
}

void drop_held(World& world, ProcessId id) {
  std::erase_if(world.held_replies, [&](const HeldReply& reply) { return reply.process == id; });
}

void start_clock_again(Turn& turn, Process& process) {
  if (process.stopped_clocks != 0) process.clock.resume_mono(turn.world.now);
  process.stopped_clocks = 0;
}

}  // namespace

void start(Turn& turn, ProcessId id) {
  Process& process = turn.process(id);
  TENURE_ASSERT(!process.is_alive(), "a name is borne by one process at a time");
  const Identity me = turn.identity(id, process.starts++);
  process.elector = elect::make_elector(turn.setup.candidate_of(id).elector, me);
  process.state = RunState::running;
  if (process.moves_to != nobody<NodeTag>) {
    process.node = std::exchange(process.moves_to, {});
    update_links(turn);
  }
  turn.record(record::ProcessStarted{turn.incarnation(id), me});
  feed(turn, id, elect::Started{});
}

void end(Turn& turn, ProcessId id, record::EndReason reason, const Distribution* restart_delay) {
  Process& process = turn.process(id);
  const bool was_told_to = process.state == RunState::terminating;
  end_beliefs(turn, id, reason);
  turn.record(record::ProcessEnded{turn.incarnation(id), reason});
  process.state = RunState::absent;
  process.call_is_open = false;
  process.stop_is_held = false;
  process.pauses = 0;
  start_clock_again(turn, process);
  process.timers.cancel_all();
  drop_held(turn.world, id);
  arm(turn, id);
  schedule_restart(turn, id, reason == record::EndReason::stopped && was_told_to, restart_delay);
}

void terminate(Turn& turn, ProcessId id, Duration grace_period) {
  Process& process = turn.process(id);
  process.state = RunState::terminating;
  turn.world.agenda.post(later(turn.world.now, grace_period),
                         ProcessEnds{id, process.incarnation()});
  if (process.is_frozen()) {
    process.stop_is_held = true;
    return;
  }
  feed(turn, id, elect::StopRequested{});
  arm(turn, id);
}

// Run returns when OnStoppedLeading has.
void exit_requested(Turn& turn, ProcessId id) {
  Process& process = turn.process(id);
  const Draw draw{turn.name(id).streams.callback, process.draws.callback.next()};
  const Duration callback =
      sample(turn.setup.candidate_of(id).on_stopped_leading, turn.oracle, draw);
  if (callback == Duration::zero()) return run_returns(turn, id);
  process.timers.set(exit_timer, due_after(turn, id, {callback, callback}));
}

void run_returns(Turn& turn, ProcessId id) {
  const bool told_to = turn.process(id).state == RunState::terminating;
  if (!told_to && !turn.setup.candidate_of(id).exit_on_lost) {
    return feed(turn, id, elect::Started{});
  }
  end(turn, id, told_to ? record::EndReason::stopped : record::EndReason::stepped_down);
}

void pause(Turn& turn, ProcessId id, fault::PauseClocks clocks) {
  Process& process = turn.process(id);
  if (process.pauses++ == 0) turn.record(record::ProcessPaused{turn.incarnation(id)});
  if (clocks == fault::PauseClocks::stop && process.stopped_clocks++ == 0) {
    process.clock.stop_mono(turn.world.now);
  }
  arm(turn, id);
}

void resume(Turn& turn, ProcessId id, fault::PauseClocks clocks) {
  Process& process = turn.process(id);
  if (clocks == fault::PauseClocks::stop && --process.stopped_clocks == 0) {
    process.clock.resume_mono(turn.world.now);
  }
  if (--process.pauses == 0) {
    turn.record(record::ProcessResumed{turn.incarnation(id)});
    catch_up(turn, id);
  }
  arm(turn, id);
}

}  // namespace tenure::world

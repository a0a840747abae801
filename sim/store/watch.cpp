#include <algorithm>
#include <iterator>

#include <tenure/base/assert.hpp>
#include <tenure/store/watch.hpp>

namespace tenure::store {
namespace {

// The first of at, at + period, at + 2 period, ... after `now`.
MonoTime next_after(MonoTime at, Duration period, MonoTime now) {
  if (at > now) return at;
  return later(at, period * ((now - at) / period + 1));
}

}  // namespace

// ---- streams

void Watches::open(StreamId id, Duration progress_every, MonoTime now) {
  Stream opened;
  opened.progress_every = progress_every;
  opened.next_progress = later(now, progress_every);
  const bool is_new = streams_.emplace(id, std::move(opened)).second;
  TENURE_ASSERT(is_new, "a stream is opened once");
}

void Watches::close(StreamId id) {
  for (auto& [watch, each] : stream(id).watchers) leave({id, watch}, each);
  streams_.erase(id);
}

Watches::Stream& Watches::stream(StreamId id) {
  const auto found = streams_.find(id);
  TENURE_ASSERT(found != streams_.end(), "only an open stream is used");
  return found->second;
}

Watches::Watcher& Watches::watcher(WatcherName name) {
  const auto found = stream(name.stream).watchers.find(name.id);
  TENURE_ASSERT(found != stream(name.stream).watchers.end(), "a group names watchers that exist");
  return found->second;
}

std::optional<WatchMessage> Watches::take(StreamId id, const Keyspace& keys) {
  Stream& from = stream(id);
  std::deque<WatchMessage>& queue = from.control.empty() ? from.events : from.control;
  if (queue.empty()) return std::nullopt;
  WatchMessage message = std::move(queue.front());
  queue.pop_front();
  const auto found = from.watchers.find(message.id);
  if (message.events.empty() || found == from.watchers.end()) return message;
  found->second.quiet = false;
  if (!found->second.asked.prev_kv) return message;
  for (WatchEvent& event : message.events) {
    const bool is_new = !event.deleted && event.kv.created == event.kv.modified;
    const Revision before{event.kv.modified.value - 1};
    if (is_new || keys.refuses(before, keys.revision())) continue;
    if (const Change* change = keys.find(event.kv.key, before)) {
      event.prev_kv = Keyspace::Found{&event.kv.key, change}.key_value();
    }
  }
  return message;
}

// ---- groups

void Watches::join(WatcherName name, Watcher& each, Group group) {
  each.group = group;
  if (group == Group::synced) synced_.add(each.asked.keys, name);
  if (group == Group::unsynced) unsynced_.push_back(name);
  if (group == Group::victim) victims_.push_back(name);
}

void Watches::leave(WatcherName name, Watcher& each) {
  if (each.group == Group::synced) synced_.remove(each.asked.keys, name);
  if (each.group == Group::unsynced) std::erase(unsynced_, name);
  if (each.group == Group::victim) std::erase(victims_, name);
  each.group = Group::none;
}

// False when the buffer of the stream is full. A message whose events are all filtered out needs
// no room.
bool Watches::send(WatcherName name, WatchMessage message) {
  Stream& to = stream(name.stream);
  const WatchCreate& asked = to.watchers.find(name.id)->second.asked;
  const bool had_events = !message.events.empty();
  std::erase_if(message.events, [&](const WatchEvent& event) {
    return event.deleted ? asked.no_delete : asked.no_put;
  });
  if (had_events && message.events.empty()) return true;
  if (to.events.size() >= config_.messages_per_stream) return false;
  to.events.push_back(std::move(message));
  return true;
}

void Watches::block(WatcherName name, Watcher& each, WatchMessage message) {
  each.blocked = std::move(message);
  // What etcd writes into the header when it sends it later (moveVictims).
  each.blocked.revision = Revision{each.wants_from - 1};
  join(name, each, Group::victim);
}

// ---- requests

void Watches::request(StreamId id,
                      const WatchRequest& request,
                      const Keyspace& keys,
                      MonoTime now) {
  next_sync_ = next_after(next_sync_, config_.sync_period, now);
  Stream& to = stream(id);
  std::visit([&](const auto& each) { answer(id, to, each, keys); }, request);
}

CancelReason Watches::refusal(const Stream& to, const WatchCreate& request) const {
  // 3.4.23 does not check it (3.4.38 does), and what it then does is nothing to rely on.
  if (request.start_revision.value < 0) return CancelReason::compacted;
  const KeyRange& keys = request.keys;
  if (!keys.is_one_key() && !keys.is_open() && keys.key >= keys.range_end) {
    return CancelReason::empty_range;
  }
  if (request.id != 0 && to.watchers.contains(request.id)) return CancelReason::duplicate_id;
  return CancelReason::none;
}

void Watches::answer(StreamId id, Stream& to, const WatchCreate& request, const Keyspace& keys) {
  WatchMessage created;
  created.revision = keys.revision();
  created.created = true;
  created.reason = refusal(to, request);
  if (created.reason != CancelReason::none) {
    created.id = no_watch;
    created.canceled = true;
    to.control.push_back(std::move(created));
    return;
  }
  created.id = request.id;
  if (request.id == 0) {
    while (to.watchers.contains(to.next_id)) ++to.next_id;
    created.id = to.next_id++;
  }
  Watcher& each = to.watchers[created.id];
  each.asked = request;
  // No key has no name; etcd takes the smallest one for it.
  if (request.keys.key.empty()) each.asked.keys.key = std::string(1, '\0');
  const std::int64_t next = keys.revision().value + 1;
  const std::int64_t start = request.start_revision.value;
  const bool synced = start == 0 || start >= next;
  each.wants_from = synced ? std::max(start, next) : start;
  join({id, created.id}, each, synced ? Group::synced : Group::unsynced);
  to.control.push_back(std::move(created));
}

// An id that does not exist gets no answer.
void Watches::answer(StreamId id, Stream& to, const WatchCancel& request, const Keyspace& keys) {
  const auto found = to.watchers.find(request.id);
  if (found == to.watchers.end()) return;
  leave({id, request.id}, found->second);
  to.watchers.erase(found);
  std::erase_if(to.events, [&](const WatchMessage& each) { return each.id == request.id; });
  WatchMessage canceled;
  canceled.revision = keys.revision();
  canceled.id = request.id;
  canceled.canceled = true;
  to.control.push_back(std::move(canceled));
}

// 3.4.23 answers at once and beside the events, which it may overtake (etcd-io/etcd#15220). Since
// 3.4.25, 3.5.8 and 3.6 the answer takes its turn, and comes only if all watches are synced.
void Watches::answer(StreamId, Stream& to, const WatchProgress&, const Keyspace& keys) {
  WatchMessage message;
  message.revision = keys.revision();
  message.id = no_watch;
  if (version_ == Version::v3_4) {
    to.control.push_back(std::move(message));
    return;
  }
  const bool reports = std::all_of(to.watchers.begin(), to.watchers.end(),
                                   [&](const auto& each) { return may_report(each.second, keys); });
  if (reports && !to.watchers.empty() && to.events.size() < config_.messages_per_stream) {
    to.events.push_back(std::move(message));
  }
}

// Since 3.4.38 and 3.5.22 a watch that starts in the future is not told that it got there
// (etcd-io/etcd#20291).
bool Watches::may_report(const Watcher& each, const Keyspace& keys) const {
  if (each.group != Group::synced) return false;
  return version_ == Version::v3_4 || each.asked.start_revision <= keys.revision();
}

}  // namespace tenure::store

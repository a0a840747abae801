// What the loops of the watches do: telling of a commit, reading the past, trying again, and saying
// that nothing happened.
#include <algorithm>
#include <limits>

#include <tenure/store/watch.hpp>

namespace tenure::store {
namespace {

WatchEvent event_of(const Keyspace::Found& found) {
  if (!found.change->deleted) return {false, found.key_value(), std::nullopt};
  KeyValue deleted;
  deleted.key = *found.key;
  deleted.modified = Revision{found.change->at.main};
  return {true, std::move(deleted), std::nullopt};
}

}  // namespace

// ---- which watchers a key concerns

void WatcherIndex::add(const KeyRange& keys, WatcherName name) {
  if (keys.is_one_key()) {
    of_one_key_[keys.key].push_back(name);
  } else {
    of_ranges_.emplace_back(keys, name);
  }
}

void WatcherIndex::remove(const KeyRange& keys, WatcherName name) {
  if (!keys.is_one_key()) {
    std::erase(of_ranges_, std::pair{keys, name});
    return;
  }
  const auto found = of_one_key_.find(keys.key);
  if (found == of_one_key_.end()) return;
  std::erase(found->second, name);
  if (found->second.empty()) of_one_key_.erase(found);
}

// ---- a commit

void Watches::notify(const Keyspace& keys, std::size_t first, MonoTime now) {
  std::map<WatcherName, std::vector<WatchEvent>> told;
  for (std::size_t i = first; i < keys.log().size(); ++i) {
    const Keyspace::Logged& logged = keys.log()[i];
    synced_.visit(logged.key, [&](WatcherName name) {
      if (logged.at.main < watcher(name).wants_from) return;
      told[name].push_back(event_of(keys.at(logged)));
    });
  }
  for (auto& [name, events] : told) tell(name, std::move(events), keys.revision(), now);
}

void Watches::tell(WatcherName name,
                   std::vector<WatchEvent> events,
                   Revision revision,
                   MonoTime now) {
  WatchMessage message;
  message.revision = revision;
  message.id = name.id;
  message.events = std::move(events);
  if (send(name, message)) return;
  Watcher& each = watcher(name);
  leave(name, each);
  each.wants_from = revision.value + 1;
  if (victims_.empty()) next_victims_ = later(now, config_.victim_period);
  block(name, each, std::move(message));
}

// ---- the past

Watches::Batch Watches::past_of(const Watcher& each, const Keyspace& keys) const {
  Batch batch;
  std::size_t revisions = 0;
  std::int64_t last = 0;
  const auto& log = keys.log();
  for (std::size_t i = keys.place_of(Revision{each.wants_from}); i < log.size(); ++i) {
    if (!each.asked.keys.contains(log[i].key)) continue;
    if (log[i].at.main != last && ++revisions > config_.revisions_per_message) {
      batch.more_from = log[i].at.main;
      break;
    }
    last = log[i].at.main;
    batch.events.push_back(event_of(keys.at(log[i])));
  }
  return batch;
}

void Watches::catch_up(WatcherName name, const Keyspace& keys) {
  Watcher& each = watcher(name);
  each.group = Group::none;
  WatchMessage message;
  message.id = name.id;
  if (each.wants_from < keys.compacted().value) {
    message.canceled = true;
    message.compacted = keys.compacted();
    // The header of this message is empty. The id stays taken.
    if (send(name, message)) return;
    // 3.4.23 goes on as if nothing were missing (3.4.31 tries again).
    if (version_ != Version::v3_4) return join(name, each, Group::unsynced);
    message = {};
    message.id = name.id;
  }
  Batch batch = past_of(each, keys);
  each.wants_from = batch.more_from != 0 ? batch.more_from : keys.revision().value + 1;
  message.revision = keys.revision();
  message.events = std::move(batch.events);
  if (message.events.empty()) return join(name, each, Group::synced);
  if (!send(name, message)) return block(name, each, std::move(message));
  join(name, each, batch.more_from != 0 ? Group::unsynced : Group::synced);
}

// Goes on at once while that makes fewer of them; a watcher with a long past waits for the next
// pass.
void Watches::sync_pass(const Keyspace& keys) {
  std::size_t before = 0;
  do {
    before = unsynced_.size();
    const auto count = static_cast<std::ptrdiff_t>(std::min(before, config_.watchers_per_pass));
    const std::vector<WatcherName> chosen{unsynced_.begin(), unsynced_.begin() + count};
    unsynced_.erase(unsynced_.begin(), unsynced_.begin() + count);
    for (const WatcherName& name : chosen) catch_up(name, keys);
  } while (!unsynced_.empty() && unsynced_.size() < before);
}

void Watches::victim_pass(const Keyspace& keys) {
  const std::vector<WatcherName> victims = std::move(victims_);
  victims_.clear();
  for (const WatcherName& name : victims) {
    Watcher& each = watcher(name);
    if (!send(name, each.blocked)) {
      victims_.push_back(name);
      continue;
    }
    each.blocked = {};
    const bool synced = each.wants_from > keys.revision().value;
    join(name, each, synced ? Group::synced : Group::unsynced);
  }
}

// ---- nothing happened

void Watches::progress_pass(StreamId id, Stream& to, const Keyspace& keys) {
  to.next_progress = later(to.next_progress, to.progress_every);
  for (auto& [watch, each] : to.watchers) {
    if (!each.asked.progress_notify) continue;
    WatchMessage message;
    message.revision = keys.revision();
    message.id = watch;
    if (each.quiet && may_report(each, keys)) send({id, watch}, message);
    each.quiet = true;
  }
}

// ---- time

std::optional<MonoTime> Watches::next_pass() const {
  MonoTime next = never<MonoTime>;
  if (!unsynced_.empty()) next = std::min(next, next_sync_);
  if (!victims_.empty()) next = std::min(next, next_victims_);
  for (const auto& [id, each] : streams_) next = std::min(next, each.next_progress);
  return next == never<MonoTime> ? std::nullopt : std::optional{next};
}

void Watches::pass(MonoTime now, const Keyspace& keys) {
  if (!victims_.empty() && next_victims_ <= now) {
    victim_pass(keys);
    next_victims_ = later(now, config_.victim_period);
  }
  if (!unsynced_.empty() && next_sync_ <= now) {
    const bool had_victims = !victims_.empty();
    sync_pass(keys);
    if (!had_victims) next_victims_ = later(now, config_.victim_period);
    next_sync_ = later(next_sync_, config_.sync_period);
  }
  for (auto& [id, each] : streams_) {
    if (each.next_progress <= now) progress_pass(id, each, keys);
  }
}

}  // namespace tenure::store

#include <algorithm>
#include <utility>

#include <tenure/base/assert.hpp>
#include <tenure/store/keyspace.hpp>

namespace tenure::store {
namespace {

// The change that decides what a key was at a revision: the last one that is not later.
const Change* newest(const std::vector<Change>& changes, Revision at) {
  if (changes.back().at.main <= at.value) return &changes.back();
  const auto later = std::upper_bound(
      changes.begin(), changes.end(), at.value,
      [](std::int64_t main, const Change& change) { return main < change.at.main; });
  return later == changes.begin() ? nullptr : &*std::prev(later);
}

const Change* alive(const Change* change) {
  return change != nullptr && !change->deleted ? change : nullptr;
}

// What compaction leaves of one key: of the past the last change, unless that is a deletion.
// 3.4.23 drops a deletion exactly at the compacted revision too, so that a watch from there misses
// it; later releases keep it (3.4.34, 3.5.16, 3.6.0; etcd-io/etcd#18475).
void forget_past(std::vector<Change>& changes, Revision at, Version version) {
  auto last = std::upper_bound(
      changes.begin(), changes.end(), at.value,
      [](std::int64_t main, const Change& change) { return main < change.at.main; });
  if (last == changes.begin()) return;
  --last;
  const bool kept = !last->deleted || (version != Version::v3_4 && last->at.main == at.value);
  changes.erase(changes.begin(), kept ? last : std::next(last));
}

}  // namespace

KeyValue Keyspace::Found::key_value() const {
  return {*key,
          change->value,
          Revision{change->created},
          Revision{change->at.main},
          change->version,
          change->lease};
}

std::optional<Error> Keyspace::refuses(Revision asked, Revision newest) const {
  if (asked > newest) return Error::future_revision;
  if (asked.value > 0 && asked < compacted()) return Error::compacted;
  return std::nullopt;
}

const Change* Keyspace::find(std::string_view key, Revision at) const {
  const auto found = keys_.find(key);
  return found == keys_.end() ? nullptr : alive(newest(found->second, at));
}

// Calls visit(found), for every key that existed, until it returns false.
template <class Visit>
void Keyspace::visit(const KeyRange& keys, Revision at, Visit visit) const {
  if (keys.is_one_key()) {
    const auto found = keys_.find(keys.key);
    if (found == keys_.end()) return;
    if (const Change* change = alive(newest(found->second, at))) {
      visit(Found{&found->first, change});
    }
    return;
  }
  for (auto each = keys_.lower_bound(keys.key); each != keys_.end(); ++each) {
    if (!keys.is_open() && each->first >= keys.range_end) return;
    const Change* change = alive(newest(each->second, at));
    if (change != nullptr && !visit(Found{&each->first, change})) return;
  }
}

std::vector<Keyspace::Found> Keyspace::range(const KeyRange& keys,
                                             Revision at,
                                             std::size_t most) const {
  std::vector<Found> found;
  visit(keys, at, [&](Found each) {
    found.push_back(each);
    return found.size() < most;
  });
  return found;
}

std::int64_t Keyspace::count(const KeyRange& keys, Revision at) const {
  std::int64_t count = 0;
  visit(keys, at, [&](Found) {
    ++count;
    return true;
  });
  return count;
}

void Keyspace::put(const std::string& key, std::string value, LeaseId lease) {
  const Moment now = next_moment();
  auto place = keys_.lower_bound(key);
  if (place == keys_.end() || place->first != key) {
    place = keys_.emplace_hint(place, key, std::vector<Change>{});
  }
  std::vector<Change>& changes = place->second;
  const bool exists = !changes.empty() && !changes.back().deleted;
  const std::int64_t created = exists ? changes.back().created : now.main;
  const std::int64_t version = exists ? changes.back().version + 1 : 1;
  changes.push_back({now, false, created, version, lease, std::move(value)});
  log_.push_back({now, key});
}

void Keyspace::remove(const std::string& key) {
  const auto found = keys_.find(key);
  TENURE_ASSERT(found != keys_.end() && !found->second.back().deleted,
                "only a key that exists can be deleted");
  const Moment now = next_moment();
  found->second.push_back({now, true, 0, 0, LeaseId{}, std::string{}});
  log_.push_back({now, key});
}

std::size_t Keyspace::commit() {
  const std::size_t first = log_.size() - static_cast<std::size_t>(changes_);
  if (changes_ > 0) ++revision_;
  changes_ = 0;
  return first;
}

void Keyspace::compact(Revision at, Version version) {
  compacted_ = at.value;
  for (auto each = keys_.begin(); each != keys_.end();) {
    forget_past(each->second, at, version);
    each = each->second.empty() ? keys_.erase(each) : std::next(each);
  }
  // A watch may still begin at the compacted revision itself, and then gets what is left of it.
  const auto is_gone = [&](const Logged& logged) {
    if (logged.at.main > at.value) return false;
    if (logged.at.main < at.value) return true;
    const auto found = keys_.find(logged.key);
    return found == keys_.end() ||
           std::none_of(found->second.begin(), found->second.end(),
                        [&](const Change& change) { return change.at == logged.at; });
  };
  log_.erase(std::remove_if(log_.begin(), log_.end(), is_gone), log_.end());
}

std::size_t Keyspace::place_of(Revision revision) const {
  const auto place = std::lower_bound(
      log_.begin(), log_.end(), revision.value,
      [](const Logged& logged, std::int64_t main) { return logged.at.main < main; });
  return static_cast<std::size_t>(place - log_.begin());
}

Keyspace::Found Keyspace::at(const Logged& logged) const {
  const auto found = keys_.find(logged.key);
  TENURE_ASSERT(found != keys_.end(), "what is in the log is in the history of its key");
  const auto change =
      std::lower_bound(found->second.begin(), found->second.end(), logged.at,
                       [](const Change& each, const Moment& at) { return each.at < at; });
  TENURE_ASSERT(change != found->second.end() && change->at == logged.at,
                "what is in the log is in the history of its key");
  return {&found->first, &*change};
}

}  // namespace tenure::store

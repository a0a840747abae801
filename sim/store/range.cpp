#include <algorithm>
#include <limits>

#include "operations.hpp"

namespace tenure::store {
namespace {

bool has_bounds(const RangeRequest& request) {
  const Revision none;
  return request.min_mod != none || request.max_mod != none || request.min_create != none ||
         request.max_create != none;
}

// etcd asks its index for one key more than the limit, to know whether there are more - unless
// keys can still be dropped or reordered. It looks at the order alone: with a target and no order
// it sorts what the limit left (etcdserver/apply.go, Range; as in 3.7.1).
std::size_t most_keys(const RangeRequest& request) {
  if (request.limit <= 0 || request.sort_order != SortOrder::none || has_bounds(request)) {
    return std::numeric_limits<std::size_t>::max();
  }
  const auto limit = static_cast<std::size_t>(request.limit);
  return limit == std::numeric_limits<std::size_t>::max() ? limit : limit + 1;
}

bool is_within(Revision revision, Revision min, Revision max) {
  return (min.value == 0 || revision >= min) && (max.value == 0 || revision <= max);
}

void keep_within_bounds(std::vector<Keyspace::Found>& found, const RangeRequest& request) {
  if (!has_bounds(request)) return;
  std::erase_if(found, [&](const Keyspace::Found& each) {
    return !is_within(Revision{each.change->at.main}, request.min_mod, request.max_mod) ||
           !is_within(Revision{each.change->created}, request.min_create, request.max_create);
  });
}

// Stable, as etcd's sort is for the few keys that recordings compare; in general its is not.
template <class Projection>
void sort_by(std::vector<Keyspace::Found>& found, SortOrder order, Projection of) {
  if (order == SortOrder::descend) {
    std::stable_sort(found.begin(), found.end(),
                     [&](const auto& a, const auto& b) { return of(b) < of(a); });
  } else {
    std::stable_sort(found.begin(), found.end(),
                     [&](const auto& a, const auto& b) { return of(a) < of(b); });
  }
}

void sort(std::vector<Keyspace::Found>& found, const RangeRequest& request) {
  using Found = Keyspace::Found;
  const SortOrder order = request.sort_order;
  switch (request.sort_target) {
    case SortTarget::key:
      if (order == SortOrder::descend) std::reverse(found.begin(), found.end());
      return;
    case SortTarget::version:
      return sort_by(found, order, [](const Found& each) { return each.change->version; });
    case SortTarget::create:
      return sort_by(found, order, [](const Found& each) { return each.change->created; });
    case SortTarget::mod:
      return sort_by(found, order, [](const Found& each) { return each.change->at.main; });
    case SortTarget::value:
      return sort_by(found, order,
                     [](const Found& each) { return std::string_view{each.change->value}; });
  }
}

}  // namespace

RangeResponse run(const Keyspace& keys, const RangeRequest& request) {
  RangeResponse response;
  response.revision = keys.reading();
  const Revision at = request.revision.value > 0 ? request.revision : keys.reading();
  if (request.count_only) {
    response.count = keys.count(request.keys, at);
    return response;
  }
  std::vector<Keyspace::Found> found = keys.range(request.keys, at, most_keys(request));
  response.count = found.size() == most_keys(request) ? keys.count(request.keys, at)
                                                      : static_cast<std::int64_t>(found.size());
  keep_within_bounds(found, request);
  sort(found, request);
  if (request.limit > 0 && found.size() > static_cast<std::size_t>(request.limit)) {
    found.resize(static_cast<std::size_t>(request.limit));
    response.more = true;
  }
  response.kvs.reserve(found.size());
  for (const Keyspace::Found& each : found) {
    response.kvs.push_back(each.key_value());
    if (request.keys_only) response.kvs.back().value.clear();
  }
  return response;
}

}  // namespace tenure::store

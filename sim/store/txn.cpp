#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <tenure/base/variant.hpp>

#include "operations.hpp"

namespace tenure::store {
namespace {

// ---- compares

template <class T>
bool holds(const T& actual, CompareResult result, const T& expected) {
  switch (result) {
    case CompareResult::equal:
      return actual == expected;
    case CompareResult::not_equal:
      return actual != expected;
    case CompareResult::greater:
      return actual > expected;
    case CompareResult::less:
      return actual < expected;
  }
  return false;
}

std::int64_t number_of(const Change& change, CompareTarget target) {
  switch (target) {
    case CompareTarget::version:
      return change.version;
    case CompareTarget::create:
      return change.created;
    case CompareTarget::mod:
      return change.at.main;
    case CompareTarget::lease:
      return change.lease.value;
    case CompareTarget::value:
      break;
  }
  return 0;
}

bool holds_for(const Compare& compare, const Change& change) {
  if (compare.target == CompareTarget::value) {
    return holds(change.value, compare.result, compare.value);
  }
  return holds(number_of(change, compare.target), compare.result, compare.number);
}

// For every key of the range; of a key that does not exist all numbers are 0, and no value
// compares with the one it does not have (etcdserver/apply.go, applyCompare).
bool holds(const Keyspace& keys, const Compare& compare) {
  const auto found =
      keys.range(compare.keys, keys.revision(), std::numeric_limits<std::size_t>::max());
  if (found.empty()) {
    return compare.target != CompareTarget::value && holds_for(compare, Change{});
  }
  return std::all_of(found.begin(), found.end(),
                     [&](const Keyspace::Found& each) { return holds_for(compare, *each.change); });
}

// ---- the path

const std::vector<RequestOp>& branch(const TxnRequest& txn, bool succeeded) {
  return succeeded ? txn.success : txn.failure;
}

void choose(const Keyspace& keys, const TxnRequest& txn, Path& path) {
  const bool succeeded = std::all_of(txn.compare.begin(), txn.compare.end(),
                                     [&](const Compare& compare) { return holds(keys, compare); });
  path.push_back(succeeded);
  for (const RequestOp& op : branch(txn, succeeded)) {
    if (const auto* nested = std::get_if<TxnRequest>(&op.request)) choose(keys, *nested, path);
  }
}

// Asks `ask` about every operation on the path, in order, until it says why not.
template <class Ask>
std::optional<Error> ask_along(const TxnRequest& txn,
                               const Path& path,
                               std::size_t& at,
                               const Ask& ask) {
  for (const RequestOp& op : branch(txn, path[at++])) {
    const auto* nested = std::get_if<TxnRequest>(&op.request);
    const auto error = nested != nullptr ? ask_along(*nested, path, at, ask) : ask(op);
    if (error) return error;
  }
  return std::nullopt;
}

std::optional<Error> refuse_put(const Keyspace& keys, const Lessor& lessor, const RequestOp& op) {
  const auto* put = std::get_if<PutRequest>(&op.request);
  if (put == nullptr) return std::nullopt;
  const bool needs_key = put->ignore_value || put->ignore_lease;
  if (needs_key && keys.find(put->key, keys.revision()) == nullptr) return Error::key_not_found;
  if (put->lease.value != 0 && lessor.find(put->lease) == nullptr) return Error::lease_not_found;
  return std::nullopt;
}

// Unlike a range alone, one in a transaction takes a negative revision by its word.
std::optional<Error> refuse_range(const Keyspace& keys, const RequestOp& op) {
  const auto* range = std::get_if<RangeRequest>(&op.request);
  if (range == nullptr || range->revision.value == 0) return std::nullopt;
  if (range->revision > keys.revision()) return Error::future_revision;
  if (range->revision < keys.compacted()) return Error::compacted;
  return std::nullopt;
}

// A put may be asked to keep what the same transaction has deleted before it, where the check for
// overlaps does not see that. A real server then panics while it applies the transaction, and again
// at every start, because the transaction is in its log (3.4.23, tried; etcdserver/apply.go,
// applyTxn). Here the transaction is not applied, and the answer is that of a server that is gone.
struct LoseKeys {
  mutable std::vector<KeyRange> deleted;

  std::optional<Error> operator()(const RequestOp& op) const {
    if (const auto* remove = std::get_if<DeleteRangeRequest>(&op.request)) {
      deleted.push_back(remove->keys);
    }
    const auto* put = std::get_if<PutRequest>(&op.request);
    if (put == nullptr || !(put->ignore_value || put->ignore_lease)) return std::nullopt;
    const bool lost = std::any_of(deleted.begin(), deleted.end(),
                                  [&](const KeyRange& keys) { return keys.contains(put->key); });
    return lost ? std::optional{Error::stopped} : std::nullopt;
  }
};

// ---- running

TxnResponse run_along(Keyspace& keys,
                      Lessor& lessor,
                      const TxnRequest& txn,
                      const Path& path,
                      std::size_t& at) {
  TxnResponse response;
  response.succeeded = path[at++];
  const auto run_op = overloaded{
      [&](const RangeRequest& range) { return ResponseOp{run(keys, range)}; },
      [&](const PutRequest& put) { return ResponseOp{run(keys, lessor, put)}; },
      [&](const DeleteRangeRequest& remove) { return ResponseOp{run(keys, lessor, remove)}; },
      [&](const TxnRequest& nested) {
        return ResponseOp{run_along(keys, lessor, nested, path, at)};
      }};
  for (const RequestOp& op : branch(txn, response.succeeded)) {
    response.responses.push_back(std::visit(run_op, op.request));
  }
  return response;
}

}  // namespace

Path path_of(const Keyspace& keys, const TxnRequest& request) {
  Path path;
  choose(keys, request, path);
  return path;
}

std::optional<Error> refusal(const Keyspace& keys,
                             const Lessor& lessor,
                             const TxnRequest& request,
                             const Path& path) {
  std::size_t at = 0;
  const auto refused_put = ask_along(
      request, path, at, [&](const RequestOp& op) { return refuse_put(keys, lessor, op); });
  if (refused_put) return refused_put;
  at = 0;
  const auto refused_range =
      ask_along(request, path, at, [&](const RequestOp& op) { return refuse_range(keys, op); });
  if (refused_range) return refused_range;
  at = 0;
  return ask_along(request, path, at, LoseKeys{});
}

TxnResponse run(Keyspace& keys, Lessor& lessor, const TxnRequest& request, const Path& path) {
  std::size_t at = 0;
  TxnResponse response = run_along(keys, lessor, request, path, at);
  response.revision = keys.reading();
  return response;
}

}  // namespace tenure::store

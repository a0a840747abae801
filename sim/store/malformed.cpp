#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <tenure/base/variant.hpp>

#include "operations.hpp"

namespace tenure::store {
namespace {

// ---- which keys a list of operations puts and deletes, counting nested transactions

// etcd takes the end of a range by its bytes here. So a deletion up to "\0" is an interval that
// ends before it begins, and is never seen to overlap (v3rpc/key.go, checkIntervals; as in 3.7.1).
bool covers(const KeyRange& deleted, const std::string& key) {
  if (deleted.is_one_key()) return deleted.key == key;
  return deleted.key <= key && key < deleted.range_end;
}

struct Touched {
  std::set<std::string> put;
  std::vector<KeyRange> deleted;

  bool deletes(const std::string& key) const {
    return std::any_of(deleted.begin(), deleted.end(),
                       [&](const KeyRange& range) { return covers(range, key); });
  }
  void also_deletes(const Touched& other) {
    deleted.insert(deleted.end(), other.deleted.begin(), other.deleted.end());
  }
};

std::optional<Touched> touched(const std::vector<RequestOp>& ops);

// The two branches of a nested transaction exclude each other, so both may put the same key.
// Deletions of a later nested transaction are not held against the puts of an earlier one.
bool add_nested(Touched& all, const TxnRequest& nested) {
  const auto success = touched(nested.success);
  const auto failure = success ? touched(nested.failure) : std::nullopt;
  if (!failure) return false;
  for (const std::string& key : success->put) {
    if (all.put.contains(key) || all.deletes(key)) return false;
    all.put.insert(key);
  }
  for (const std::string& key : failure->put) {
    if (all.put.contains(key) && !success->put.contains(key)) return false;
    if (all.deletes(key)) return false;
    all.put.insert(key);
  }
  all.also_deletes(*success);
  all.also_deletes(*failure);
  return true;
}

// Nothing when a key is put twice, or put and deleted.
std::optional<Touched> touched(const std::vector<RequestOp>& ops) {
  Touched all;
  for (const RequestOp& op : ops) {
    if (const auto* remove = std::get_if<DeleteRangeRequest>(&op.request)) {
      all.deleted.push_back(remove->keys);
    }
  }
  for (const RequestOp& op : ops) {
    const auto* nested = std::get_if<TxnRequest>(&op.request);
    if (nested != nullptr && !add_nested(all, *nested)) return std::nullopt;
  }
  for (const RequestOp& op : ops) {
    const auto* put = std::get_if<PutRequest>(&op.request);
    if (put == nullptr) continue;
    if (all.put.contains(put->key) || all.deletes(put->key)) return std::nullopt;
    all.put.insert(put->key);
  }
  return all;
}

// ---- single operations, nested ones included

std::optional<Error> malformed_ops(const TxnRequest& request, std::size_t max_ops) {
  const std::size_t longest =
      std::max({request.compare.size(), request.success.size(), request.failure.size()});
  if (longest > max_ops) return Error::too_many_ops;
  for (const Compare& compare : request.compare) {
    if (compare.keys.key.empty()) return Error::empty_key;
  }
  const auto check =
      overloaded{[&](const TxnRequest& nested) { return malformed_ops(nested, max_ops - longest); },
                 [](const auto& op) { return malformed(op); }};
  for (const auto* ops : {&request.success, &request.failure}) {
    for (const RequestOp& op : *ops) {
      if (const auto error = std::visit(check, op.request)) return error;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> malformed(const RangeRequest& request) {
  if (request.keys.key.empty()) return Error::empty_key;
  return std::nullopt;
}

std::optional<Error> malformed(const PutRequest& request) {
  if (request.key.empty()) return Error::empty_key;
  if (request.ignore_value && !request.value.empty()) return Error::value_provided;
  if (request.ignore_lease && request.lease.value != 0) return Error::lease_provided;
  return std::nullopt;
}

std::optional<Error> malformed(const DeleteRangeRequest& request) {
  if (request.keys.key.empty()) return Error::empty_key;
  return std::nullopt;
}

std::optional<Error> malformed(const TxnRequest& request, std::size_t max_ops) {
  if (const auto error = malformed_ops(request, max_ops)) return error;
  if (!touched(request.success) || !touched(request.failure)) return Error::duplicate_key;
  return std::nullopt;
}

}  // namespace tenure::store

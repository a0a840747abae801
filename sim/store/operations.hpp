// Single operations on keys and leases, as they run alone or inside a transaction. They check
// nothing that was to be checked before.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <tenure/store/keyspace.hpp>
#include <tenure/store/lessor.hpp>
#include <tenure/store/message.hpp>

namespace tenure::store {

RangeResponse run(const Keyspace& keys, const RangeRequest& request);
PutResponse run(Keyspace& keys, Lessor& lessor, const PutRequest& request);
DeleteRangeResponse run(Keyspace& keys, Lessor& lessor, const DeleteRangeRequest& request);

// What etcd checks before a request is proposed (etcdserver/api/v3rpc/key.go).
std::optional<Error> malformed(const RangeRequest& request);
std::optional<Error> malformed(const PutRequest& request);
std::optional<Error> malformed(const DeleteRangeRequest& request);
std::optional<Error> malformed(const TxnRequest& request, std::size_t max_ops);

// Which branch of the transaction, and of every nested one on the way, runs: all compares look at
// the state before the transaction.
using Path = std::vector<bool>;
Path path_of(const Keyspace& keys, const TxnRequest& request);

// What keeps the transaction from running although it is well formed.
std::optional<Error> refusal(const Keyspace& keys,
                             const Lessor& lessor,
                             const TxnRequest& request,
                             const Path& path);
TxnResponse run(Keyspace& keys, Lessor& lessor, const TxnRequest& request, const Path& path);

}  // namespace tenure::store

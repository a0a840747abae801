#include <limits>

#include <tenure/base/assert.hpp>

#include "operations.hpp"

namespace tenure::store {

PutResponse run(Keyspace& keys, Lessor& lessor, const PutRequest& request) {
  PutResponse response;
  const bool needs_key = request.ignore_value || request.ignore_lease;
  const Change* before =
      needs_key || request.prev_kv ? keys.find(request.key, keys.reading()) : nullptr;
  TENURE_ASSERT(!needs_key || before != nullptr,
                "a put that keeps something was checked to find it");
  if (request.prev_kv && before != nullptr) {
    response.prev_kv.push_back(Keyspace::Found{&request.key, before}.key_value());
  }
  const LeaseId lease = request.ignore_lease ? before->lease : request.lease;
  keys.put(request.key, request.ignore_value ? before->value : request.value, lease);
  if (lease.value != 0) {
    lessor.attach(request.key, lease);
  } else {
    lessor.detach(request.key);
  }
  response.revision = keys.reading();
  return response;
}

DeleteRangeResponse run(Keyspace& keys, Lessor& lessor, const DeleteRangeRequest& request) {
  DeleteRangeResponse response;
  const auto found =
      keys.range(request.keys, keys.reading(), std::numeric_limits<std::size_t>::max());
  for (const Keyspace::Found& each : found) {
    if (request.prev_kv) response.prev_kvs.push_back(each.key_value());
    lessor.detach(*each.key);
    keys.remove(*each.key);
  }
  response.deleted = static_cast<std::int64_t>(found.size());
  response.revision = keys.reading();
  return response;
}

}  // namespace tenure::store

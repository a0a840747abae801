// What one can ask of an etcd and what it answers, in the terms of etcd's own API (etcdserverpb,
// rpc.proto): keys and values are byte strings, revisions count the requests that changed
// something.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tenure/base/id.hpp>

namespace tenure::store {

// A lease of etcd. 0 means "none".
struct LeaseId {
  std::int64_t value = 0;

  friend auto operator<=>(const LeaseId&, const LeaseId&) = default;
};

// A set of keys as a request names it: without `range_end` the one key; up to "\0" all keys from
// `key` on; otherwise [key, range_end), which is empty when the two are not in order.
struct KeyRange {
  std::string key{};
  std::string range_end{};

  bool is_one_key() const { return range_end.empty(); }
  bool is_open() const { return range_end == std::string_view("\0", 1); }
  bool contains(std::string_view candidate) const {
    if (is_one_key()) return candidate == key;
    return key <= candidate && (is_open() || candidate < range_end);
  }
  friend auto operator<=>(const KeyRange&, const KeyRange&) = default;
};

struct KeyValue {
  std::string key{};
  std::string value{};
  Revision created{};
  Revision modified{};
  std::int64_t version = 0;  // 1 for a key that was just created
  LeaseId lease{};

  friend bool operator==(const KeyValue&, const KeyValue&) = default;
};

// ---- range

enum class SortOrder { none, ascend, descend };
enum class SortTarget { key, version, create, mod, value };

struct RangeRequest {
  KeyRange keys{};
  std::int64_t limit = 0;  // 0: all
  Revision revision{};     // 0: the newest
  SortOrder sort_order = SortOrder::none;
  SortTarget sort_target = SortTarget::key;
  bool keys_only = false;
  bool count_only = false;
  Revision min_mod{}, max_mod{}, min_create{}, max_create{};  // 0: no bound

  friend bool operator==(const RangeRequest&, const RangeRequest&) = default;
};

// `revision` in a response is that of its header: the store's, whichever was asked for.
struct RangeResponse {
  Revision revision{};
  std::vector<KeyValue> kvs{};
  bool more = false;
  std::int64_t count = 0;

  friend bool operator==(const RangeResponse&, const RangeResponse&) = default;
};

// ---- put and delete

struct PutRequest {
  std::string key{};
  std::string value{};
  LeaseId lease{};
  bool prev_kv = false;
  bool ignore_value = false;  // keep the value that is there
  bool ignore_lease = false;  // keep the lease that is there

  friend bool operator==(const PutRequest&, const PutRequest&) = default;
};

struct PutResponse {
  Revision revision{};
  std::vector<KeyValue> prev_kv{};  // at most one

  friend bool operator==(const PutResponse&, const PutResponse&) = default;
};

struct DeleteRangeRequest {
  KeyRange keys{};
  bool prev_kv = false;

  friend bool operator==(const DeleteRangeRequest&, const DeleteRangeRequest&) = default;
};

struct DeleteRangeResponse {
  Revision revision{};
  std::int64_t deleted = 0;
  std::vector<KeyValue> prev_kvs{};

  friend bool operator==(const DeleteRangeResponse&, const DeleteRangeResponse&) = default;
};

// ---- transactions

enum class CompareResult { equal, greater, less, not_equal };
enum class CompareTarget { version, create, mod, value, lease };

struct Compare {
  KeyRange keys{};
  CompareTarget target = CompareTarget::version;
  CompareResult result = CompareResult::equal;
  std::int64_t number = 0;  // what version, create, mod and lease are compared with
  std::string value{};      // what value is compared with

  friend bool operator==(const Compare&, const Compare&) = default;
};

struct RequestOp;
struct ResponseOp;

struct TxnRequest {
  std::vector<Compare> compare{};
  std::vector<RequestOp> success;
  std::vector<RequestOp> failure;
};

struct RequestOp {
  std::variant<RangeRequest, PutRequest, DeleteRangeRequest, TxnRequest> request;
};

bool operator==(const TxnRequest& a, const TxnRequest& b);
bool operator==(const RequestOp& a, const RequestOp& b);

struct TxnResponse {
  Revision revision{};
  bool succeeded = false;  // which branch ran
  std::vector<ResponseOp> responses;
};

struct ResponseOp {
  std::variant<RangeResponse, PutResponse, DeleteRangeResponse, TxnResponse> response;
};

bool operator==(const TxnResponse& a, const TxnResponse& b);
bool operator==(const ResponseOp& a, const ResponseOp& b);

// ---- compaction

struct CompactRequest {
  Revision revision{};

  friend bool operator==(const CompactRequest&, const CompactRequest&) = default;
};

struct CompactResponse {
  Revision revision{};

  friend bool operator==(const CompactResponse&, const CompactResponse&) = default;
};

// ---- leases; all TTLs are whole seconds

struct LeaseGrantRequest {
  LeaseId id{};  // 0: the server chooses
  std::int64_t ttl = 0;

  friend bool operator==(const LeaseGrantRequest&, const LeaseGrantRequest&) = default;
};

struct LeaseGrantResponse {
  Revision revision{};
  LeaseId id{};
  std::int64_t ttl = 0;

  friend bool operator==(const LeaseGrantResponse&, const LeaseGrantResponse&) = default;
};

struct LeaseRevokeRequest {
  LeaseId id{};

  friend bool operator==(const LeaseRevokeRequest&, const LeaseRevokeRequest&) = default;
};

struct LeaseRevokeResponse {
  Revision revision{};

  friend bool operator==(const LeaseRevokeResponse&, const LeaseRevokeResponse&) = default;
};

struct LeaseKeepAliveRequest {
  LeaseId id{};

  friend bool operator==(const LeaseKeepAliveRequest&, const LeaseKeepAliveRequest&) = default;
};

struct LeaseKeepAliveResponse {
  Revision revision{};
  LeaseId id{};
  std::int64_t ttl = 0;  // 0: there is no such lease

  friend bool operator==(const LeaseKeepAliveResponse&, const LeaseKeepAliveResponse&) = default;
};

struct LeaseTimeToLiveRequest {
  LeaseId id{};
  bool keys = false;

  friend bool operator==(const LeaseTimeToLiveRequest&, const LeaseTimeToLiveRequest&) = default;
};

struct LeaseTimeToLiveResponse {
  Revision revision{};
  LeaseId id{};
  std::int64_t ttl = 0;  // -1: there is no such lease
  std::int64_t granted_ttl = 0;
  std::vector<std::string> keys{};  // in key order; etcd promises none

  friend bool operator==(const LeaseTimeToLiveResponse&, const LeaseTimeToLiveResponse&) = default;
};

struct LeaseLeasesRequest {
  friend bool operator==(const LeaseLeasesRequest&, const LeaseLeasesRequest&) = default;
};

struct LeaseLeasesResponse {
  Revision revision{};
  std::vector<LeaseId> leases{};  // the one that expires first comes first

  friend bool operator==(const LeaseLeasesResponse&, const LeaseLeasesResponse&) = default;
};

// ---- all of them

using Command = std::variant<RangeRequest,
                             PutRequest,
                             DeleteRangeRequest,
                             TxnRequest,
                             CompactRequest,
                             LeaseGrantRequest,
                             LeaseRevokeRequest,
                             LeaseKeepAliveRequest,
                             LeaseTimeToLiveRequest,
                             LeaseLeasesRequest>;

// etcd's own errors (etcdserver/api/v3rpc/rpctypes/error.go, 3.4.23).
enum class Error {
  empty_key,
  key_not_found,
  value_provided,
  lease_provided,
  too_many_ops,
  duplicate_key,
  request_too_large,
  lease_not_found,
  too_many_requests,
  no_space,
  lease_exists,
  compacted,
  future_revision,
  lease_ttl_too_large,
  no_leader,
  leader_changed,
  timeout,
  stopped,
};

// The number of a gRPC status (google.golang.org/grpc/codes).
int grpc_code(Error error);
std::string_view message_of(Error error);

// A keepalive that met a lease whose time is over: etcd answers when the lease has been revoked,
// and then as for a lease that does not exist (lease/lessor.go, Renew).
struct AwaitsRevoke {
  LeaseId id{};

  friend bool operator==(const AwaitsRevoke&, const AwaitsRevoke&) = default;
};

using Reply = std::variant<Error,
                           RangeResponse,
                           PutResponse,
                           DeleteRangeResponse,
                           TxnResponse,
                           CompactResponse,
                           LeaseGrantResponse,
                           LeaseRevokeResponse,
                           LeaseKeepAliveResponse,
                           LeaseTimeToLiveResponse,
                           LeaseLeasesResponse,
                           AwaitsRevoke>;

// ---- watches: one stream carries many, each under an id of its own

using StreamId = Id<struct WatchStreamTag>;
using WatchId = std::int64_t;

// A message with this id is about all watches of its stream, or about one that was refused.
inline constexpr WatchId no_watch = -1;

struct WatchCreate {
  KeyRange keys{};
  WatchId id = 0;             // 0: the server chooses
  Revision start_revision{};  // 0: from now on
  bool progress_notify = false;
  bool no_put = false;
  bool no_delete = false;
  bool prev_kv = false;

  friend bool operator==(const WatchCreate&, const WatchCreate&) = default;
};

struct WatchCancel {
  WatchId id = 0;

  friend bool operator==(const WatchCancel&, const WatchCancel&) = default;
};

struct WatchProgress {
  friend bool operator==(const WatchProgress&, const WatchProgress&) = default;
};

using WatchRequest = std::variant<WatchCreate, WatchCancel, WatchProgress>;

struct WatchEvent {
  bool deleted = false;
  KeyValue kv{};  // of a deletion only the key and its revision
  std::optional<KeyValue> prev_kv{};

  friend bool operator==(const WatchEvent&, const WatchEvent&) = default;
};

enum class CancelReason { none, duplicate_id, empty_range, compacted };
std::string_view message_of(CancelReason reason);

// Without `created`, `canceled` and events it says how far the watch has got.
struct WatchMessage {
  Revision revision{};  // of the header
  WatchId id = 0;
  bool created = false;
  bool canceled = false;
  CancelReason reason = CancelReason::none;
  Revision compacted{};  // why the server canceled: nothing before this revision is left
  std::vector<WatchEvent> events{};

  friend bool operator==(const WatchMessage&, const WatchMessage&) = default;
};

}  // namespace tenure::store

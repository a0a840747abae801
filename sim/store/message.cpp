#include <array>
#include <cstddef>

#include <tenure/store/message.hpp>

namespace tenure::store {

bool operator==(const TxnRequest& a, const TxnRequest& b) {
  return a.compare == b.compare && a.success == b.success && a.failure == b.failure;
}

bool operator==(const RequestOp& a, const RequestOp& b) {
  return a.request == b.request;
}

bool operator==(const TxnResponse& a, const TxnResponse& b) {
  return a.revision == b.revision && a.succeeded == b.succeeded && a.responses == b.responses;
}

bool operator==(const ResponseOp& a, const ResponseOp& b) {
  return a.response == b.response;
}

namespace {

struct Said {
  int code;
  std::string_view message;
};

constexpr int invalid_argument = 3, not_found = 5, resource_exhausted = 8, failed_precondition = 9,
              out_of_range = 11, unavailable = 14;

// In the order of the enumerators.
constexpr std::array<Said, 18> errors{{
    {invalid_argument, "etcdserver: key is not provided"},
    {invalid_argument, "etcdserver: key not found"},
    {invalid_argument, "etcdserver: value is provided"},
    {invalid_argument, "etcdserver: lease is provided"},
    {invalid_argument, "etcdserver: too many operations in txn request"},
    {invalid_argument, "etcdserver: duplicate key given in txn request"},
    {invalid_argument, "etcdserver: request is too large"},
    {not_found, "etcdserver: requested lease not found"},
    {resource_exhausted, "etcdserver: too many requests"},
    {resource_exhausted, "etcdserver: mvcc: database space exceeded"},
    {failed_precondition, "etcdserver: lease already exists"},
    {out_of_range, "etcdserver: mvcc: required revision has been compacted"},
    {out_of_range, "etcdserver: mvcc: required revision is a future revision"},
    {out_of_range, "etcdserver: too large lease TTL"},
    {unavailable, "etcdserver: no leader"},
    {unavailable, "etcdserver: leader changed"},
    {unavailable, "etcdserver: request timed out"},
    {unavailable, "etcdserver: server stopped"},
}};
static_assert(errors.size() == static_cast<std::size_t>(Error::stopped) + 1);

}  // namespace

int grpc_code(Error error) {
  return errors[static_cast<std::size_t>(error)].code;
}

std::string_view message_of(CancelReason reason) {
  switch (reason) {
    case CancelReason::none:
      break;
    case CancelReason::duplicate_id:
      return "mvcc: duplicate watch ID provided on the WatchStream";
    case CancelReason::empty_range:
      return "mvcc: watcher range is empty";
    case CancelReason::compacted:
      return message_of(Error::compacted);
  }
  return "";
}

std::string_view message_of(Error error) {
  return errors[static_cast<std::size_t>(error)].message;
}

}  // namespace tenure::store

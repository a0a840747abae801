// One etcd as a state machine: a command and a time give an answer, and what is watched is told.
// Linearizable: a command takes effect when it is applied. A value without pointers into itself:
// copying it is a snapshot. It answers like a real server (tests/conformance/etcd); disks, members
// and elections are not in here.
#pragma once

#include <optional>
#include <vector>

#include <tenure/base/time.hpp>
#include <tenure/store/keyspace.hpp>
#include <tenure/store/lessor.hpp>
#include <tenure/store/message.hpp>
#include <tenure/store/watch.hpp>

namespace tenure::store {

struct EtcdConfig {
  Version version = Version::v3_6;
  std::size_t max_txn_ops = 128;  // embed/config.go, MaxTxnOps
  LessorConfig lessor;
  WatchConfig watch;

  friend bool operator==(const EtcdConfig&, const EtcdConfig&) = default;
};

class Etcd {
 public:
  explicit Etcd(const EtcdConfig& config = {})
      : config_(config), lessor_(config.lessor), watches_(config.version, config.watch) {}

  // `now` is the clock of the member that leads. It never goes back, and what `advance` has to do
  // before it has been done.
  Reply apply(const Command& command, MonoTime now);

  // Streams of watches: opened with how often automatic progress messages come, asked, and read
  // from message by message.
  void open(StreamId stream, Duration progress_every, MonoTime now);
  void close(StreamId stream) { watches_.close(stream); }
  void watch(StreamId stream, const WatchRequest& request, MonoTime now);
  std::optional<WatchMessage> take(StreamId stream) { return watches_.take(stream, keys_); }

  // When something happens by itself next, and letting it happen: expired leases are revoked,
  // watches catch up.
  std::optional<MonoTime> next_wake() const;
  void advance(MonoTime now);

  const Keyspace& keys() const { return keys_; }
  const Lessor& lessor() const { return lessor_; }
  const Watches& watches() const { return watches_; }

  friend bool operator==(const Etcd&, const Etcd&) = default;

 private:
  Reply answer(const RangeRequest& request, MonoTime now);
  Reply answer(const PutRequest& request, MonoTime now);
  Reply answer(const DeleteRangeRequest& request, MonoTime now);
  Reply answer(const TxnRequest& request, MonoTime now);
  Reply answer(const CompactRequest& request, MonoTime now);
  Reply answer(const LeaseGrantRequest& request, MonoTime now);
  Reply answer(const LeaseRevokeRequest& request, MonoTime now);
  Reply answer(const LeaseKeepAliveRequest& request, MonoTime now);
  Reply answer(const LeaseTimeToLiveRequest& request, MonoTime now);
  Reply answer(const LeaseLeasesRequest& request, MonoTime now);

  void revoke(LeaseId id, MonoTime now);
  void commit(MonoTime now);

  EtcdConfig config_;
  Keyspace keys_;
  Lessor lessor_;
  Watches watches_;
};

}  // namespace tenure::store

// The store's commands: puts, transactions as Kubernetes writes them (compare the revision that was
// read, then put), and reads of one key, with 1, 1 000 and 20 000 keys. Prints operations per
// CPU-second.
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include <tenure/store/etcd.hpp>

#include "yardstick/cpu_clock.hpp"

namespace {

using namespace tenure;
using namespace tenure::store;

constexpr int operations = 200'000;
// As often as the writes of a busy cluster are compacted away; without it memory is what is
// measured.
constexpr int between_compactions = 20'000;

std::string key_of(int i) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "key/%06d", i);
  return text.data();
}

// The i-th operation uses this key: all of them, in no order.
int place(int i, int keys) {
  return static_cast<int>(static_cast<std::uint64_t>(i) * 7'919U % static_cast<unsigned>(keys));
}

Command put(int i, int keys) {
  PutRequest request;
  request.key = key_of(place(i, keys));
  request.value = "a value of about thirty bytes..";
  return request;
}

Command txn(int i, int keys) {
  TxnRequest request;
  Compare compare;
  compare.keys.key = key_of(place(i, keys));
  compare.target = CompareTarget::mod;
  compare.result = CompareResult::greater;
  request.success.push_back({std::get<PutRequest>(put(i, keys))});
  request.failure.push_back({RangeRequest{compare.keys}});
  request.compare.push_back(std::move(compare));
  return request;
}

Command range(int i, int keys) {
  RangeRequest request;
  request.keys.key = key_of(place(i, keys));
  return request;
}

void measure(const char* name, int keys, Command (*command)(int, int)) {
  Etcd etcd;
  for (int i = 0; i < keys; ++i) etcd.apply(put(i, keys), MonoTime{});
  std::size_t failed = 0;
  const double begin = yardstick::cpu_seconds();
  for (int i = 0; i < operations; ++i) {
    const Reply reply = etcd.apply(command(i, keys), MonoTime{});
    if (std::holds_alternative<Error>(reply)) ++failed;
    if (i % between_compactions == between_compactions - 1) {
      etcd.apply(CompactRequest{etcd.keys().revision()}, MonoTime{});
    }
  }
  const double seconds = yardstick::cpu_seconds() - begin;
  if (failed > 0) std::fprintf(stderr, "%s: %zu operations failed\n", name, failed);
  std::printf("{\"name\":\"etcd-%s-%d\",\"unit\":\"1/cpu-s\",\"value\":%.6g}\n", name, keys,
              operations / seconds);
}

}  // namespace

int main() {
  for (const int keys : {1, 1'000, 20'000}) {
    measure("put", keys, put);
    measure("txn", keys, txn);
    measure("range", keys, range);
  }
}

#include <limits>

#include <doctest/doctest.h>

#include <tenure/elect/lease_record.hpp>

using namespace tenure;
using namespace tenure::elect;
using namespace std::chrono_literals;

namespace {

LeaseRecord some_record() {
  return {.holder = Identity{1},
          .lease_duration_seconds = 15,
          .leader_transitions = 3,
          .acquire_time = {1'500'000},
          .renew_time = {2'700'000},
          .preferred_holder = Identity{2},
          .strategy = api::Strategy::oldest_emulation_version};
}

}  // namespace

// test-table.md 3: TestLeaseSpecToLeaderElectionRecordRoundTrip and TestLeaseConversion.
TEST_CASE("a record survives the way into a Lease and back") {
  const LeaseRecord record = some_record();
  CHECK(record_of(spec_of(record)) == record);
  const api::LeaseSpec spec = spec_of(record);
  CHECK(spec_of(record_of(spec)) == spec);
}

// client-go-elector.md 3.1: absent fields read as zero, and are written afterwards.
TEST_CASE("an empty spec reads as the zero record") {
  CHECK(record_of(api::LeaseSpec{}) == LeaseRecord{});
  CHECK(spec_of(LeaseRecord{}).lease_duration_seconds == 0);
  CHECK(spec_of(LeaseRecord{}).lease_transitions == 0);
}

// client-go-elector.md 3.1: two raws are equal iff all fields are, times to the second.
TEST_CASE("a raw record tells times apart by whole seconds and all else exactly") {
  const LeaseRecord record = some_record();
  LeaseRecord later_in_the_second = record;
  later_in_the_second.renew_time = {2'999'999};
  later_in_the_second.acquire_time = {1'000'000};
  CHECK(raw_of(later_in_the_second) == raw_of(record));
  const auto differs = [&](auto change) {
    LeaseRecord other = record;
    change(other);
    return !(raw_of(other) == raw_of(record));
  };
  CHECK(differs([](LeaseRecord& r) { r.renew_time = {3'000'000}; }));
  CHECK(differs([](LeaseRecord& r) { r.acquire_time = {2'000'000}; }));
  CHECK(differs([](LeaseRecord& r) { r.holder = Identity{1, 1}; }));
  CHECK(differs([](LeaseRecord& r) { r.lease_duration_seconds = 16; }));
  CHECK(differs([](LeaseRecord& r) { r.leader_transitions = 4; }));
  CHECK(differs([](LeaseRecord& r) { r.preferred_holder = Identity{}; }));
  CHECK(differs([](LeaseRecord& r) { r.strategy = api::Strategy::first_qualified; }));
}

// client-go-elector.md 2.3.
TEST_CASE("a lease duration is written in whole seconds, cut off") {
  CHECK(whole_seconds(15s) == 15);
  CHECK(whole_seconds(15900ms) == 15);
  CHECK(whole_seconds(999ms) == 0);
  CHECK(whole_seconds(longest_duration) == std::numeric_limits<std::int32_t>::max());
}

// client-go-elector.md 4.3: valid(now), strictly.
TEST_CASE("a record that is exactly as old as its duration has expired") {
  Ties ties;
  CHECK(is_valid_by_observation(MonoTime{10s}, 15s, MonoTime{25s - 1ns}, ties));
  CHECK_FALSE(ties.met);
  CHECK_FALSE(is_valid_by_observation(MonoTime{10s}, 15s, MonoTime{25s}, ties));
  CHECK(ties.met);
}

// exploration.md 2.2: both readings of equality.
TEST_CASE("a tie that is turned is read the other way, and nothing else is") {
  Ties ties;
  ties.turned = true;
  CHECK(is_valid_by_observation(MonoTime{10s}, 15s, MonoTime{25s}, ties));
  CHECK(is_valid_by_observation(MonoTime{10s}, 15s, MonoTime{25s - 1ns}, ties));
  CHECK_FALSE(is_valid_by_observation(MonoTime{10s}, 15s, MonoTime{25s + 1ns}, ties));
}

TEST_CASE("times nearer than the width of a tie cannot be told apart") {
  Ties ties;
  ties.width = 1s;
  CHECK(is_valid_by_observation(MonoTime{10s}, 15s, MonoTime{24s}, ties));
  CHECK_FALSE(ties.met);
  CHECK(is_valid_by_observation(MonoTime{10s}, 15s, MonoTime{24s + 1ns}, ties));
  CHECK(ties.met);
}

TEST_CASE("a lifetime without end never expires") {
  Ties ties;
  CHECK(is_valid_by_observation(MonoTime{10s}, longest_duration, MonoTime{10'000h}, ties));
}

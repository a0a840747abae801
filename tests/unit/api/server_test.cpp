#include <cstdint>
#include <optional>

#include <doctest/doctest.h>

#include <tenure/api/server.hpp>

using namespace tenure;
using namespace tenure::api;
using namespace std::chrono_literals;

namespace {

constexpr store::Key lock{1};
constexpr store::Key other{2};
constexpr Identity a{1};
constexpr Identity b{2};

// A server as the test vectors of api-server.md, section 10, start it: without the Lease, at
// revision 10.
struct Bench {
  Server server;

  Bench() {
    update_or_create(other, {});
    while (server.revision() < Revision{10}) {
      Lease lease = *server.find(other);
      lease.spec.renew_time = {server.revision().value};
      update_or_create(other, lease);
    }
  }

  Server::Handled create(const LeaseSpec& spec) {
    return server.handle({Verb::create, lock, {.spec = spec}});
  }
  Server::Handled put(const Lease& lease) { return server.handle({Verb::update, lock, lease}); }
  Server::Handled get() { return server.handle({Verb::get, lock, {}}); }
  Server::Handled remove(std::uint64_t uid = 0, Revision version = {}) {
    return server.handle({Verb::remove, lock, {.uid = uid, .resource_version = version}});
  }
  std::int64_t revision() const { return server.revision().value; }
  Lease stored() const { return *server.find(lock); }

 private:
  void update_or_create(store::Key key, const Lease& lease) {
    server.handle({Verb::update, key, lease});
  }
};

LeaseSpec held_by(Identity holder) {
  return {.holder = holder, .lease_duration_seconds = 15};
}

Lease version(std::int64_t revision, const LeaseSpec& spec, std::uint64_t uid = 0) {
  return {.uid = uid, .resource_version = Revision{revision}, .spec = spec};
}

LeaseSpec renewed(Identity holder, std::int64_t microseconds) {
  LeaseSpec spec = held_by(holder);
  spec.renew_time = {microseconds};
  return spec;
}

}  // namespace

// api-server.md, section 10; the vectors' numbers are in the names.

TEST_CASE("C1: a create is answered 201 with the revision of its transaction") {
  Bench bench;
  const auto created = bench.create(held_by(a));
  CHECK(created.response.outcome == Outcome::ok);
  CHECK(created.response.code == 201);
  CHECK(created.response.lease.resource_version == Revision{11});
  CHECK(created.response.lease.spec == held_by(a));
  CHECK(created.response.lease.uid != 0);
  CHECK(created.applied);
  CHECK_FALSE(created.existed);
  CHECK(bench.revision() == 11);
}

TEST_CASE("C2: a second create is refused with AlreadyExists") {
  Bench bench;
  bench.create(held_by(a));
  const auto again = bench.create(held_by(b));
  CHECK(again.response.outcome == Outcome::already_exists);
  CHECK(again.response.code == 409);
  CHECK_FALSE(again.applied);
  CHECK(bench.revision() == 11);
  CHECK(bench.stored().spec.holder == a);
}

TEST_CASE("C3: a duration of 0 is invalid") {
  Bench bench;
  const auto refused = bench.create({.holder = a, .lease_duration_seconds = 0});
  CHECK(refused.response.outcome == Outcome::invalid);
  CHECK(refused.response.code == 422);
  CHECK(bench.revision() == 10);
  CHECK(bench.create({.holder = a, .lease_duration_seconds = -5}).response.code == 422);
}

TEST_CASE("C4: negative transitions are invalid, zero transitions are not") {
  Bench bench;
  CHECK(bench.create({.lease_transitions = -1}).response.code == 422);
  CHECK(bench.create({.lease_transitions = 0}).response.code == 201);
}

TEST_CASE("C5: a Lease without any field is legal") {
  Bench bench;
  CHECK(bench.create({}).response.code == 201);
}

TEST_CASE("C6: a preferred holder needs a strategy") {
  Bench bench;
  CHECK(bench.create({.preferred_holder = b}).response.code == 422);
  CHECK(bench.create({.preferred_holder = b, .strategy = Strategy::oldest_emulation_version})
            .response.code == 201);
}

TEST_CASE("C7: a strategy is the known one or a qualified name") {
  Bench bench;
  CHECK(bench.create({.strategy = Strategy::unsupported}).response.code == 422);
  CHECK(bench.create({.strategy = Strategy::first_qualified}).response.code == 201);
}

TEST_CASE("C8: times in the far past are accepted") {
  Bench bench;
  CHECK(bench.create({.renew_time = {0}}).response.code == 201);
  CHECK(bench.stored().spec.renew_time.present());
}

// Section 3.1, point 3.
TEST_CASE("a create that names a resourceVersion is answered 500") {
  Bench bench;
  const auto refused = bench.server.handle({Verb::create, lock, version(3, held_by(a))});
  CHECK(refused.response.outcome == Outcome::server_error);
  CHECK(refused.response.code == 500);
  CHECK(bench.revision() == 10);
}

// Section 3.1: validation comes before the look at the resourceVersion and at what is stored.
TEST_CASE("a create that is invalid and exists already is invalid") {
  Bench bench;
  bench.create(held_by(a));
  CHECK(bench.create({.lease_duration_seconds = 0}).response.code == 422);
}

TEST_CASE("U1: an update that names the stored version is applied") {
  Bench bench;
  bench.create(held_by(a));
  const auto updated = bench.put(version(11, renewed(a, 1)));
  CHECK(updated.response.code == 200);
  CHECK(updated.response.lease.resource_version == Revision{12});
  CHECK(updated.applied);
  CHECK(updated.existed);
  CHECK(updated.before.resource_version == Revision{11});
  CHECK(bench.stored().spec == renewed(a, 1));
}

TEST_CASE("U2: an update that names an older version is a conflict") {
  Bench bench;
  bench.create(held_by(a));
  bench.put(version(11, renewed(a, 1)));
  const auto stale = bench.put(version(11, held_by(b)));
  CHECK(stale.response.outcome == Outcome::conflict);
  CHECK(stale.response.code == 409);
  CHECK(bench.revision() == 12);
  CHECK(bench.stored().spec.holder == a);
}

TEST_CASE("U3: an update of a stored Lease must name a version") {
  Bench bench;
  bench.create(held_by(a));
  const auto refused = bench.put({.spec = renewed(a, 1)});
  CHECK(refused.response.outcome == Outcome::invalid);
  CHECK(bench.revision() == 11);
}

TEST_CASE("U4: an update that changes nothing is no write") {
  Bench bench;
  bench.create(held_by(a));
  bench.put(version(11, renewed(a, 1)));
  const auto same = bench.put(version(12, renewed(a, 1)));
  CHECK(same.response.code == 200);
  CHECK(same.response.lease.resource_version == Revision{12});
  CHECK_FALSE(same.applied);
  CHECK(bench.revision() == 12);
}

// Section 2: it still needs a matching version.
TEST_CASE("an update that changes nothing but names an older version is a conflict") {
  Bench bench;
  bench.create(held_by(a));
  bench.put(version(11, renewed(a, 1)));
  CHECK(bench.put(version(11, renewed(a, 1))).response.code == 409);
}

TEST_CASE("U5: an update without uid creates an absent Lease") {
  Bench bench;
  const auto created = bench.put({.spec = held_by(a)});
  CHECK(created.response.code == 201);
  CHECK(created.response.lease.resource_version == Revision{11});
  CHECK_FALSE(created.existed);
}

// Section 3.3, first row: system fields of the body are wiped.
TEST_CASE("an update that creates ignores the version that it names") {
  Bench bench;
  const auto created = bench.put(version(4, held_by(a)));
  CHECK(created.response.code == 201);
  CHECK(created.response.lease.resource_version == Revision{11});
}

TEST_CASE("an update that would create an invalid Lease is invalid") {
  Bench bench;
  CHECK(bench.put({.spec = {.lease_duration_seconds = 0}}).response.code == 422);
  CHECK(bench.server.find(lock) == nullptr);
}

TEST_CASE("U6: an update of a Lease that was deleted and created anew is a conflict") {
  Bench bench;
  const Lease first = bench.create(held_by(a)).response.lease;
  bench.remove();
  CHECK(bench.revision() == 12);
  const Lease second = bench.create(held_by(b)).response.lease;
  CHECK(second.resource_version == Revision{13});
  CHECK(second.uid != first.uid);
  CHECK(bench.put(first).response.outcome == Outcome::conflict);
  // The uid alone is enough.
  CHECK(bench.put(version(13, held_by(a), first.uid)).response.outcome == Outcome::conflict);
}

TEST_CASE("U7: an update of a deleted Lease is a conflict when it names a uid") {
  Bench bench;
  const Lease first = bench.create(held_by(a)).response.lease;
  bench.remove();
  CHECK(bench.put(first).response.outcome == Outcome::conflict);
  CHECK(bench.server.find(lock) == nullptr);
}

TEST_CASE("U8: of two updates with one version exactly the first is applied") {
  Bench bench;
  bench.create({});
  const Lease read_by_both = bench.get().response.lease;
  Lease of_a = read_by_both;
  of_a.spec = held_by(a);
  Lease of_b = read_by_both;
  of_b.spec = held_by(b);
  CHECK(bench.put(of_a).response.lease.resource_version == Revision{12});
  CHECK(bench.put(of_b).response.outcome == Outcome::conflict);
  CHECK(bench.stored().spec.holder == a);
}

// Section 3.3: a present object is validated after its version was compared.
TEST_CASE("an update that is stale and invalid is a conflict") {
  Bench bench;
  bench.create(held_by(a));
  CHECK(bench.put(version(9, {.lease_duration_seconds = 0})).response.code == 409);
  CHECK(bench.put(version(11, {.lease_duration_seconds = 0})).response.code == 422);
}

// Section 1.2: mutual exclusion is a convention among clients.
TEST_CASE("whoever names the stored version may overwrite an unexpired Lease") {
  Bench bench;
  bench.create(renewed(a, 1'000'000'000));
  CHECK(bench.put(version(11, held_by(b))).response.code == 200);
  CHECK(bench.stored().spec.holder == b);
}

TEST_CASE("D1: a delete with a uid that does not fit is a conflict") {
  Bench bench;
  const Lease lease = bench.create(held_by(a)).response.lease;
  CHECK(bench.remove(lease.uid + 1).response.outcome == Outcome::conflict);
  CHECK(bench.remove(0, Revision{9}).response.outcome == Outcome::conflict);
  CHECK(bench.revision() == 11);
  CHECK(bench.remove(lease.uid, Revision{11}).response.code == 200);
  CHECK(bench.revision() == 12);
}

TEST_CASE("D2: a delete of an absent Lease finds nothing") {
  Bench bench;
  CHECK(bench.remove().response.outcome == Outcome::not_found);
  CHECK(bench.remove().response.code == 404);
  CHECK(bench.revision() == 10);
}

// Section 3.2.
TEST_CASE("a read of an absent Lease finds nothing") {
  Bench bench;
  CHECK(bench.get().response.outcome == Outcome::not_found);
}

TEST_CASE("a read sees the last write that was acknowledged") {
  Bench bench;
  bench.create(held_by(a));
  bench.put(version(11, renewed(a, 1)));
  const auto read = bench.get();
  CHECK(read.response.code == 200);
  CHECK(read.response.lease.resource_version == Revision{12});
  CHECK_FALSE(read.applied);
}

// Section 5; in one server the crash lies between the commit and the answer, which is never read.
TEST_CASE("A1, A2, S3: a committed write whose answer is lost conflicts with its repetition") {
  Bench bench;
  bench.create(held_by(a));
  bench.put(version(11, renewed(a, 1)));
  CHECK(bench.put(version(11, renewed(a, 2))).response.outcome == Outcome::conflict);
  const Lease read = bench.get().response.lease;
  CHECK(read.resource_version == Revision{12});
  CHECK(read.spec == renewed(a, 1));
}

TEST_CASE("A3: a late update meets the version of whoever took over") {
  Bench bench;
  bench.create(held_by(a));
  const Lease late = version(11, renewed(a, 20'000'000));
  bench.put(version(11, held_by(b)));
  CHECK(bench.put(late).response.outcome == Outcome::conflict);
  CHECK(bench.stored().spec.holder == b);
}

TEST_CASE("revisions are counted over all keys") {
  Bench bench;
  bench.create(held_by(a));
  bench.server.handle({Verb::remove, other, {}});
  CHECK(bench.put(version(11, renewed(a, 1))).response.lease.resource_version == Revision{13});
}

// The properties that are checked, by the ids of the catalogue (specs: properties), and what a
// violation of one looks like.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include <tenure/base/time.hpp>
#include <tenure/record/fact.hpp>

namespace tenure::check {

enum class PropertyId : std::uint8_t {
  S1,  // one holder per revision
  S2,  // each write's base is its predecessor
  S3,  // a stale base is never applied
  S4,  // the holder changes only by the new holder's own write, or to nobody
  S5,  // a holder that did not release is replaced only when the writer's own rule calls it expired
  S6,  // leaseTransitions counts the changes of holder
  S7,  // renewTime of one holder never decreases
  S8,  // acquireTime is constant during a tenure, renewTime not before it
  B1,  // at most one incarnation believes
  B2,  // a believer has an applied write that names it
  V1,  // a believer is a live process
  L1,  // after the leader fails somebody leads again in time
  L4,  // after the last fault one and the same believer
};
inline constexpr std::size_t property_count = 13;

std::string_view to_text(PropertyId id);

// Several properties under one name: it holds when each of them does.
class PropertySet {
 public:
  constexpr PropertySet() = default;
  constexpr PropertySet(std::initializer_list<PropertyId> ids) {
    for (const PropertyId id : ids) bits_ |= bit(id);
  }
  constexpr void add(PropertyId id) { bits_ |= bit(id); }
  constexpr bool contains(PropertyId id) const { return (bits_ & bit(id)) != 0; }

 private:
  static constexpr std::uint32_t bit(PropertyId id) { return 1U << static_cast<unsigned>(id); }
  std::uint32_t bits_ = 0;
};

// The first violation of a property in a run.
struct Violation {
  PropertyId id = PropertyId::S1;
  TrueTime at{};
  record::Incarnation who{};    // the one that broke it, or the first of two
  record::Incarnation other{};  // the other one of two; nobody
  Duration length{};  // B1: of the overlap; L1: the time that was allowed; S5: the record's age
  std::int64_t found = 0;     // S*: the value that was written
  std::int64_t expected = 0;  // S*: the value that would have been right
};

// Counts of one property in one run.
struct Tally {
  std::uint32_t violations = 0;
  std::uint32_t premises = 0;  // how often it could have been violated; 0: not exercised
};

// How a property is to be read.
struct PropertyConfig {
  TrueTime warmup{};                                    // all but S1-S3 count from here
  record::Level belief_level = record::Level::context;  // B1, B2
  Duration failover_within = std::chrono::seconds{30};  // L1
  Duration stable_window = std::chrono::seconds{30};    // L4
};

// What the properties found in one run.
class Findings {
 public:
  void violated(const Violation& violation);
  void premise(PropertyId id) { ++tally_[index(id)].premises; }

  const Tally& tally(PropertyId id) const { return tally_[index(id)]; }
  const std::optional<Violation>& first(PropertyId id) const { return first_[index(id)]; }

  // The earliest violation of any of them; nothing: there was none.
  std::optional<Violation> first_of(PropertySet ids) const;

  // Whether the set could have been violated at all. beliefSafety needs a take-over, leaseRecord a
  // change of holder: that somebody led and renewed says nothing about them.
  bool exercised(PropertySet ids) const;

 private:
  static constexpr std::size_t index(PropertyId id) { return static_cast<std::size_t>(id); }

  std::array<Tally, property_count> tally_{};
  std::array<std::optional<Violation>, property_count> first_{};
};

}  // namespace tenure::check

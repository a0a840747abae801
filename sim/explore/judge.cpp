#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/explore/verdict.hpp>

namespace tenure::explore {
namespace {

using check::PropertyId;
using run::Finding;
using scenario::Property;

bool is_one_of(PropertyId id, std::initializer_list<PropertyId> ids) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// Judged step by step. V1 cannot fail here: a process that has ended is not asked what it believes.
bool is_judged_on_the_way(PropertyId id) {
  return is_one_of(
      id, {PropertyId::S1, PropertyId::S2, PropertyId::S3, PropertyId::B1, PropertyId::B2});
}

// How many processes a fault can end in a run; nothing: it is no crash, or has no limit.
std::optional<std::uint64_t> most_crashed(const scenario::Fault& fault, std::uint64_t processes) {
  using Role = scenario::Target::Role;
  if (!std::holds_alternative<scenario::Crash>(fault.kind)) return std::nullopt;
  const bool repeats = fault.at_any || fault.every;
  if (repeats && !fault.count) return std::nullopt;
  const bool hits_one = fault.target.role == Role::leader || fault.target.role == Role::candidate;
  return (repeats ? *fault.count : 1) * (hits_one ? 1 : processes);
}

// The premise of L1 is a candidate that is up, connected and answered in time from the failure on.
// That is sure where nothing but crashes happens, and fewer of them than there are processes: so
// many at most. Nothing: it is not sure.
std::optional<std::uint64_t> crashes_that_leave_somebody(const scenario::Scenario& scenario) {
  std::uint64_t processes = 0;
  for (const scenario::Candidates& group : scenario.candidates) processes += group.replicas;
  std::uint64_t crashed = 0;
  for (const scenario::Fault& fault : scenario.faults) {
    const auto most = most_crashed(fault, processes);
    if (!most || *most >= processes) return std::nullopt;
    crashed += *most;
  }
  if (crashed >= processes) return std::nullopt;
  return crashed;
}

// What the closed form lacks on a grid: its longest waits, R + 1.2 R, are rounded up, and there are
// two of them in a failover.
Duration rounding_of_waits(const scenario::Scenario& scenario, Duration tick) {
  Duration most{};
  for (const scenario::Candidates& group : scenario.candidates) {
    const Duration over = scaled(group.elector.retry_period, {22, 10}) % tick;
    if (over != Duration{0}) most = std::max(most, (tick - over) * 2);
  }
  return most;
}

// `found` is in the order of the search: the earliest first, and of those the one with the fewest
// steps.
const Found* first_found(const Exploration& explored, const std::vector<PropertyId>& ids) {
  const auto found = std::find_if(
      explored.found.begin(), explored.found.end(),
      [&](const Found& f) { return std::find(ids.begin(), ids.end(), f.property) != ids.end(); });
  return found == explored.found.end() ? nullptr : &*found;
}

Property named(std::string name, std::vector<PropertyId> ids) {
  Property property;
  property.name = std::move(name);
  property.ids = std::move(ids);
  return property;
}

class Judge {
 public:
  Judge(ExploreResult& result, const Exploration& explored, Duration failover_within)
      : result_(result), explored_(explored), failover_within_(failover_within) {}

  void properties() {
    for (const Property& property : listed()) {
      PropertyVerdict verdict = judged(property);
      verdict.finding = finding_of(property, verdict.verdict);
      verdict.counts = !(property.allow_vacuous && verdict.verdict == Verdict::not_exercised);
      verdict.where = property.origin.where;
      result_.properties.push_back(std::move(verdict));
    }
    together();
  }

 private:
  // leaseSafety is judged all the same, and told when it fails.
  std::vector<Property> listed() const {
    std::vector<Property> properties = listed_in(result_.scenario);
    const bool lists_it = std::any_of(properties.begin(), properties.end(),
                                      [](const Property& p) { return p.name == "leaseSafety"; });
    const Property lease_safety =
        named("leaseSafety", {PropertyId::S1, PropertyId::S2, PropertyId::S3});
    const bool fails = first_found(explored_, lease_safety.ids) != nullptr;
    if (fails && !lists_it) properties.push_back(lease_safety);
    return properties;
  }

  PropertyVerdict judged(const Property& property) const {
    PropertyVerdict verdict;
    verdict.name = property.name;
    if (const Found* found = first_found(explored_, property.ids)) {
      verdict.verdict = Verdict::violated;
      verdict.text =
          fmt::format("{} violated at {}, after {} steps", check::to_text(found->property),
                      time_of(found->tick), found->events);
      return verdict;
    }
    const bool on_the_way =
        std::all_of(property.ids.begin(), property.ids.end(), is_judged_on_the_way);
    const bool is_failover = property.ids.size() == 1 && property.ids.front() == PropertyId::L1;
    const auto crashes = crashes_that_leave_somebody(result_.scenario);
    if (!on_the_way && !(is_failover && crashes)) {
      verdict.verdict = Verdict::not_exercised;
      verdict.text = is_failover ? "judged where nothing but crashes happens, fewer than processes"
                                 : "not judged by an exploration";
      return verdict;
    }
    if (result_.ended != Ended::complete) {
      verdict.verdict = Verdict::inconclusive;
      verdict.text = result_.progress.tick == 0
                         ? "not even the first instant was searched to its end"
                         : fmt::format("no violation before {}", time_of(result_.progress.tick));
      return verdict;
    }
    if (is_failover) return failover(property, *crashes, std::move(verdict));
    const bool needs_takeover = std::any_of(property.ids.begin(), property.ids.end(),
                                            [](auto id) { return id == PropertyId::B1; });
    if (needs_takeover && result_.probes.takeovers == 0) {
      verdict.verdict = Verdict::not_exercised;
      verdict.text = "the Lease never changed hands";
      return verdict;
    }
    verdict.text = "holds in every run within these bounds";
    return verdict;
  }

  PropertyVerdict failover(const Property& property,
                           std::uint64_t crashes,
                           PropertyVerdict verdict) const {
    if (!result_.graph) {
      verdict.verdict = Verdict::inconclusive;
      verdict.text = "the graph of states is too large";
      return verdict;
    }
    const Stretch& gap = result_.graph->gap;
    const Duration rounding =
        property.within ? Duration{0} : rounding_of_waits(result_.scenario, result_.tick);
    const Duration within = longer(failover_within_, rounding);
    if (gap.ticks == 0 && !gap.unbounded) {
      verdict.verdict = Verdict::not_exercised;
      verdict.text = "nobody who led ever failed";
      return verdict;
    }
    const bool is_late =
        gap.unbounded || result_.tick * static_cast<std::int64_t>(gap.ticks) > within;
    verdict.verdict = is_late ? Verdict::violated : Verdict::holds;
    verdict.text = fmt::format("within {}: at worst {}", seconds_text(within),
                               gap.unbounded ? "for ever" : time_of(gap.ticks));
    // Who leads and crashes before time passes ends a failover and begins another; the graph, which
    // looks at states when time passes, sees one gap.
    if (is_late && crashes > 1) {
      verdict.verdict = Verdict::inconclusive;
      verdict.text += ", which can be several failovers in a row";
    }
    return verdict;
  }

  static Finding finding_of(const Property& property, Verdict verdict) {
    using Expect = Property::Expect;
    if (verdict == Verdict::inconclusive) return Finding::inconclusive;
    if (verdict == Verdict::not_exercised) return Finding::not_exercised;
    const bool is_violated = verdict == Verdict::violated;
    if (property.expect == Expect::any) return Finding::ok;
    if (property.expect == Expect::violated) return is_violated ? Finding::xfail : Finding::xpass;
    return is_violated ? Finding::fail : Finding::ok;
  }

  void together() {
    const auto any = [&](Verdict verdict) {
      return std::any_of(result_.properties.begin(), result_.properties.end(),
                         [&](const auto& p) { return p.counts && p.verdict == verdict; });
    };
    if (any(Verdict::violated))
      result_.verdict = Verdict::violated;
    else if (any(Verdict::inconclusive))
      result_.verdict = Verdict::inconclusive;
    else if (any(Verdict::not_exercised))
      result_.verdict = Verdict::not_exercised;
    bool failed = false;
    bool open = false;
    for (const PropertyVerdict& property : result_.properties) {
      failed = failed || property.finding == Finding::fail || property.finding == Finding::xpass;
      open = open || (property.counts && (property.finding == Finding::inconclusive ||
                                          property.finding == Finding::not_exercised));
    }
    if (failed)
      result_.passes = run::Verdict::fail;
    else if (open)
      result_.passes = run::Verdict::inconclusive;
  }

  std::string time_of(std::uint64_t ticks) const {
    return seconds_text(result_.tick * static_cast<std::int64_t>(ticks));
  }

  ExploreResult& result_;
  const Exploration& explored_;
  Duration failover_within_;
};

}  // namespace

std::vector<Property> listed_in(const scenario::Scenario& scenario) {
  if (!scenario.properties.empty()) return scenario.properties;
  return {named("beliefSafety", {PropertyId::B1, PropertyId::B2})};
}

void judge(ExploreResult& result, const Exploration& explored, Duration failover_within) {
  Judge{result, explored, failover_within}.properties();
}

}  // namespace tenure::explore

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/base/variant.hpp>
#include <tenure/scenario/grid.hpp>

namespace tenure::scenario {
namespace {

bool is_client_go(const Candidates& group) {
  return group.elector.type == Elector::Type::client_go;
}

std::string range_text(Duration low, Duration high) {
  if (low == high) return duration_text(low);
  return fmt::format("{} .. {}", duration_text(low), duration_text(high));
}

// A step tries all values of its ranges, so more than this take for ever; and before the first step
// there is one beginning for each combination of what is drawn at the start.
constexpr std::int64_t most_values = 1000;
constexpr std::int64_t most_beginnings = 1'000'000;

// A state keeps a bit for each process in a word.
constexpr std::uint32_t most_processes = 32;

class Rounder {
 public:
  Rounder(OnGrid& to, Duration tick) : to_(to), tick_(tick) {}

  void scenario() {
    Scenario& s = to_.scenario;
    compares_walls_ = !std::all_of(s.candidates.begin(), s.candidates.end(), is_client_go);
    latency(s.cluster.latency);
    for (std::size_t i = 0; i < s.candidates.size(); ++i) {
      candidates(s.candidates[i], fmt::format("spec.candidates.{}", i));
    }
    for (std::size_t i = 0; i < s.faults.size(); ++i) {
      fault(s.faults[i], fmt::format("spec.faults.{}", i));
    }
    if (processes_ > most_processes) {
      problem("spec.candidates", fmt::format("are {} processes", processes_),
              fmt::format("an exploration takes up to {}, and ends in time with two or three",
                          most_processes));
    }
    if (beginnings_ > most_beginnings) {
      problem("spec.candidates",
              "and faults can begin in more than a million ways, which all are tried",
              "draw less at the start: start: 0s, a fixed clock offset, faults at: any");
    }
  }

 private:
  void candidates(Candidates& group, const std::string& at) {
    Elector& elector = group.elector;
    multiple(elector.lease_duration, at + ".elector.leaseDuration");
    multiple(elector.retry_period, at + ".elector.retryPeriod");
    if (is_client_go(group)) multiple(elector.renew_deadline, at + ".elector.renewDeadline");
    if (!is_client_go(group)) multiple(elector.leader_sleep, at + ".elector.leaderSleep");
    if (elector.request_timeout) multiple(*elector.request_timeout, at + ".elector.requestTimeout");
    multiple(group.shutdown.grace_period, at + ".shutdown.gracePeriod");
    if (is_client_go(group)) {
      few_values(scaled(elector.retry_period, {6, 5}), at + ".elector.retryPeriod");
    }
    processes_ += group.replicas;
    range(group.start, at + ".start");
    for (std::uint32_t i = 0; i < group.replicas; ++i) begins_with(group.start);
    range(group.restart.delay, at + ".restart.delay");
    range(group.shutdown.on_stopped_leading, at + ".shutdown.onStoppedLeading");
    clock(group, at + ".clock");
  }

  // Of wall clocks client-go compares nothing; a naive loop compares its own with what all others
  // have written.
  void clock(Candidates& group, const std::string& at) {
    Clock& clock = group.clock;
    const Duration least = clock.gain_per_second.base + clock.gain_per_second.over.lower_bound();
    const Duration above = clock.gain_per_second.over.upper_bound();
    if (above == longest_duration) return unbounded(at + ".rate");
    const Duration most = clock.gain_per_second.base + above;
    const bool drifts = least != Duration{0} || most != Duration{0};
    constexpr std::int64_t second = Duration{std::chrono::seconds{1}}.count();
    const Ratio fastest{second, second + most.count()};
    if (is_client_go(group) && drifts && scaled(group.elector.retry_period, fastest) < tick_) {
      return problem(at + ".rate",
                     "lets the retry period be over in less than a tick, so that attempts could "
                     "follow each other in one instant without end",
                     "choose a shorter tick");
    }
    if (least != most && is_client_go(group)) {
      rounding(at + ".rate", "one rate of a range for each process", "any rate of it at any time");
    }
    if (compares_walls_ && drifts) {
      return problem(at + ".rate",
                     "lets wall clocks drift apart without end, and a naive-loop compares them",
                     "explore an offset of the wall clock instead");
    }
    const bool is_set = clock.offset != Clock{}.offset;
    if (!compares_walls_) {
      if (is_set)
        rounding(at + ".offset", "the offset of the wall clock", "not looked at by client-go");
      clock.offset = {};
      return;
    }
    const Duration low = floor(clock.offset.base + clock.offset.over.lower_bound());
    const Duration up = clock.offset.over.upper_bound();
    if (is_too_long(up)) return unbounded(at + ".offset");
    const Duration high = ceil(clock.offset.base + up);
    few_values(high - low, at + ".offset");
    clock.offset.base = low;
    clock.offset.over = Distribution::on_grid(Duration{0}, high - low, tick_);
    for (std::uint32_t i = 0; i < group.replicas; ++i) begins_with(clock.offset.over);
  }

  void fault(Fault& fault, const std::string& at) {
    if (!fault.at_any) {
      range(fault.at, at + ".at");
      begins_with(fault.at);
    }
    if (fault.duration) range(*fault.duration, at + ".duration");
    if (fault.every) range(*fault.every, at + ".every");
    maybe(fault.probability, at + ".probability");
    std::visit(
        overloaded{[&](Crash& crash) {
                     if (crash.restart_delay) range(*crash.restart_delay, at + ".restartDelay");
                   },
                   [&](Terminate& terminate) {
                     if (terminate.grace_period)
                       multiple(*terminate.grace_period, at + ".gracePeriod");
                   },
                   [&](Delay& delay) { spread(delay, at); },
                   [&](Loss& loss) { maybe(loss.fraction, at + ".fraction"); }, [](auto&) {}},
        fault.kind);
    const bool each_message = std::holds_alternative<Loss>(fault.kind) && fault.at_any;
    const bool by_role = fault.target.role == Target::Role::leader ||
                         fault.target.role == Target::Role::followers ||
                         fault.target.role == Target::Role::believers;
    if (each_message && !fault.duration && by_role) {
      problem(at + ".target", "is resolved when the loss begins, which is before anybody leads",
              "name a candidate, or all");
    }
  }

  // A jitter is a draw of nanoseconds. The latency takes its place, wider by it on both sides.
  void spread(Delay& delay, const std::string& at) {
    const Duration high = longer(delay.latency.upper_bound(), delay.jitter);
    if (delay.jitter != Duration{0} && !is_too_long(high)) {
      const Duration low = delay.latency.lower_bound() - delay.jitter;
      const Distribution wide =
          Distribution::on_grid(floor(std::max(low, Duration{0})), ceil(high), tick_);
      few_values(wide.upper_bound() - wide.lower_bound(), at + ".jitter");
      rounding(at + ".jitter", duration_text(delay.jitter) + " more or less",
               "a latency of " + range_text(wide.lower_bound(), wide.upper_bound()));
      delay.latency = wide;
      delay.jitter = Duration{0};
      return;
    }
    range(delay.latency, at + ".latency");
  }

  // Something that may happen or not: how likely it is does not matter.
  void maybe(Ratio& share, const std::string& at) {
    if (share.numerator >= share.denominator) return;
    if (share.numerator == 0) {
      share = {0, 1};
      return;
    }
    if (share != Ratio{1, 2}) rounding(at, "a share", "may happen or not");
    share = {1, 2};
  }

  void latency(Latency& latency) {
    if (auto* way = std::get_if<OneWay>(&latency)) {
      range(way->request, "spec.cluster.latency.request");
      range(way->response, "spec.cluster.latency.response");
      return;
    }
    const auto& trip = std::get<RoundTrip>(latency);
    const Duration low = std::min(trip.read.lower_bound(), trip.write.lower_bound());
    const Duration high = std::max(trip.read.upper_bound(), trip.write.upper_bound());
    if (is_too_long(high)) return unbounded("spec.cluster.latency");
    const Distribution each = Distribution::on_grid(floor(low / 2), ceil(high - high / 2), tick_);
    few_values(each.upper_bound() - each.lower_bound(), "spec.cluster.latency");
    if (high != Duration{0}) {
      rounding("spec.cluster.latency", range_text(low, high) + " there and back",
               range_text(each.lower_bound(), each.upper_bound()) + " each way");
    }
    latency = OneWay{each, each};
  }

  void range(Distribution& of, const std::string& at) {
    const Duration low = of.lower_bound();
    const Duration high = of.upper_bound();
    if (is_too_long(high)) return unbounded(at);
    const Duration from = floor(low);
    const Duration to = ceil(high);
    few_values(to - from, at);
    const bool is_range =
        of.kind == Distribution::Kind::constant || of.kind == Distribution::Kind::uniform;
    if (from != low || to != high || !is_range) {
      rounding(at, range_text(low, high), range_text(from, to));
    }
    of = Distribution::on_grid(from, to, tick_);
  }

  void multiple(Duration of, const std::string& at) {
    if (of % tick_ == Duration{0}) return;
    problem(
        at,
        fmt::format("is {}, no multiple of the tick {}", duration_text(of), duration_text(tick_)),
        "an exploration counts time in ticks: choose one that divides it");
  }

  void few_values(Duration width, const std::string& at) {
    if (width / tick_ < most_values) return;
    problem(at,
            fmt::format("has {} values on a tick of {}, and an exploration tries them all",
                        width / tick_ + 1, duration_text(tick_)),
            fmt::format("choose a longer tick or a shorter range, for at most {}", most_values));
  }

  void begins_with(const Distribution& drawn) {
    const std::int64_t values = (drawn.upper_bound() - drawn.lower_bound()) / tick_ + 1;
    if (values <= most_values && beginnings_ <= most_beginnings) beginnings_ *= values;
  }

  // Where ticks end: so long that it cannot be rounded up.
  bool is_too_long(Duration of) const { return of > longest_duration - tick_; }

  void unbounded(const std::string& at) {
    problem(at, "has no largest value, and an exploration tries them all",
            "give a range: {uniform: [0s, 1s]}");
  }

  void rounding(const std::string& field, std::string from, std::string to) {
    to_.roundings.push_back({field, std::move(from), std::move(to)});
  }
  void problem(const std::string& field, std::string what, std::string right) {
    to_.problems.push_back({field, std::move(what), std::move(right)});
  }

  Duration floor(Duration of) const {
    const Duration over = of % tick_;
    return of - (over < Duration{0} ? over + tick_ : over);
  }
  Duration ceil(Duration of) const {
    const Duration below = floor(of);
    return below == of ? of : below + tick_;
  }

  OnGrid& to_;
  Duration tick_;
  bool compares_walls_ = false;  // some elector
  std::uint32_t processes_ = 0;
  std::int64_t beginnings_ = 1;
};

// A loss at any instant that has no length: each message by itself may be lost.
void lose_single_messages(fault::Fault& fault) {
  if (fault.type != fault::Type::loss || !fault.at_any || fault.duration) return;
  fault.at_any = false;
  fault.at = Distribution::constant(Duration{0});
  fault.fraction = {1, 2};
  fault.most_lost = std::exchange(fault.count, std::nullopt);
}

// A range of rates cannot be counted in ticks; what it makes of a delay can, rounded outward.
void drift_at_will(world::Candidate& candidate) {
  Shifted& gain = candidate.clock_gain;
  const Duration least = gain.base + gain.over.lower_bound();
  const Duration most = gain.base + gain.over.upper_bound();
  if (least == most) return;
  candidate.drift = world::Drift{least, most};
  gain = {};
}

NodePointer child_of(const Node& node, std::string_view step) {
  if (node.kind == Node::Kind::map) {
    const Entry* entry = node.find(step);
    return entry == nullptr ? nullptr : entry->value;
  }
  if (node.kind != Node::Kind::list) return nullptr;
  const auto index = parse_whole(step);
  const bool is_there =
      index && *index >= 0 && static_cast<std::size_t>(*index) < node.items.size();
  return is_there ? node.items[static_cast<std::size_t>(*index)] : nullptr;
}

}  // namespace

OnGrid on_grid(Scenario scenario, Duration tick) {
  OnGrid made;
  made.scenario = std::move(scenario);
  Rounder{made, tick}.scenario();
  return made;
}

Built build_on_grid(const Scenario& scenario, Duration tick) {
  Built built = build_in_continuous_time(scenario);
  auto setup = std::make_shared<world::Setup>(*built.setup);
  setup->grid = world::Grid{tick};
  for (fault::Fault& fault : setup->faults) lose_single_messages(fault);
  for (world::Candidate& candidate : setup->candidates) drift_at_will(candidate);
  built.setup = std::move(setup);
  return built;
}

Diagnostic off_grid(const Document& document, const OffGrid& problem) {
  Diagnostic error = document.source->diagnostic(Diagnostic::Level::error, "E0330",
                                                 place_of(document, problem.field),
                                                 fmt::format("{} {}", problem.field, problem.what));
  error.hints.push_back(problem.right);
  return error;
}

void report_off_grid(const Document& document,
                     const std::vector<OffGrid>& problems,
                     Diagnostics& diagnostics) {
  for (const OffGrid& problem : problems) diagnostics.add(off_grid(document, problem));
}

Position place_of(const Document& document, std::string_view path) {
  const Node* node = document.root.get();
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    const NodePointer child = child_of(*node, path.substr(0, dot));
    if (child == nullptr) break;
    node = child.get();
    path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
  }
  return node->where;
}

}  // namespace tenure::scenario

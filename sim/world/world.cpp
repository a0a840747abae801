#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <tenure/world/world.hpp>

#include "turn.hpp"

namespace tenure::world {
namespace {

kernel::NodeClock draw_clock(const Candidate& candidate,
                             const ProcessSetup& process,
                             Oracle& oracle) {
  kernel::NodeClock clock;
  clock.wall = epoch + sample(candidate.clock_offset, oracle, {process.streams.clock_offset, 0});
  clock.rate.local_per_true_second +=
      sample(candidate.clock_gain, oracle, {process.streams.clock_rate, 0}).count();
  return clock;
}

void post_faults(World& world, Oracle& oracle) {
  for (std::uint32_t i = 0; i < world.faults.size(); ++i) {
    const fault::Fault& fault = world.setup->faults[i];
    world.faults[i].happens =
        draw_share(oracle, {world.setup->fault_streams[i].probability, 0}, fault.probability);
    if (!world.faults[i].happens || fault.at_any) continue;
    world.agenda.post(first_begin(*world.setup, oracle, FaultId{i}), FaultBegins{FaultId{i}, 0},
                      kernel::Precedence::fault);
  }
}

// What the streams of a process are called: what stands before and behind its name.
struct StreamForm {
  std::string_view before;
  std::string_view behind;
  Stream ProcessSetup::Streams::*stream;

  std::string name_of(const std::string& process) const {
    return fmt::format("{}{}{}", before, process, behind);
  }
};

using Streams = ProcessSetup::Streams;
constexpr std::array<StreamForm, 12> process_stream_forms = {{
    {"process/", "/start", &Streams::start},
    {"process/", "/jitter", &Streams::jitter},
    {"process/", "/restart", &Streams::restart},
    {"process/", "/order", &Streams::order},
    {"process/", "/tie", &Streams::tie},
    {"process/", "/onStoppedLeading", &Streams::callback},
    {"process/", "/clock/offset", &Streams::clock_offset},
    {"process/", "/clock/rate", &Streams::clock_rate},
    {"link/", ">apiserver/latency", &Streams::request_latency},
    {"link/apiserver>", "/latency", &Streams::response_latency},
    {"link/", ">apiserver/loss", &Streams::request_loss},
    {"link/apiserver>", "/loss", &Streams::response_loss},
}};

}  // namespace

World make_world(std::shared_ptr<const Setup> setup) {
  World world;
  world.setup = std::move(setup);
  world.processes.resize(world.setup->processes.size());
  world.links.resize(world.processes.size());
  world.faults.resize(world.setup->faults.size());
  for (std::size_t i = 0; i < world.processes.size(); ++i) {
    world.processes[i].node = world.setup->processes[i].node;
    // A variant compares equal only with its own alternative, so that the kind is fixed from the
    // start.
    world.processes[i].elector = elect::make_elector(
        world.setup->candidate_of(ProcessId{static_cast<std::uint32_t>(i)}).elector, {});
  }
  return world;
}

void begin_run(World& world, Oracle& oracle) {
  const Setup& setup = *world.setup;
  post_faults(world, oracle);
  for (std::uint32_t i = 0; i < world.processes.size(); ++i) {
    const ProcessSetup& process = setup.processes[i];
    const Candidate& candidate = setup.candidates[process.candidate];
    world.processes[i].clock = draw_clock(candidate, process, oracle);
    world.agenda.post(TrueTime{sample(candidate.start, oracle, {process.streams.start, 0})},
                      ProcessStarts{ProcessId{i}});
  }
}

ProcessSetup::Streams process_streams(const std::string& process) {
  ProcessSetup::Streams streams;
  for (const StreamForm& form : process_stream_forms) {
    streams.*form.stream = stream_named(form.name_of(process));
  }
  return streams;
}

std::vector<std::string> process_stream_names(const std::string& process) {
  std::vector<std::string> names;
  for (const StreamForm& form : process_stream_forms) names.push_back(form.name_of(process));
  return names;
}

std::vector<std::pair<std::string, Stream>> named_streams(const Setup& setup) {
  std::vector<std::pair<std::string, Stream>> all;
  const auto add = [&](const std::vector<std::string>& names) {
    for (const std::string& name : names) all.emplace_back(name, stream_named(name));
  };
  for (const ProcessSetup& process : setup.processes) add(process_stream_names(process.name));
  for (const fault::Fault& fault : setup.faults) add(fault.stream_names());
  if (setup.grid) all.emplace_back("run/order", setup.grid->order);
  return all;
}

Duration longest_lease(const Setup& setup) {
  Duration longest{};
  for (const Candidate& candidate : setup.candidates) {
    longest = std::max(
        longest, std::visit([](const auto& c) { return c.lease_duration; }, candidate.elector));
  }
  return longest;
}

Duration tie_width(const Setup& setup, const Candidate& candidate) {
  if (candidate.drift) {
    constexpr std::int64_t second = Duration{std::chrono::seconds{1}}.count();
    const Duration off = std::max(candidate.drift->most, -candidate.drift->least);
    return longer(scaled(longest_lease(setup), {off.count(), second}), Duration{1});
  }
  const Duration gain = candidate.clock_gain.base + candidate.clock_gain.over.low;
  if (gain == Duration{0}) return Duration{0};
  const std::int64_t rate = kernel::ClockRate::perfect + gain.count();
  return scaled(setup.grid->tick, {rate, kernel::ClockRate::perfect});
}

std::string to_text(const Setup& setup, Identity identity) {
  if (identity.empty()) return "";
  const std::string& name = setup.identities[identity.name - 1];
  return identity.incarnation == 0 ? name : fmt::format("{}.{}", name, identity.incarnation + 1);
}

}  // namespace tenure::world

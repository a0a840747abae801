#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <tenure/base/text.hpp>
#include <tenure/report/advise.hpp>
#include <tenure/run/confirm.hpp>
#include <tenure/scenario/advise.hpp>

#include "app.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace tenure::cli {
namespace {

using scenario::Need;
using scenario::Setting;
using scenario::Terms;

constexpr std::size_t shown_settings = 5;

struct AdviseFlags {
  std::string file;
  std::string preset;
  std::string current;
  std::array<std::string, scenario::need_kinds> needs;  // by Need::Kind; empty: not given
  std::optional<std::uint32_t> candidates;
  std::string request_timeout, latency;
  bool no_fast_path = false;
};

// A setting that is to be judged, and what is given beside it.
struct Task {
  std::vector<Need> needs;
  Terms terms;
  std::optional<Setting> current;
};

bool read_needs(const AdviseFlags& flags, Task& task) {
  for (std::size_t i = 0; i < flags.needs.size(); ++i) {
    if (flags.needs[i].empty()) continue;
    const auto kind = static_cast<Need::Kind>(i);
    scenario::NeedProblem problem;
    const auto need = scenario::parse_need(kind, flags.needs[i], problem);
    if (!need) {
      usage_error("E0004", fmt::format("--{} {}", scenario::flag_of(kind), problem.text),
                  problem.hints);
      return false;
    }
    task.needs.push_back(*need);
  }
  return true;
}

std::optional<Setting> parse_setting(const std::string& text) {
  std::array<Duration, 3> parts{};
  std::size_t from = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_last = i + 1 == parts.size();
    const std::size_t slash = is_last ? text.size() : text.find('/', from);
    if (slash == std::string::npos) return std::nullopt;
    const ParsedDuration parsed = parse_duration(std::string_view{text}.substr(from, slash - from));
    if (parsed.fault != ParsedDuration::Fault::none || parsed.value < Duration::zero())
      return std::nullopt;
    parts[i] = parsed.value;
    from = slash + 1;
  }
  return Setting{parts[0], parts[1], parts[2]};
}

// The code under which a scenario file is refused for the same reason.
std::string code_of(const Setting& setting) {
  if (setting.lease_duration <= setting.renew_deadline) return "E0301";
  if (setting.renew_deadline <= scaled(setting.retry_period, {6, 5})) return "E0302";
  return setting.retry_period <= Duration::zero() ? "E0305" : "E0004";
}

// Runs and sums of what is longer or shorter would not end.
bool is_within_limits(const Task& task) {
  if (task.terms.latency > scenario::longest_lease) {
    usage_error("E0004", fmt::format("a latency of {}", seconds_text(task.terms.latency)),
                {"at most 24h"});
    return false;
  }
  if (!task.current) return true;
  if (task.current->lease_duration > scenario::longest_lease ||
      task.current->retry_period < std::chrono::milliseconds{1}) {
    usage_error("E0004", fmt::format("{}: too long or too short", scenario::to_text(*task.current)),
                {"leaseDuration up to 24h, retryPeriod from 1ms on"});
    return false;
  }
  return true;
}

bool is_accepted(const Setting& setting, const Terms& terms) {
  const auto bounds = scenario::bounds_of(scenario::bounds_input(setting, terms, false));
  if (bounds.refusal.empty()) return true;
  usage_error(code_of(setting), fmt::format("{}: {}", scenario::to_text(setting), bounds.refusal));
  return false;
}

// The setting of --current, of a file or of a preset.
bool read_current(const AdviseFlags& flags, const CommonFlags& common, Task& task) {
  if (!flags.current.empty() && !(flags.file.empty() && flags.preset.empty())) {
    usage_error("E0004", "--current is given, and a scenario or --preset; one of them is judged");
    return false;
  }
  if (!flags.current.empty()) {
    task.current = parse_setting(flags.current);
    if (task.current) return true;
    usage_error("E0004",
                fmt::format("--current {} is not a setting", tenure::quoted(flags.current)),
                {"leaseDuration/renewDeadline/retryPeriod: 15s/10s/2s"});
    return false;
  }
  if (flags.file.empty() && flags.preset.empty()) return true;
  const auto in = numbers_of(flags.file, flags.preset, "advise", common);
  if (!in) return false;
  task.current = Setting{in->lease_duration, in->renew_deadline, in->retry_period};
  task.terms.candidates = in->candidates;
  task.terms.request_timeout = in->request_timeout;
  task.terms.release_on_cancel = in->release_on_cancel;
  task.terms.latency = in->latency;
  task.terms.fast_path = in->fast_path;
  return true;
}

void read_terms(const AdviseFlags& flags, Terms& terms) {
  if (flags.candidates) terms.candidates = *flags.candidates;
  if (flags.request_timeout == "none") {
    terms.request_timeout = Duration{};
  } else if (!flags.request_timeout.empty()) {
    terms.request_timeout = parse_duration(flags.request_timeout).value;
  }
  if (!flags.latency.empty()) terms.latency = parse_duration(flags.latency).value;
  if (flags.no_fast_path) terms.fast_path = false;
}

bool has(const std::vector<Need>& needs, Need::Kind kind) {
  for (const Need& need : needs) {
    if (need.kind == kind) return true;
  }
  return false;
}

// Without one of them the cheapest setting would be the slowest there is.
bool is_bounded(const Task& task) {
  if (task.needs.empty()) {
    usage_error(
        "E0005", "a need is missing",
        {"for example: --failover 'p(99) < 40s'", "what can be needed: tenure explain advise"});
    return false;
  }
  const bool bounded = task.current || has(task.needs, Need::Kind::failover) ||
                       has(task.needs, Need::Kind::handover);
  if (!bounded) {
    usage_error("E0005", "--failover is missing: nothing says when the next leader must be there",
                {"or --handover; or --current L/D/R, to judge a setting"});
  }
  return bounded;
}

std::optional<Task> task_of(const AdviseFlags& flags, const CommonFlags& common) {
  Task task;
  if (!read_needs(flags, task) || !read_current(flags, common, task)) return std::nullopt;
  read_terms(flags, task.terms);
  if (task.terms.candidates < 2) {
    usage_error("E0004", "a single candidate: nobody takes over", {"--candidates 2, or more"});
    return std::nullopt;
  }
  if (!is_bounded(task)) return std::nullopt;
  if (task.current && !is_accepted(*task.current, task.terms)) return std::nullopt;
  if (!is_within_limits(task)) return std::nullopt;
  if (!has(task.needs, Need::Kind::margin))
    task.needs.push_back(scenario::standing_margin(task.terms.latency));
  return task;
}

run::AdviseResult proven(const Task& task) {
  run::AdviseResult result;
  result.terms = task.terms;
  result.needs = task.needs;
  result.judges = task.current.has_value();
  const auto judged = [&](const Setting& setting) {
    return run::judged_setting(setting, task.needs, task.terms);
  };
  if (task.current) {
    result.settings.push_back(judged(*task.current));
    return result;
  }
  for (const scenario::Advised& each : scenario::advise(task.needs, task.terms, shown_settings)) {
    result.settings.push_back(judged(each.setting));
    result.settings.back().ladder = each.ladder;
  }
  if (result.settings.empty()) result.conflict = scenario::conflict_of(task.needs, task.terms);
  return result;
}

ExitCode code_of(const run::AdviseResult& result) {
  using Answer = run::AdviseResult::Answer;
  if (result.interrupted) return interruption();
  switch (run::answer_of(result)) {
    case Answer::met:
      return ExitCode::ok;
    case Answer::not_met:
    case Answer::conflict:
      return ExitCode::failed;
    case Answer::inconclusive:
      return ExitCode::inconclusive;
  }
  return ExitCode::bug;
}

ExitCode advise(const AdviseFlags& flags, const CommonFlags& common) {
  const auto writes = write_requests(common, {"json"});
  if (!writes) return ExitCode::bad_input;
  const auto task = task_of(flags, common);
  if (!task) return ExitCode::bad_input;
  run::AdviseResult result = proven(*task);
  run::ConfirmOptions options;
  options.runs = common.runs;
  options.seed = result.seed = common.seed.value_or(1);
  options.threads = threads_of(common);
  options.stop = &stop_requested;
  Progress progress{common, "advise", 1};
  for (run::JudgedSetting& setting : result.settings) {
    progress.on([&] { return "simulating " + scenario::to_text(setting.setting); });
    run::confirm(setting, task->terms, options);
  }
  progress.finish();
  result.interrupted = stop_requested.load();
  bool to_stdout = true;
  ExitCode code = code_of(result);
  for (const WriteRequest& request : *writes) {
    to_stdout = to_stdout && request.path != "-";
    OutputFile file{request.path};
    report::write_advise_json(result, [&](std::string_view text) { file.write(text); });
    if (!file.commit("the advice as JSON")) code = worse(code, ExitCode::no_output);
  }
  if (!to_stdout) return code;
  const auto print = [](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  };
  if (common.output == "json") {
    report::write_advise_json(result, print);
  } else {
    const auto colour = colour_on(common, STDOUT_FILENO) ? report::Colour::yes : report::Colour::no;
    print(report::advice_text(result, colour));
  }
  return code;
}

}  // namespace

void add_advise(CLI::App& app, Session& session) {
  auto flags = std::make_shared<AdviseFlags>();
  CLI::App* verb = app.add_subcommand(
      "advise", "durations that meet stated needs, or the needs that cannot hold together");
  add_common_flags(*verb, session);
  const auto need = [&](Need::Kind kind, const std::string& type, const std::string& what) {
    verb->add_option("--" + std::string{scenario::flag_of(kind)},
                     flags->needs[static_cast<std::size_t>(kind)], what)
        ->type_name(type);
  };
  verb->add_option("FILE", flags->file, "a scenario whose setting is judged")->type_name("");
  need(Need::Kind::failover, "BOUND", "crash to next leader: 'p(99) < 40s', 'max < 1m'");
  need(Need::Kind::outage, "T[:refused|hanging]", "an API outage that the leader survives");
  need(Need::Kind::pause, "T[:healthy|cut]", "a pause of the leader that never makes two");
  need(Need::Kind::clock_ratio, "X", "how much faster a rival's clock may run: 1.1");
  need(Need::Kind::requests, "N/s", "API requests of all candidates together");
  need(Need::Kind::handover, "T", "SIGTERM to next leader at most, with releaseOnCancel");
  need(Need::Kind::margin, "T[:refused|hanging]", "leaseDuration - renewDeadline - retryPeriod");
  verb->add_option("--current", flags->current, "judge this setting: 15s/10s/2s")
      ->type_name("L/D/R");
  verb->add_option("--preset", flags->preset, "judge the setting of this component")
      ->type_name("NAME");
  verb->add_option("--candidates", flags->candidates, "processes that compete (3)")
      ->transform(whole_number(2, 10'000))
      ->type_name("N");
  verb->add_option("--request-timeout", flags->request_timeout,
                   "time limit of one request, or none (max(1s, renewDeadline/2))")
      ->check(duration_value({"none"}))
      ->type_name("DURATION");
  verb->add_option("--latency", flags->latency, "the round trip of every request (0s)")
      ->check(duration_value())
      ->type_name("DURATION");
  verb->add_flag("--no-fast-path", flags->no_fast_path,
                 "client-go up to v0.29, which reads the Lease before each renewal");
  verb->callback([flags, &session] {
    session.chosen = [flags, &session] { return advise(*flags, session.flags); };
  });
}

}  // namespace tenure::cli

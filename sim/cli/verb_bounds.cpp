#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/base/text.hpp>
#include <tenure/scenario/bounds.hpp>

#include "app.hpp"

namespace tenure::cli {
namespace {

using Json = nlohmann::ordered_json;

// Texts that were checked while the command line was read; empty: not given.
struct BoundsFlags {
  std::string file;
  std::string preset;
  std::string lease_duration, renew_deadline, retry_period, request_timeout, latency;
  std::optional<std::uint32_t> candidates;
  std::string release_on_cancel;
  bool no_fast_path = false;
  bool explain = false;
};

std::int64_t ns(Duration duration) {
  return std::chrono::nanoseconds{duration}.count();
}

Json range_json(const scenario::DurationRange& range) {
  return {{"minNs", ns(range.least)}, {"maxNs", ns(range.most)}};
}

double value_of(Ratio ratio) {
  return static_cast<double>(ratio.numerator) / static_cast<double>(ratio.denominator);
}

Json optional_ns(const std::optional<Duration>& duration) {
  return duration ? Json(ns(*duration)) : Json(nullptr);
}

Json timing_json(const scenario::Timing& t) {
  return {{"leaseDurationNs", ns(t.lease)},
          {"requestTimeoutNs", optional_ns(t.request_timeout)},
          {"unansweredNs", ns(t.unanswered)},
          {"followerPoll", range_json(t.poll)},
          {"crash", range_json(t.crash)},
          {"release", range_json(t.release)},
          {"coldStart", range_json(t.cold_start)},
          {"stepDown", range_json(t.step_down)},
          {"releaseHangNs", ns(t.release_hang)},
          {"marginNs", ns(t.margin)},
          {"lossyMarginNs", ns(t.lossy_margin)},
          {"clockRatio", value_of(t.clock_ratio)},
          {"harmlessPauseNs", ns(t.harmless_pause)},
          {"pauseOverlapNs", ns(t.pause_overlap)},
          {"outageFailingNs", ns(t.outage_failing)},
          {"outageHangingNs", ns(t.outage_hanging)},
          {"putsPerSecond", value_of(t.puts_per_second)},
          {"getsPerSecond", value_of(t.gets_per_second)}};
}

Json json_of(const scenario::Bounds& bounds) {
  const scenario::BoundsInput& in = bounds.input;
  Json json{{"apiVersion", "tenure/v1alpha1"}, {"kind", "Bounds"}};
  json["input"] = {{"leaseDurationNs", ns(in.lease_duration)},
                   {"renewDeadlineNs", ns(in.renew_deadline)},
                   {"retryPeriodNs", ns(in.retry_period)},
                   {"candidates", in.candidates},
                   {"releaseOnCancel", in.release_on_cancel.value_or(false)},
                   {"fastPath", in.fast_path},
                   {"latencyNs", ns(in.latency)}};
  json["valid"] = bounds.refusal.empty();
  if (!bounds.refusal.empty()) json["refusal"] = bounds.refusal;
  json["timing"] = bounds.timing ? timing_json(*bounds.timing) : Json(nullptr);
  return json;
}

// The numbers of a scenario; nothing if no closed form is known for it, which was printed.
std::optional<scenario::BoundsInput> input_of(const Loaded& loaded) {
  const auto in = scenario::bounds_input(loaded.scenario);
  if (!in) {
    usage_error("E0319",
                fmt::format("{}: no candidate has the elector client-go", visible(loaded.file)),
                {"closed forms are known for client-go alone; simulate: tenure run"});
  }
  return in;
}

std::optional<scenario::BoundsInput> input_of(const scenario::Preset& preset) {
  const auto in = scenario::bounds_input(preset);
  if (!in) {
    usage_error("E0319", fmt::format("--preset {} has the elector {}", preset.name, preset.elector),
                {"closed forms are known for client-go alone"});
  }
  return in;
}

// What the numbers come from before the flags change them.
std::optional<scenario::BoundsInput> base_of(const BoundsFlags& flags, const CommonFlags& common) {
  if (!flags.file.empty() && !flags.preset.empty()) {
    usage_error("E0004", "a scenario and --preset are given; the numbers come from one of them");
    return std::nullopt;
  }
  if (!flags.preset.empty()) {
    const scenario::Preset* preset = preset_of(flags.preset);
    return preset == nullptr ? std::nullopt : input_of(*preset);
  }
  if (flags.file.empty()) return scenario::BoundsInput{};
  const auto loaded = load_scenarios(flags.file, "bounds", common, Results::unpacked);
  if (!loaded) return std::nullopt;
  if (loaded->size() != 1) {
    usage_error("E0006", fmt::format("{} holds {} scenarios; bounds takes one", visible(flags.file),
                                     loaded->size()));
    return std::nullopt;
  }
  return input_of(loaded->front());
}

bool replace(Duration& out, const std::string& text) {
  if (text.empty()) return false;
  out = parse_duration(text).value;
  return true;
}

void apply(const BoundsFlags& flags, scenario::BoundsInput& in) {
  const bool changed = static_cast<int>(replace(in.lease_duration, flags.lease_duration)) +
                           static_cast<int>(replace(in.renew_deadline, flags.renew_deadline)) +
                           static_cast<int>(replace(in.retry_period, flags.retry_period)) >
                       0;
  // These are no longer the numbers of the preset.
  if (changed) in.preset = {};
  replace(in.latency, flags.latency);
  if (flags.candidates) in.candidates = *flags.candidates;
  if (!flags.release_on_cancel.empty()) in.release_on_cancel = flags.release_on_cancel == "true";
  if (flags.no_fast_path) in.fast_path = false;
  if (flags.request_timeout == "none") {
    in.request_timeout = Duration{};
  } else if (!flags.request_timeout.empty()) {
    in.request_timeout = parse_duration(flags.request_timeout).value;
  }
}

ExitCode bounds(const BoundsFlags& flags, const CommonFlags& common) {
  auto input = base_of(flags, common);
  if (!input) return ExitCode::bad_input;
  apply(flags, *input);
  const scenario::Bounds bounds = scenario::bounds_of(*input);
  const auto text = flags.explain ? scenario::BoundsText::explained : scenario::BoundsText::lines;
  return deliver(common, scenario::rendered(bounds, text), json_of(bounds));
}

}  // namespace

void add_bounds(CLI::App& app, Session& session) {
  auto flags = std::make_shared<BoundsFlags>();
  CLI::App* verb = app.add_subcommand(
      "bounds", "the timing of a client-go election in closed form, without a simulation");
  add_common_flags(*verb, session);
  const auto duration = [&](const std::string& name, std::string& out, const std::string& what) {
    verb->add_option(name, out, what)->check(duration_value())->type_name("DURATION");
  };
  verb->add_option("FILE", flags->file, "a scenario whose numbers these are")->type_name("");
  verb->add_option("--preset", flags->preset, "a component whose numbers these are")
      ->type_name("NAME");
  duration("--lease-duration", flags->lease_duration, "leaseDuration (15s)");
  duration("--renew-deadline", flags->renew_deadline, "renewDeadline (10s)");
  duration("--retry-period", flags->retry_period, "retryPeriod (2s)");
  verb->add_option("--candidates", flags->candidates, "processes that compete (3)")
      ->transform(whole_number(1, 10'000))
      ->type_name("N");
  verb->add_option("--request-timeout", flags->request_timeout,
                   "time limit of one request, or none (max(1s, renewDeadline/2))")
      ->check(duration_value({"none"}))
      ->type_name("DURATION");
  verb->add_flag("--release-on-cancel{true}", flags->release_on_cancel,
                 "whether the leader releases; =false says that it does not")
      ->check(one_of({"true", "false"}));
  verb->add_flag("--no-fast-path", flags->no_fast_path,
                 "client-go up to v0.29, which reads the Lease before each renewal");
  duration("--latency", flags->latency, "the longest round trip of a request (0s)");
  verb->add_flag("--explain", flags->explain, "derive each line");
  verb->callback([flags, &session] {
    session.chosen = [flags, &session] { return bounds(*flags, session.flags); };
  });
}

}  // namespace tenure::cli

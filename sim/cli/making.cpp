#include "making.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>

#include "progress.hpp"

namespace tenure::cli {
namespace {

// The command that makes a run again, but for --seed and --run: with all that was set here.
std::string replay_of(const Loaded& loaded, const Making& making, const CommonFlags& common) {
  std::string command =
      making.replay.empty() ? "tenure replay " + shell_word(loaded.file) : making.replay;
  for (const std::string& set : common.sets) command += " --set " + shell_word(set);
  return command;
}

NotMade report_stall(const run::Stalled& stalled) {
  const std::string why = fmt::format("time stands still at {} of run {}",
                                      seconds_text(stalled.at.time_since_epoch()), stalled.run);
  return {
      usage_error("E0316", why,
                  {fmt::format("more than {} events happen in that instant: somebody never waits",
                               world::most_events_at_once),
                   "give requests some latency, or the elector a pause"}),
      why};
}

NotMade report_difference(const std::string& difference) {
  fmt::print(stderr,
             "tenure: internal error: a run differs from its repetition: {}\n  = this is a bug in "
             "tenure; please report it with the scenario\n",
             difference);
  return {ExitCode::bug, "a run differs from its repetition: " + difference};
}

std::string cost_of(double seconds,
                    const Loaded& loaded,
                    const run::CampaignResult& campaign,
                    const Making& making) {
  const double simulated = static_cast<double>(campaign.runs) *
                           std::chrono::duration<double>(loaded.scenario.duration).count();
  return fmt::format("{:.2f} s, {:.1f} million simulated s per s{}", seconds,
                     simulated / std::max(seconds, 1e-9) / 1e6,
                     making.twice ? "; every run made twice, no difference" : "");
}

std::variant<Made, NotMade> make(const Loaded& loaded,
                                 const Making& making,
                                 const CommonFlags& common) {
  Made made{run::experiment_of(loaded.scenario), {}, {}};
  Progress progress{common,
                    making.progress_name.empty() ? loaded.scenario.name : making.progress_name,
                    made.experiment.runs};
  run::CampaignOptions options;
  options.threads = threads_of(common);
  options.twice = making.twice;
  if (making.fail_fast) options.fail_fast = run::fail_fast_of(loaded.scenario);
  options.stop = &stop_requested;
  options.progress = [&](const run::CampaignResult& so_far) { progress.on(so_far); };
  run::CampaignResult campaign = run::run_campaign(made.experiment, options);
  progress.finish();
  if (!campaign.stalled.empty()) return report_stall(campaign.stalled.front());
  if (campaign.misfit) {
    return NotMade{report_misfit(loaded, *campaign.misfit, common),
                   "the choices do not fit the scenario"};
  }
  if (!campaign.difference.empty()) return report_difference(campaign.difference);
  made.cost = cost_of(progress.seconds(), loaded, campaign, making);
  made.result = run::judged(loaded.scenario, loaded.document, std::move(campaign));
  made.result.replay = replay_of(loaded, making, common);
  made.result.warnings.insert(made.result.warnings.begin(), loaded.warnings.begin(),
                              loaded.warnings.end());
  return made;
}

}  // namespace

std::variant<Made, NotMade> made_of(const Loaded& loaded,
                                    const Making& making,
                                    const CommonFlags& common) {
  try {
    return make(loaded, making, common);
  } catch (const std::bad_alloc&) {
    const std::string why = fmt::format("not enough memory for {}", visible(loaded.scenario.name));
    usage_error("E0503", why, {"nothing of it was kept; try fewer or shorter runs"});
    return NotMade{ExitCode::no_output, why};
  }
}

}  // namespace tenure::cli

// Sequential stopping: a campaign is looked at after fixed numbers of runs, and ends when every
// threshold is decided or a figure is known well enough (scenario::Stopping). What is looked at are
// the runs 0 to n - 1, whoever made them in whatever order, so that where it ends does not depend
// on threads. The number of runs does depend on intervals, and these on the mathematical library.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <tenure/run/run.hpp>
#include <tenure/scenario/scenario.hpp>

namespace tenure::run {

std::optional<Stopping> stopping_of(const scenario::Scenario& scenario);

// Of thresholds with abortOnFail those about facts (min, max, count, sum), which need no look;
// empty: there is none.
std::function<bool(const CampaignResult& before, const CampaignResult& block)> aborts_of(
    const scenario::Scenario& scenario);

// The error probability of intervals after so many runs: 5 %, or the part of the look.
double alpha_after(const scenario::Scenario& scenario, std::uint64_t runs);

}  // namespace tenure::run

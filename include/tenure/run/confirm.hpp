// Simulating what the closed forms say of a setting: every need gets runs of its own, in which
// exactly that happens which it is about.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenure/scenario/advise.hpp>
#include <tenure/stats/interval.hpp>
#include <tenure/stats/threshold.hpp>

namespace tenure::run {

// What runs say about one need.
struct Confirmation {
  enum class Outcome : std::uint8_t {
    agrees,       // with the closed form
    contradicts,  // it: a bug of one of them
    undecided,    // too few runs
    interrupted,
  };

  Outcome outcome = Outcome::agrees;
  std::uint64_t runs = 0;
  // Of a failover, a handover, a margin and requests: what was seen, in the unit of the need.
  std::optional<std::int64_t> estimate;
  std::optional<stats::Interval> interval;  // 95 %, of a quantile and a mean
  // Of an outage: runs that lost the leader. Of a pause, a ratio and a margin: with two leaders.
  std::optional<std::uint64_t> bad_runs;
  std::string scenario;  // the runs as a scenario file
};

std::string_view to_text(Confirmation::Outcome outcome);

struct JudgedNeed {
  scenario::Need need;
  scenario::Figure figure;
  std::string formula;
  std::optional<Confirmation> confirmation;  // nothing: nothing was run
};

// A setting, need by need.
struct JudgedSetting {
  scenario::Setting setting;
  scenario::Bounds bounds;
  std::optional<scenario::Ladder> ladder;  // nothing: it was given
  std::vector<JudgedNeed> needs;
};

// What the closed forms say. The setting is one that client-go takes.
JudgedSetting judged_setting(const scenario::Setting& setting,
                             std::span<const scenario::Need> needs,
                             const scenario::Terms& terms);

struct ConfirmOptions {
  // Nothing: 2000, and as many more as the law says that a quantile needs to be told from what is
  // asked, up to 100 000. That is known before a run is made, so nothing is looked at twice.
  std::optional<std::uint64_t> runs;
  std::uint64_t seed = 1;
  unsigned threads = 1;
  const std::atomic<bool>* stop = nullptr;
};

// Makes the runs. An interruption leaves the rest as they are.
void confirm(JudgedSetting& setting, const scenario::Terms& terms, const ConfirmOptions& options);

// What advice comes to: settings, or why there is none.
struct AdviseResult {
  enum class Answer : std::uint8_t {
    met,
    not_met,       // --current does not meet a need, or a run contradicts
    conflict,      // no setting meets all needs
    inconclusive,  // the runs cannot decide about the first setting
  };

  scenario::Terms terms;
  std::vector<scenario::Need> needs;
  bool judges = false;  // a setting that was given; else settings were looked for
  std::vector<JudgedSetting> settings;
  std::optional<scenario::Conflict> conflict;
  std::uint64_t seed = 1;
  bool interrupted = false;
};

AdviseResult::Answer answer_of(const AdviseResult& result);
std::string_view to_text(AdviseResult::Answer answer);

}  // namespace tenure::run

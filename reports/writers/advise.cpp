#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/report/advise.hpp>

#include "findings.hpp"

namespace tenure::report {
namespace {

using run::AdviseResult;
using run::Confirmation;
using run::Finding;
using run::JudgedNeed;
using run::JudgedSetting;
using scenario::Need;
using scenario::Setting;
using Kind = Need::Kind;
using Model = Need::Model;
using Outcome = Confirmation::Outcome;

constexpr std::size_t width = 80;

// Text broken into lines behind `margin` spaces.
std::string wrapped(std::string_view text, std::size_t margin) {
  std::string out;
  std::string line(margin, ' ');
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (line.size() > margin && line.size() + 1 + end > width) {
      out += line + "\n";
      line.assign(margin, ' ');
    }
    if (line.size() > margin) line += ' ';
    line += text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + line + "\n";
}

std::string title(const Need& need) {
  return fmt::format("{} {}", scenario::flag_of(need.kind), scenario::value_text(need));
}

// The fault model: what happens, and what must not come of it.
std::string_view meaning_of(const Need& need) {
  switch (need.kind) {
    case Kind::failover:
      return "the leader crashes";
    case Kind::outage:
      return need.model == Model::hanging ? "nobody is answered; the leader is kept"
                                          : "everybody is refused; the leader is kept";
    case Kind::pause:
      return need.model == Model::cut ? "leader frozen, and cut off; never two"
                                      : "leader frozen; never two leaders";
    case Kind::clock_ratio:
      return "rivals' clocks faster, and a cut; never two";
    case Kind::requests:
      return "of all candidates together";
    case Kind::handover:
      return "SIGTERM, with releaseOnCancel";
    case Kind::margin:
      if (need.is_standing) return "a mere cut; never two (always needed)";
      return need.model == Model::hanging ? "so slow a reply, then a cut; never two"
                                          : "so slow a reply, then a refused cut";
  }
  return {};
}

std::string headline(const AdviseResult& result) {
  const scenario::Terms& terms = result.terms;
  std::string text = fmt::format("{} candidates, client-go", terms.candidates);
  if (!terms.fast_path) text += " up to v0.29";
  text += terms.latency > Duration::zero()
              ? fmt::format(", a request takes {}", seconds_text(terms.latency))
              : ", requests answered at once";
  if (!terms.request_timeout) {
    text += ", time limit max(1s, D/2)";
  } else if (*terms.request_timeout > Duration::zero()) {
    text += ", time limit " + seconds_text(*terms.request_timeout);
  } else {
    text += ", no time limit";
  }
  return wrapped(text, 0) + "  L leaseDuration, D renewDeadline, R retryPeriod\n";
}

std::string needs_text(const AdviseResult& result) {
  std::string out = "\n  NEEDS\n";
  for (const Need& need : result.needs) {
    out += fmt::format("    {:<15} {:<16} {}\n", scenario::flag_of(need.kind),
                       scenario::value_text(need), meaning_of(need));
  }
  return out;
}

// ---- a setting

Finding finding_of(const JudgedNeed& judged) {
  if (!judged.figure.kept) return Finding::fail;
  if (!judged.confirmation) return Finding::ok;
  switch (judged.confirmation->outcome) {
    case Outcome::agrees:
      return Finding::ok;
    case Outcome::contradicts:
      return Finding::fail;
    case Outcome::undecided:
    case Outcome::interrupted:
      break;
  }
  return Finding::inconclusive;
}

std::string_view what_was_run(const Need& need) {
  switch (need.kind) {
    case Kind::failover:
      return "crashes";
    case Kind::outage:
      return "outages";
    case Kind::pause:
      return "pauses";
    case Kind::clock_ratio:
    case Kind::margin:
      return "cuts";
    case Kind::requests:
      return "runs";
    case Kind::handover:
      return "handovers";
  }
  return {};
}

std::string end_text(const Need& need, const stats::End& end, std::string_view open) {
  if (end.kind == stats::End::Kind::value) return told(need, end.value);
  return std::string{end.kind == stats::End::Kind::open ? open : "beyond the run"};
}

std::string range_text(const Need& need, const Confirmation& c) {
  const bool is_max = need.kind == Kind::handover || need.aggregation == stats::Aggregation::max;
  if (!c.interval) {
    const std::string seen = c.estimate ? told(need, *c.estimate) : "none seen";
    return is_max && need.kind != Kind::requests ? fmt::format("the longest {}", seen) : seen;
  }
  return fmt::format("{} .. {} (95 %)", end_text(need, c.interval->lower, "?"),
                     end_text(need, c.interval->upper, "?"));
}

std::string share_text(std::uint64_t events, std::uint64_t runs) {
  if (events == 0) return "none";
  if (events == runs) return "all";
  return fmt::format("{} ({:.3g} %)", events,
                     100 * static_cast<double>(events) / static_cast<double>(runs));
}

std::string seen(const Need& need, const Confirmation& c) {
  switch (need.kind) {
    case Kind::failover:
    case Kind::requests:
    case Kind::handover:
      return range_text(need, c);
    case Kind::outage:
      return fmt::format("the leader was lost in {}", share_text(*c.bad_runs, c.runs));
    case Kind::pause:
    case Kind::clock_ratio:
      return fmt::format("two leaders in {}", share_text(*c.bad_runs, c.runs));
    case Kind::margin:
      return fmt::format("two leaders in {}, {} or more between them",
                         share_text(*c.bad_runs, c.runs),
                         c.estimate ? told(need, *c.estimate) : "nothing");
  }
  return {};
}

std::string_view remark(const JudgedNeed& judged) {
  switch (judged.confirmation->outcome) {
    case Outcome::agrees:
      return !judged.figure.kept && judged.need.kind != Kind::margin &&
                     judged.confirmation->bad_runs == 0
                 ? "; which is no proof"
                 : "";
    case Outcome::contradicts:
      return "; this CONTRADICTS the formula, a bug of tenure: please report it";
    case Outcome::undecided:
      return "; too few to decide (--runs)";
    case Outcome::interrupted:
      return "; interrupted";
  }
  return "";
}

std::string need_text(const JudgedNeed& judged, Colour colour) {
  const bool excludes_it =
      judged.need.kind == Kind::pause && judged.need.model == scenario::Need::Model::healthy;
  std::string out =
      fmt::format("    {} {:<34} gets {}{}\n", mark(finding_of(judged), colour), title(judged.need),
                  excludes_it ? "less than " : "", told(judged.need, judged.figure.amount));
  out += wrapped("proven by " + judged.formula, 12);
  if (judged.confirmation) {
    const Confirmation& c = *judged.confirmation;
    out += wrapped(fmt::format("{} {}: {}{}", c.runs, what_was_run(judged.need),
                               seen(judged.need, c), remark(judged)),
                   12);
  }
  return out;
}

// What the needs do not speak of: messages that get lost, and a release that hangs.
std::string not_covered(const JudgedSetting& setting, const scenario::Terms& terms) {
  const scenario::Timing& t = *setting.bounds.timing;
  std::string out;
  if (terms.fast_path) {
    out += wrapped(
        fmt::format("lost replies: since client-go v0.30 a renewal whose reply is lost is repeated "
                    "without effect, and then a cut gives two leaders unless L >= D + R + T. Here "
                    "T = {}, and what is left is {}.",
                    seconds_text(t.unanswered), seconds_text(t.lossy_margin)),
        4);
  }
  if (t.release_hang > Duration::zero()) {
    out +=
        wrapped(fmt::format("a release that hangs keeps the old leader for up to {} more: what "
                            "is left of L - D - R is {}.",
                            seconds_text(t.release_hang), seconds_text(t.margin - t.release_hang)),
                4);
  }
  const scenario::BoundsInput& in = setting.bounds.input;
  out += fmt::format(
      "    all bounds: tenure bounds --lease-duration {} --renew-deadline {}\n"
      "      --retry-period {} --candidates {} --explain\n",
      duration_text(in.lease_duration), duration_text(in.renew_deadline),
      duration_text(in.retry_period), in.candidates);
  return "\n  NOT COVERED\n" + out;
}

std::string setting_text(const JudgedSetting& setting, Colour colour) {
  std::string out = fmt::format("\n  {}\n", scenario::to_text(setting.setting));
  for (const JudgedNeed& judged : setting.needs) out += need_text(judged, colour);
  return out;
}

// ---- the table

const Need* failover_need(const AdviseResult& result) {
  for (const Need& need : result.needs) {
    if (need.kind == Kind::failover && need.aggregation != stats::Aggregation::max) return &need;
  }
  return nullptr;
}

std::int64_t figure(const JudgedSetting& setting, Kind kind) {
  Need need;
  need.kind = kind;
  return scenario::figure_of(need, setting.bounds).amount;
}

std::string_view state_of(const JudgedSetting& setting) {
  std::string_view state = "confirmed";
  for (const JudgedNeed& judged : setting.needs) {
    if (!judged.confirmation) return "not run";
    const Finding finding = finding_of(judged);
    if (finding == Finding::fail) return "contradicted";
    if (finding == Finding::inconclusive) state = "?";
  }
  return state;
}

std::string table(const AdviseResult& result) {
  std::string out = "\n  SETTINGS  fewest requests first, each next one led again sooner\n";
  const Need* quantile = failover_need(result);
  const std::string asked =
      quantile == nullptr ? std::string{} : scenario::value_text(*quantile, 0);
  const std::string column = asked.substr(0, asked.find(' '));
  const auto line = [](const auto&... cells) {
    return fmt::format("    {:<18} {:>8} {:>9} {:>8}  {:<12} {}\n", cells...);
  };
  out += line("L/D/R", "requests", column, "worst", "runs", "durations");
  for (const JudgedSetting& setting : result.settings) {
    Need requests;
    requests.kind = Kind::requests;
    const std::string of_quantile =
        quantile == nullptr
            ? std::string{}
            : told(*quantile, scenario::figure_of(*quantile, setting.bounds).amount);
    out += line(scenario::to_text(setting.setting), told(requests, figure(setting, Kind::requests)),
                of_quantile, told(Need{}, figure(setting, Kind::failover)), state_of(setting),
                scenario::to_text(*setting.ladder));
  }
  return out;
}

// ---- a conflict

std::string relief_text(const AdviseResult& result, const scenario::Relief& relief) {
  const Need& need = result.needs[relief.need];
  std::string out = fmt::format("    {}\n", title(need));
  if (!relief.limit) {
    out += wrapped("no amount of it is enough", 8);
    if (relief.setting) out += wrapped("without it: " + scenario::to_text(*relief.setting), 8);
    return out;
  }
  return out +
         wrapped(fmt::format("{} goes with {}: {}", scenario::value_text(need, *relief.amount),
                             relief.with_all ? "all other needs" : "these others",
                             scenario::to_text(*relief.setting)),
                 8);
}

std::string conflict_text(const AdviseResult& result) {
  const auto& needs = result.conflict->needs;
  std::string out = "\n  CONFLICT  ";
  out += needs.size() == 1 ? "nothing meets this need\n"
                           : fmt::format(
                                 "nothing meets these {} needs together; without any one "
                                 "of them\n            the other{} can be met\n",
                                 needs.size(), needs.size() == 2 ? "" : "s");
  for (const scenario::Relief& relief : needs) out += relief_text(result, relief);
  return out +
         wrapped("tried: every L, D and R that client-go takes, R from 100ms on, L up to 24h", 4);
}

std::string verdict_line(const AdviseResult& result, Colour colour) {
  using Answer = AdviseResult::Answer;
  switch (run::answer_of(result)) {
    case Answer::met:
      return painted("MET", "32", colour) +
             fmt::format("  {}\n", scenario::to_text(result.settings.front().setting));
    case Answer::not_met: {
      const auto& needs = result.settings.front().needs;
      const auto missed = std::count_if(needs.begin(), needs.end(), [](const JudgedNeed& judged) {
        return finding_of(judged) == Finding::fail;
      });
      return painted("NOT MET", "1;31", colour) +
             fmt::format("  {} of {} needs\n", missed, needs.size());
    }
    case Answer::conflict:
      return painted("CONFLICT", "1;31", colour) + "\n";
    case Answer::inconclusive:
      return painted("INCONCLUSIVE", "33", colour) +
             fmt::format("  {}\n", scenario::to_text(result.settings.front().setting));
  }
  return {};
}

}  // namespace

std::string told(const Need& need, std::int64_t amount) {
  constexpr std::int64_t grain = 1'000'000;
  std::int64_t grains = amount / grain;
  if (amount % grain != 0) {
    if (scenario::is_upper(need.kind) && amount > 0) ++grains;
    if (!scenario::is_upper(need.kind) && amount < 0) --grains;
  }
  return scenario::amount_text(need, grains * grain);
}

std::string advice_text(const AdviseResult& result, Colour colour) {
  std::string out = headline(result) + needs_text(result);
  if (result.conflict) {
    out += conflict_text(result);
  } else {
    if (!result.judges) out += table(result);
    out += setting_text(result.settings.front(), colour) +
           not_covered(result.settings.front(), result.terms);
  }
  return out + "\n" + verdict_line(result, colour);
}

}  // namespace tenure::report

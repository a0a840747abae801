#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tenure/scenario/bounds.hpp>

namespace tenure::scenario {
namespace {

using namespace std::chrono_literals;

__extension__ using Wide = __int128;

bool has_rivals(const BoundsInput& input) {
  return input.candidates > 1;
}

double value_of(Ratio ratio) {
  return static_cast<double>(ratio.numerator) / static_cast<double>(ratio.denominator);
}

// How many decimals of a second it takes to write the duration exactly.
int decimals_of(Duration duration) {
  std::int64_t fraction_part = duration.count() % 1'000'000'000;
  int decimals = fraction_part == 0 ? 0 : 9;
  while (decimals > 0 && fraction_part % 10 == 0) {
    fraction_part /= 10;
    --decimals;
  }
  return decimals;
}

std::string seconds(Duration duration, int decimals) {
  if (duration == 0s) return "0s";
  const std::int64_t count = duration.count();
  const std::uint64_t size =
      count < 0 ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
  std::string digits =
      fmt::format("{}{}.{:09}", count < 0 ? "-" : "", size / 1'000'000'000, size % 1'000'000'000);
  digits.resize(digits.size() - 9 + static_cast<std::size_t>(decimals));
  if (decimals == 0) digits.pop_back();
  return digits + "s";
}

std::string seconds(Duration duration) {
  return seconds(duration, decimals_of(duration));
}

// Both ends with the same number of decimals.
std::string range(DurationRange r) {
  const int decimals = std::max(decimals_of(r.least), decimals_of(r.most));
  return fmt::format("{} .. {}", seconds(r.least, decimals), seconds(r.most, decimals));
}

// A tolerated ratio is cut off, not rounded: two decimals if they are exact, else three.
std::string ratio(Ratio r) {
  const Wide thousandths = Wide{r.numerator} * 1000 / r.denominator;
  const bool two_are_exact = thousandths % 10 == 0 && Wide{r.numerator} * 100 % r.denominator == 0;
  const auto whole = static_cast<std::int64_t>(thousandths / 1000);
  const auto rest = static_cast<std::int64_t>(thousandths % 1000);
  return two_are_exact ? fmt::format("{}.{:02}", whole, rest / 10)
                       : fmt::format("{}.{:03}", whole, rest);
}

// Text broken into lines of at most `width` columns; the first begins with `first`, the others with
// as many spaces.
std::string wrapped(std::string_view first, std::string_view text) {
  constexpr std::size_t width = 96;
  std::string out;
  std::string line(first);
  bool fresh = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!fresh && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line.assign(first.size(), ' ');
      fresh = true;
    }
    if (!fresh) line += ' ';
    line += word;
    fresh = false;
  }
  return out + line + "\n";
}

struct Line {
  std::string label;
  std::string value;
  std::string remark;
  std::string derivation;
};

std::string plain(const Line& line) {
  const std::size_t width = std::max<std::size_t>(17, line.value.size() + 3);
  return fmt::format("  {:<30}{:<{}}{}\n", line.label, line.value, width, line.remark);
}

std::string explained(const Line& line) {
  if (line.derivation.empty()) return plain(line);
  return plain(line) + wrapped("      ", line.derivation) + "\n";
}

// Each of the following makes one line; L, D, R stand for the numbers as they are printed.
struct Numbers {
  const BoundsInput& in;
  const Timing& t;
  std::string lease = seconds(t.lease);
  std::string deadline = seconds(in.renew_deadline);
  std::string retry = seconds(in.retry_period);
};

std::string latency_remark(const Numbers& n, std::string_view with) {
  if (n.in.latency == 0s) return ", plus API latency";
  return fmt::format(" {}, a request takes up to {}", with, seconds(n.in.latency));
}

Line validity(const Numbers& n) {
  return {"valid configuration", "yes",
          fmt::format("{} > {}, and {} > {} x 1.2", seconds(n.in.lease_duration), n.deadline,
                      n.deadline, n.retry),
          "client-go refuses to start unless leaseDuration > renewDeadline > retryPeriod x "
          "JitterFactor, all of them positive. The flags of kube-controller-manager and "
          "kube-scheduler are checked without the factor."};
}

Line crash(const Numbers& n) {
  const std::string label = "leader crash -> new leader";
  if (!has_rivals(n.in)) {
    return {label, "none",
            fmt::format("a single candidate; restarted under a new identity it waits {}",
                        range(n.t.cold_start)),
            "A fresh process must see the record unchanged for L before its next poll may take it. "
            "One that comes back under the same identity leads at once."};
  }
  return {label, range(n.t.crash), "L - R .. L + 2(1+J)R" + latency_remark(n, "+ 4 GET + 1 PUT"),
          fmt::format(
              "Counted from the last renewal a follower needs its next poll to notice it, L, and "
              "one more poll: between {0} and {0} + 2 x 2.2 x {1}. The crash comes up to R = {1} "
              "after that renewal. D plays no part. OpenShift's comment (library-go, "
              "pkg/config/leaderelection/leaderelection.go) has L + R = {2} as the worst case: it "
              "leaves out that polls are up to 2.2 R apart, twice. Where two contend for the Lease "
              "and the winner crashes at once, the other may learn of it one slow reply later yet.",
              n.lease, n.retry, seconds(longer(n.t.lease, n.in.retry_period)))};
}

Line graceful(const Numbers& n) {
  const std::string label = "graceful release -> new one";
  if (!has_rivals(n.in)) return {label, "none", "a single candidate", ""};
  if (n.in.release_on_cancel == false) {
    return {label, range(n.t.crash), "releaseOnCancel is off: as after a crash", ""};
  }
  return {
      label, range(n.t.release), "first follower poll, at most (1+J)R",
      fmt::format("A released lease is free at once, but nobody is told: followers find it at "
                  "their next poll, {} to {} after the one before. A candidate that starts just "
                  "then takes it without waiting. OpenShift's comment has R = {} as the worst "
                  "case.",
                  seconds(n.t.poll.least), seconds(n.t.poll.most), n.retry)};
}

Line step_down(const Numbers& n) {
  const std::string label = "leader cut off, steps down";
  const std::string derivation = fmt::format(
      "The next renewal round starts up to R = {} after the cut and gives up D = {} after it "
      "started, whether its requests fail or hang.",
      n.retry, n.deadline);
  if (n.t.release_hang == 0s)
    return {label, range(n.t.step_down), "D .. D + R after the cut", derivation};
  const DurationRange all{n.t.step_down.least, longer(n.t.step_down.most, n.t.release_hang)};
  return {label, range(all),
          fmt::format("D .. D + R + h; h = {} while the release hangs", seconds(n.t.release_hang)),
          derivation +
              " With releaseOnCancel the release comes before OnStoppedLeading: its GET may hang "
              "for h, the smallest of D, the client's timeout, and some 45s until a dead HTTP/2 "
              "connection is given up."};
}

std::string margin_meaning(Duration margin) {
  if (margin > 0s) return {};
  if (margin == 0s) return "; none: a slow reply and then a cut give two leaders";
  return fmt::format("; negative: two leaders for up to {} after a cut", seconds(-margin));
}

Line margin(const Numbers& n) {
  return {
      "safety margin", seconds(n.t.margin), "L - D - R" + margin_meaning(n.t.margin),
      fmt::format("{} - {} - {}. The old leader stops at most R + D after the reply to its last "
                  "renewal, a rival starts at the earliest L after that renewal was written. So "
                  "the margin is what the reply may take: a slower one, and then a cut, give two "
                  "leaders without any clock drift. A first renewal in the same second as the "
                  "acquisition is seen by nobody; until its reply the margin pays for both. "
                  "OpenShift's comment takes L - D = {} for it, counting D from the last renewal; "
                  "the code counts it from the start of the next round.",
                  n.lease, n.deadline, n.retry, seconds(n.t.lease - n.in.renew_deadline))};
}

Line release_margin(const Numbers& n) {
  const Duration left = n.t.margin - n.t.release_hang;
  return {"margin, release hanging", seconds(left), "L - D - R - h" + margin_meaning(left),
          "While the release waits for a reply that the network has swallowed, the context of "
          "OnStartedLeading is still live."};
}

// What a lost reply costs depends on whether its request can fail within a round.
Line lossy_margin(const Numbers& n) {
  const bool fits_a_round = n.t.unanswered < n.in.renew_deadline;
  const std::string_view late = n.in.latency == 0s ? "" : " - 2 round trips";
  return {
      "margin, a reply lost", seconds(n.t.lossy_margin),
      fmt::format("{}{}, T = {}{}", fits_a_round ? "L - D - R - T" : "L - D - T", late,
                  seconds(n.t.unanswered), margin_meaning(n.t.lossy_margin)),
      fmt::format(
          "A renewal is applied and its reply lost. After T = {} the request fails; client-go "
          "reads the Lease and sends the UPDATE again, in the same attempt and so with the same "
          "renewTime: the API server answers 200 and stores nothing. The leader counts "
          "from that answer, others from the first write "
          "(scenarios/hazards/renewal-that-changes-nothing.yaml). {}client-go up to v0.29 "
          "begins another attempt, with another time.",
          seconds(n.t.unanswered),
          fits_a_round ? ""
                       : "In a round of D that is no shorter than T nothing is repeated, "
                         "but acquiring has no deadline, and the first round begins with "
                         "its answer. ")};
}

Line clocks(const Numbers& n) {
  return {"clock-rate ratio tolerated", ratio(n.t.clock_ratio),
          "L / (D + R); clock offsets do not matter",
          fmt::format("{} / ({} + {}). Expiry is judged by each follower's own clock from when it "
                      "saw the record change, so only the speed of clocks counts. The package "
                      "comment of client-go has L / D = {}: it leaves out the wait of R before the "
                      "round whose deadline is D. What replies take, or lost ones, comes off L.",
                      n.lease, n.deadline, n.retry,
                      ratio({n.t.lease.count(), n.in.renew_deadline.count()}))};
}

Line pause(const Numbers& n) {
  const std::string label = "harmless process pause";
  if (!has_rivals(n.in)) return {label, "any", "no other candidate", ""};
  return {
      label, "below " + seconds(n.t.harmless_pause),
      fmt::format("L - R; from there on two leaders may run for {} (D + R)",
                  seconds(n.t.pause_overlap)),
      fmt::format(
          "{0} - {1}: nobody can take over earlier than after a crash; a record that is exactly "
          "L old has expired, so that a pause of L - R is one too many. A leader that "
          "resumes later starts a new round and tries for D = {2} before it steps "
          "down; one that finds the reply to a renewal waiting, after a pause of L, "
          "waits R = {1} more before that round. The network is healthy here: where a "
          "pause is followed by a cut, the margin pays for it. A paused follower is "
          "harmless.",
          n.lease, n.retry, n.deadline)};
}

Line outage_failing(const Numbers& n) {
  const Duration openshift = n.in.retry_period * (n.in.renew_deadline / n.in.retry_period - 1);
  return {"API outage, calls fail fast", "up to " + seconds(n.t.outage_failing),
          "(ceil(D/R) - 1) R, then the leader may step down",
          fmt::format("A round makes its attempts R apart and strictly before its deadline; the "
                      "outage must be over at the last one. Lost for sure from {} on. OpenShift's "
                      "comment has floor(D/R) R - R = {}.",
                      seconds(longer(n.t.outage_failing, n.in.retry_period)), seconds(openshift))};
}

std::string timeout_remark(const Numbers& n) {
  const auto timeout = n.t.request_timeout;
  if (!timeout) return "no client timeout: one swallowed request costs the lead";
  if (*timeout * 2 == n.in.renew_deadline) return "client timeout D/2";
  return "client timeout " + seconds(*timeout);
}

Line outage_hanging(const Numbers& n) {
  return {"API outage, calls hang", "up to " + seconds(n.t.outage_hanging), timeout_remark(n),
          "A hanging renewal ends with the client's timeout and is followed by a GET, which may "
          "hang as long. The outage must be over when the last request before the deadline starts. "
          "client-go's own clients have max(1s, D/2): two requests a round."};
}

Line requests(const Numbers& n) {
  const std::uint32_t followers = n.in.candidates - 1;
  return {"API requests, steady state",
          fmt::format("{:.2f} PUT/s + {:.2f} GET/s", value_of(n.t.puts_per_second),
                      value_of(n.t.gets_per_second)),
          fmt::format("1 leader, {} follower{}", followers, followers == 1 ? "" : "s"),
          fmt::format("1 / R for the leader, 1 / (1.6 R) for each follower: its mean wait is "
                      "(1 + J/2) R = {}.",
                      seconds(scaled(n.in.retry_period, {8, 5})))};
}

std::vector<Line> lines_of(const Numbers& n) {
  std::vector<Line> lines{validity(n), crash(n), graceful(n), step_down(n), margin(n)};
  if (n.in.fast_path) lines.push_back(lossy_margin(n));
  if (n.t.release_hang > 0s) lines.push_back(release_margin(n));
  for (Line line : {clocks(n), pause(n), outage_failing(n), outage_hanging(n), requests(n)}) {
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string truncation_note(const Numbers& n) {
  if (n.t.lease == n.in.lease_duration) return {};
  return wrapped("  note: ", fmt::format("a Lease carries whole seconds: leaseDuration {} "
                                         "counts as {} for everybody else, and here.",
                                         seconds(n.in.lease_duration), n.lease));
}

// The preset that the numbers come from, or one that has the same.
std::string_view preset_of(const BoundsInput& in) {
  if (!in.preset.empty()) return in.preset;
  const Preset* same = preset_with(in.lease_duration, in.renew_deadline, in.retry_period);
  return same == nullptr ? std::string_view{} : same->name;
}

std::string rule_of_thumb_note(const Numbers& n) {
  if (!has_rivals(n.in)) return {};
  std::string text =
      fmt::format("the rule of thumb \"leaseDuration + retryPeriod\" gives {} for a crash.",
                  seconds(longer(n.t.lease, n.in.retry_period)));
  if (n.t.lease / 5 >= n.in.retry_period) {
    text += fmt::format(" About {:.0f} % of crashes take longer,",
                        100 * share_beyond_rule_of_thumb(n.in.candidates));
  } else {
    text += " Many crashes take longer,";
  }
  text +=
      fmt::format(" because followers poll every {}..{} and must first notice the last renewal.",
                  seconds(n.t.poll.least), seconds(n.t.poll.most));
  const std::string_view preset = preset_of(n.in);
  if (!preset.empty()) text += fmt::format(" Run: tenure run --preset {} --fault crash", preset);
  return wrapped("  note: ", text);
}

std::string heading(const BoundsInput& in) {
  return fmt::format(
      "client-go elector, leaseDuration L = {}, renewDeadline D = {}, retryPeriod R = {}, jitter "
      "factor J = 1.2\n\n",
      seconds(in.lease_duration), seconds(in.renew_deadline), seconds(in.retry_period));
}

}  // namespace

std::string rendered(const Bounds& bounds, BoundsText text) {
  std::string out = heading(bounds.input);
  if (!bounds.timing) return out + plain({"valid configuration", "no", bounds.refusal, ""});
  const Numbers numbers{bounds.input, *bounds.timing};
  for (const Line& line : lines_of(numbers)) {
    out += text == BoundsText::explained ? explained(line) : plain(line);
  }
  for (const std::string& note : {truncation_note(numbers), rule_of_thumb_note(numbers)}) {
    if (note.empty()) continue;
    if (!out.ends_with("\n\n")) out += "\n";
    out += note;
  }
  return out;
}

}  // namespace tenure::scenario

#include "margin.hpp"

#include <algorithm>
#include <string_view>

#include "words.hpp"

namespace tenure::report {
namespace {

using elect::ClientGoConfig;
using elect::NaiveLoopConfig;

// An inequality `left >= sum of the terms`, in letters and in numbers.
class Inequality {
 public:
  Inequality(std::string letter, Duration left, std::string meaning)
      : letter_(std::move(letter)), left_(left), meanings_(letter_ + " " + std::move(meaning)) {}

  Inequality& plus(std::string_view letter, Duration value, std::string_view meaning) {
    terms_.push_back({std::string{letter}, value});
    right_ = longer(right_, value);
    meanings_ += fmt::format(", {} {}", letter, meaning);
    return *this;
  }

  bool holds() const { return left_ >= right_; }
  const std::string& meanings() const { return meanings_; }

  std::string letters() const {
    std::string text = letter_ + " >= ";
    for (const Term& term : terms_) text += (&term == &terms_.front() ? "" : " + ") + term.letter;
    return text;
  }

  // "15s >= 10s + 2s + 13s"; every digit where fewer would tell something else.
  std::string numbers() const {
    const bool rounding_lies = !holds() && length(left_) == length(right_);
    const auto text_of = [&](Duration d) { return rounding_lies ? seconds_text(d) : length(d); };
    std::string text = text_of(left_) + " >= ";
    for (const Term& term : terms_) {
      text += (&term == &terms_.front() ? "" : " + ") + text_of(term.value);
    }
    return text;
  }

  std::string verdict() const {
    return fmt::format("{} is {} (the right side is {})", numbers(), holds() ? "true" : "false",
                       length(right_));
  }

 private:
  struct Term {
    std::string letter;
    Duration value;
  };

  std::string letter_;
  Duration left_;
  Duration right_{};
  std::vector<Term> terms_;
  std::string meanings_;
};

class Reasons {
 public:
  Reasons(const Counterexample& told, const Overlap& overlap)
      : told_(told),
        overlap_(overlap),
        first_(name(told.setup, overlap.first)),
        second_(name(told.setup, overlap.second)) {}

  std::vector<std::string> lines() {
    if (told_.level != record::Level::context) {
      return {"belief at level isLeader: no inequality is known for it"};
    }
    const elect::AnyElectorConfig& of_first = config(overlap_.first);
    const bool naive_second = std::holds_alternative<NaiveLoopConfig>(config(overlap_.second));
    if (const auto* naive = std::get_if<NaiveLoopConfig>(&of_first)) naive_loop(*naive);
    if (const auto* client_go = std::get_if<ClientGoConfig>(&of_first)) {
      if (naive_second) {
        say("{} goes by wall clocks and {} by its own: no inequality is known for the two", second_,
            first_);
      } else {
        margin(*client_go);
      }
    }
    return std::move(lines_);
  }

 private:
  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) {
    lines_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  const elect::AnyElectorConfig& config(record::Incarnation who) const {
    return told_.setup.candidate_of(who.process).elector;
  }
  kernel::NodeClock clock(record::Incarnation who) const {
    if (told_.clocks.empty()) return {};
    return told_.clocks[who.process.value];
  }
  TrueTime at(Index index) const { return told_.history[index].at; }

  Duration true_length_for(record::Incarnation who, Duration local) const {
    return true_length(local, clock(who).rate);
  }

  std::string by_the_clock_of(Duration local, record::Incarnation who) const {
    const kernel::ClockRate rate = clock(who).rate;
    if (rate == kernel::ClockRate{}) return "";
    return fmt::format(" ({} of {}'s clock, which runs at {})", length(local),
                       name(told_.setup, who), rate_text(rate));
  }

  const record::LeaseWritten* written(std::optional<Index> index) const {
    return fact_at<record::LeaseWritten>(told_.history, index);
  }

  // What the Lease was granted before the second one might take it, by its own clock.
  Duration lifetime(Duration configured) const {
    if (const auto* claim = fact_at<record::ExpiryClaimed>(told_.history, overlap_.claim)) {
      return claim->lifetime;
    }
    const auto* last = written(overlap_.last_write);
    return last == nullptr ? configured
                           : Duration{std::chrono::seconds{last->record.duration_seconds}};
  }

  // ---- client-go: 4.1 (M)

  void margin(const ClientGoConfig& config) {
    if (!overlap_.success) return say("no write of {} that it knows of is in the history", first_);
    const Inequality inequality = margin_with(config, overlap_.reply);
    if (!inequality.holds() && overlap_.claim) return fails(inequality);
    say("the margin formula {}: {}, {}",
        inequality.holds() ? "holds" : "fails, but is not the cause", inequality.letters(),
        inequality.numbers());
    say("{}", inequality.meanings());
    lies_elsewhere(config);
  }

  Inequality margin_with(const ClientGoConfig& config, Duration reply) const {
    const Duration lease = lifetime(config.lease_duration);
    Inequality inequality{"L", true_length_for(overlap_.second, lease),
                          "leaseDuration" + by_the_clock_of(lease, overlap_.second)};
    inequality.plus("D", true_length_for(overlap_.first, config.renew_deadline),
                    "renewDeadline" + by_the_clock_of(config.renew_deadline, overlap_.first));
    // The first round after an acquisition begins at once.
    if (!overlap_.success->acquired) {
      inequality.plus("R", true_length_for(overlap_.first, config.retry_period),
                      "retryPeriod" + by_the_clock_of(config.retry_period, overlap_.first));
    }
    inequality.plus("d", reply, "last good write to its reply");
    inequality.plus("P", overlap_.paused, "paused");
    return inequality;
  }

  void fails(const Inequality& inequality) {
    say("safe is  {}", inequality.letters());
    say("here     {}", inequality.verdict());
    say("{}", inequality.meanings());
  }

  void lies_elsewhere(const ClientGoConfig& config) {
    const std::size_t before = lines_.size();
    if (overlap_.takeover && !overlap_.claim) needed_no_expiry();
    if (!overlap_.success->stored && overlap_.last_write) stored_nothing(config);
    if (overlap_.claim && config.release_on_cancel) released_first(config);
    if (lines_.size() == before) say("the cause lies elsewhere: see what happened");
  }

  void needed_no_expiry() {
    const auto* replaced = written(overlap_.replaced);
    if (replaced == nullptr) {
      return say("the cause lies elsewhere: {} found no Lease and created one", second_);
    }
    const std::string writer = name(told_.setup, replaced->writer);
    if (replaced->record.holder.empty()) {
      return say("the cause lies elsewhere: {} released the Lease at {}, {} waited for nothing",
                 writer, instant(at(*overlap_.replaced)), second_);
    }
    const std::string identity = world::to_text(told_.setup, replaced->record.holder);
    say("the cause lies elsewhere: {} found itself in the Lease, for {} calls itself {} too; "
        "no durations help",
        second_, writer, quoted(identity));
  }

  void stored_nothing(const ClientGoConfig& config) {
    const TrueTime stored = at(*overlap_.last_write);
    const Duration reply = at(overlap_.success->handled) - stored + overlap_.reply;
    say("the cause lies elsewhere: its last success, at {}, changed nothing; others count from rv "
        "{}",
        instant(at(overlap_.success->received)), written(overlap_.last_write)->revision.value);
    say("at {}; with d from there, {}", instant(stored), margin_with(config, reply).verdict());
  }

  void released_first(const ClientGoConfig& config) {
    const Duration longest =
        std::min(config.renew_deadline, config.request_timeout.value_or(config.renew_deadline));
    Inequality with_release = margin_with(config, overlap_.reply);
    with_release.plus("h", true_length_for(overlap_.first, longest), "a release that hangs");
    if (with_release.holds()) return;
    say("the cause lies elsewhere: {} releases before it stops, and that may hang for {}:", first_,
        length(longest));
    say("{}", with_release.verdict());
  }

  // ---- the naive loop: 4.3

  void naive_loop(const NaiveLoopConfig& config) {
    if (overlap_.errors) {
      say("errors never end its belief: no durations help");
      say("{} stops only when it reads of another live holder, and its requests failed", first_);
      return;
    }
    if (!std::holds_alternative<NaiveLoopConfig>(this->config(overlap_.second))) {
      return say("{} goes by wall clocks and {} by its own: no inequality is known for the two",
                 first_, second_);
    }
    const Inequality healthy = healthy_loop(config);
    if (!healthy.holds()) return fails(healthy);
    say("the formula for a healthy network holds: {}, {}", healthy.letters(), healthy.numbers());
    say("{}", healthy.meanings());
    if (overlap_.takeover && !overlap_.claim) return needed_no_expiry();
    say("the cause lies elsewhere: see what happened");
  }

  Inequality healthy_loop(const NaiveLoopConfig& config) const {
    const Duration ahead = clock(overlap_.second).local(overlap_.from).wall -
                           clock(overlap_.first).local(overlap_.from).wall;
    Inequality inequality{"L", lifetime(config.lease_duration), "leaseDuration"};
    inequality.plus("S", true_length_for(overlap_.first, config.leader_sleep), "leaderSleep")
        .plus("5l", 5 * overlap_.longest_way, "five times the longest way of a message")
        .plus("sigma", std::max(Duration{}, ahead), "the wall clock of " + second_ + " ahead")
        .plus("P", overlap_.paused, "paused");
    return inequality;
  }

  const Counterexample& told_;
  const Overlap& overlap_;
  std::string first_, second_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> why(const Counterexample& told, const Overlap& overlap) {
  return Reasons{told, overlap}.lines();
}

}  // namespace tenure::report

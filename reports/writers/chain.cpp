#include "chain.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <tenure/api/message.hpp>
#include <tenure/record/causality.hpp>

#include "words.hpp"

namespace tenure::report {
namespace {

// Steps that are told once however often they follow each other.
enum class Kind : std::uint8_t { single, renewal, look, request_lost, reply_lost };

struct Step {
  TrueTime at{};
  std::optional<record::Incarnation> who;  // nothing: nobody in particular
  Kind kind = Kind::single;
  std::string text;
  std::uint32_t count = 1;
};

std::string_view word(record::Loss why) {
  switch (why) {
    case record::Loss::cut:
      return "cut off";
    case record::Loss::lost:
      return "on the way";
    case record::Loss::swallowed:
      return "the API server is silent";
  }
  return "";
}

std::string words(const Step& step) {
  const std::uint32_t n = step.count;
  switch (step.kind) {
    case Kind::single:
      break;
    case Kind::renewal:
      return n == 1 ? fmt::format("renews, {}", step.text)
                    : fmt::format("renews {} times, up to {}", n, step.text);
    case Kind::look:
      return n == 1 ? "looks again: no change" : fmt::format("looks {} more times: no change", n);
    case Kind::request_lost:
      return n == 1 ? fmt::format("a request of it is lost ({})", step.text)
                    : fmt::format("its next {} requests are lost ({})", n, step.text);
    case Kind::reply_lost:
      return n == 1 ? fmt::format("a reply to it is lost ({})", step.text)
                    : fmt::format("the next {} replies to it are lost ({})", n, step.text);
  }
  return step.text;
}

std::string_view effect(const fault::Fault& fault) {
  switch (fault.type) {
    case fault::Type::crash:
      return "crashes";
    case fault::Type::terminate:
      return "is told to stop";
    case fault::Type::drain:
      return "is drained from its node";
    case fault::Type::pause:
      return "is frozen";
    case fault::Type::delay:
      return "gets a slow connection";
    case fault::Type::loss:
      return "gets a lossy connection";
    case fault::Type::api_outage:
      return "loses the API server";
    case fault::Type::partition:
      break;
  }
  switch (fault.direction) {
    case fault::Direction::both:
      return "is cut off";
    case fault::Direction::to:
      return "is cut off: nothing leaves";
    case fault::Direction::from:
      return "is cut off: nothing comes back";
  }
  return "";
}

class Teller {
 public:
  Teller(const Counterexample& told, const Exchanges& exchanges, const Overlap* overlap)
      : told_(told), exchanges_(exchanges), overlap_(overlap) {
    if (overlap_ == nullptr) return;
    const auto* replaced = fact_at<record::LeaseWritten>(told_.history, overlap_->replaced);
    if (replaced != nullptr && replaced->record.holder.empty()) releaser_ = replaced->writer;
  }

  std::vector<Step> steps() {
    const std::vector<Index> roots = overlap_ != nullptr ? ends_of_overlap() : last_before();
    const Index begin = begin_of_story();
    for (const Index index : record::ancestors_of(told_.history, roots)) {
      index_ = index;
      const record::Record& record = told_.history[index];
      note_pauses(record);
      if (index < begin && !is_lasting_fault(record, told_.history[begin].at)) continue;
      std::visit([&](const auto& fact) { happened(fact); }, record.fact);
    }
    if (overlap_ != nullptr && overlap_->lasts) {
      steps_.push_back({overlap_->to, {}, Kind::single, "the run ends, and both still lead"});
    }
    return std::move(steps_);
  }

 private:
  // ---- where to begin and to end

  std::vector<Index> ends_of_overlap() const {
    std::vector<Index> ends{overlap_->second_belief.began};
    for (const Belief& belief : {overlap_->first_belief, overlap_->second_belief}) {
      if (belief.ended && told_.history[*belief.ended].at == overlap_->to) {
        ends.push_back(*belief.ended);
      } else if (const auto last = last_of(process_of(belief), overlap_->to)) {
        ends.push_back(*last);
      }
    }
    return ends;
  }
  ProcessId process_of(const Belief& belief) const {
    return fact_at<record::LeadershipBegan>(told_.history, belief.began)->who.process;
  }

  // The last thing that the one who broke the property did; without one, that anybody did.
  std::vector<Index> last_before() const {
    const auto last = last_of(told_.violation.who.process, told_.violation.at);
    if (last) return {*last};
    return {};
  }

  std::optional<Index> last_of(ProcessId process, TrueTime until) const {
    std::optional<Index> last;
    for (Index i = 0; i < told_.history.size() && told_.history[i].at <= until; ++i) {
      const bool is_its_own = std::visit(
          [&](const auto& fact) {
            if constexpr (requires { fact.who.process; }) return fact.who.process == process;
            if constexpr (requires { fact.writer; }) return fact.writer.process == process;
            return false;
          },
          told_.history[i].fact);
      if (is_its_own || process == nobody<ProcessTag>) last = i;
    }
    return last;
  }

  Index begin_of_story() const {
    if (overlap_ == nullptr) return 0;
    Index begin = overlap_->last_write.value_or(overlap_->first_belief.began);
    if (overlap_->replaced) begin = std::min(begin, *overlap_->replaced);
    return begin;
  }

  // Faults that began before the story and are not over when it begins.
  bool is_lasting_fault(const record::Record& record, TrueTime begin) const {
    const auto* hit = std::get_if<record::FaultHit>(&record.fact);
    if (hit == nullptr) return false;
    for (const record::Record& other : told_.history) {
      const auto* ended = std::get_if<record::FaultEnded>(&other.fact);
      if (ended == nullptr || ended->fault != hit->fault || ended->occurrence != hit->occurrence)
        continue;
      return other.at > begin;
    }
    return true;
  }

  void note_pauses(const record::Record& record) {
    if (const auto* paused = std::get_if<record::ProcessPaused>(&record.fact)) {
      paused_at_[paused->who] = record.at;
    }
  }

  bool concerns(record::Incarnation who) const {
    return overlap_ == nullptr || who == overlap_->first || who == overlap_->second ||
           who == releaser_;
  }
  bool is(std::optional<Index> index) const { return index == index_; }
  TrueTime now() const { return told_.history[index_].at; }
  std::uint64_t event_of(Index index) const { return told_.history[index].cause; }

  // ---- telling

  void tell(std::optional<record::Incarnation> who, std::string text) {
    steps_.push_back({now(), who, Kind::single, std::move(text)});
    if (who) latest_[*who] = steps_.size() - 1;
  }

  // Adds to the step before of the same process when that was of the same kind.
  void tell_again(record::Incarnation who, Kind kind, std::string text) {
    const auto latest = latest_.find(who);
    if (latest != latest_.end() && steps_[latest->second].kind == kind) {
      Step& step = steps_[latest->second];
      ++step.count;
      step.text = std::move(text);
      return;
    }
    tell(who, std::move(text));
    steps_.back().kind = kind;
  }

  const elect::AnyElectorConfig& elector(record::Incarnation who) const {
    return told_.setup.candidate_of(who.process).elector;
  }

  const Exchange* exchange(record::Incarnation of, RequestId request) const {
    const auto found = exchanges_.find({of, request});
    return found == exchanges_.end() ? nullptr : &found->second;
  }

  // ---- facts

  void happened(const record::LeaseWritten& f) {
    const std::string rv = fmt::format("rv {}", f.revision.value);
    if (f.record.holder.empty()) {
      return tell(f.writer, fmt::format("releases the Lease{}, {}", of_another(f), rv));
    }
    if (!concerns(f.writer)) return;
    if (f.created) return tell(f.writer, fmt::format("creates the Lease, {}", rv));
    if (overlap_ != nullptr && is(overlap_->last_write)) {
      return tell(f.writer,
                  fmt::format("{}, {}: its last write before the overlap",
                              overlap_->success->acquired ? "takes the Lease" : "renews", rv));
    }
    if (overlap_ != nullptr && is(overlap_->takeover)) {
      return tell(f.writer, fmt::format("takes the Lease over, {}", rv));
    }
    // How the second one goes on matters only where both write in turns.
    if (overlap_ != nullptr && overlap_->claim && f.writer == overlap_->second) return;
    tell_again(f.writer, Kind::renewal, rv);
  }
  // Whose Lease it was, when a write takes it from somebody else.
  std::string of_another(const record::LeaseWritten& f) const {
    for (Index i = index_; i-- > 0;) {
      const auto* before = std::get_if<record::LeaseWritten>(&told_.history[i].fact);
      if (before == nullptr || before->revision != f.replaced) continue;
      const Identity holder = before->record.holder;
      if (holder == f.writer_identity || holder.empty()) break;
      return " of " + world::to_text(told_.setup, holder);
    }
    return "";
  }

  void happened(const record::LeaseDeleted& f) { tell(f.by, "deletes the Lease"); }

  void happened(const record::ExpiryClaimed& f) {
    if (!concerns(f.who)) return;
    const std::string_view passed = f.age > f.lifetime ? "more than" : "no less than";
    tell(f.who, fmt::format("finds rv {} {} old, by its clock: {} {}, expired", f.base.value,
                            length(f.age), passed, length(f.lifetime)));
  }

  void happened(const record::LeadershipBegan& f) {
    if (f.level != told_.level || !concerns(f.who)) return;
    if (overlap_ == nullptr || !is(overlap_->second_belief.began)) return tell(f.who, "leads");
    tell(f.who,
         fmt::format("leads, and so does {}: TWO LEADERS", name(told_.setup, overlap_->first)));
  }
  void happened(const record::LeadershipEnded& f) {
    if (f.level != told_.level || !concerns(f.who)) return;
    tell(f.who, fmt::format("stops leading{}", reason(f)));
  }

  std::string_view reason(const record::LeadershipEnded& f) const {
    const bool is_naive = std::holds_alternative<elect::NaiveLoopConfig>(elector(f.who));
    switch (f.reason) {
      case record::EndReason::stepped_down:
        if (f.level == record::Level::is_leader) return "";
        return is_naive ? ": the Lease names another" : ": its round has failed";
      case record::EndReason::stopped:
        return ": it was told to stop";
      case record::EndReason::crashed:
        return ": it crashed";
      case record::EndReason::killed:
        return ": it was killed";
    }
    return "";
  }

  void happened(const record::FaultHit& f) {
    if (!concerns(f.who)) return;
    const fault::Fault& fault = told_.setup.faults[f.fault.value];
    shown_faults_.push_back({f.fault, f.occurrence});
    tell(f.who, fmt::format("{} (fault {})", effect(fault), fault.name));
  }
  void happened(const record::FaultEnded& f) {
    const fault::Fault& fault = told_.setup.faults[f.fault.value];
    const std::pair key{f.fault, f.occurrence};
    const bool shown =
        std::find(shown_faults_.begin(), shown_faults_.end(), key) != shown_faults_.end();
    if (!shown || fault.type == fault::Type::pause || is_instantaneous(fault.type)) return;
    tell({}, fmt::format("fault {} ends", fault.name));
  }
  void happened(const record::ProcessResumed& f) {
    if (!concerns(f.who)) return;
    tell(f.who, fmt::format("runs on after {}", length(now() - paused_at_[f.who])));
  }
  void happened(const record::ProcessStarted& f) {
    if (concerns(f.who)) tell(f.who, "starts");
  }
  void happened(const record::ProcessEnded& f) {
    const auto latest = latest_.find(f.who);
    const bool is_said = latest != latest_.end() && steps_[latest->second].at == now();
    if (concerns(f.who) && !is_said) tell(f.who, "ends");
  }

  void happened(const record::MessageLost& f) {
    if (!concerns(f.process)) return;
    tell_again(f.process, f.was_request ? Kind::request_lost : Kind::reply_lost,
               std::string{word(f.why)});
  }

  // The first request after the last success opens the round whose end ends the belief.
  void happened(const record::RequestSent& f) {
    if (overlap_ == nullptr || !overlap_->success || f.from != overlap_->first) return;
    if (index_ < overlap_->success->received || std::exchange(round_is_told_, true)) return;
    const auto* config = std::get_if<elect::ClientGoConfig>(&elector(f.from));
    if (config == nullptr || !ends_with_round(*config)) return;
    tell(f.from,
         fmt::format("begins a round: {} until it gives up", length(config->renew_deadline)));
  }

  bool ends_with_round(const elect::ClientGoConfig& config) const {
    const std::optional<Index> ended = overlap_->first_belief.ended;
    const auto* fact = fact_at<record::LeadershipEnded>(told_.history, ended);
    if (fact == nullptr || fact->reason != record::EndReason::stepped_down) return false;
    const kernel::ClockRate rate =
        told_.clocks.empty() ? kernel::ClockRate{} : told_.clocks[fact->who.process.value].rate;
    return told_.history[*ended].at - now() >= true_length(config.renew_deadline, rate);
  }

  void happened(const record::ReplyReceived& f) {
    if (overlap_ == nullptr) return;
    if (f.by == overlap_->first) return first_hears(f);
    if (f.by == overlap_->second) second_hears(f);
  }

  void first_hears(const record::ReplyReceived& f) {
    if (overlap_->success && index_ == overlap_->success->received) return success_is_heard();
    const Exchange* asked = exchange(f.by, f.request);
    const bool reads = f.code == 200 && asked != nullptr && asked->handled && overlap_->takeover &&
                       *asked->handled > *overlap_->takeover;
    if (!reads || other_is_seen_) return;
    other_is_seen_ = true;
    const bool stops =
        overlap_->first_belief.ended && event_of(*overlap_->first_belief.ended) == event_of(index_);
    tell(f.by, fmt::format("reads that {} holds the Lease{}", name(told_.setup, overlap_->second),
                           stops ? "" : ", and leads on"));
  }

  // Worth a line when others count from something else than what the first one counts from.
  void success_is_heard() {
    if (!overlap_->success->stored) {
      return tell(overlap_->first, "its next write is answered 200, and changes nothing");
    }
    const Duration since = now() - told_.history[overlap_->success->handled].at;
    if (since < std::chrono::milliseconds{100}) return;
    tell(overlap_->first, fmt::format("hears of that write, {} after it", length(since)));
  }

  void second_hears(const record::ReplyReceived& f) {
    if (!overlap_->claim || !overlap_->sighting || index_ > *overlap_->claim) return;
    const Exchange* asked = exchange(f.by, f.request);
    if (asked == nullptr || !asked->handled || *asked->handled < *overlap_->replaced) return;
    if (f.code != 200 || event_of(*overlap_->claim) == event_of(index_)) return;
    if (!is(overlap_->sighting)) return tell_again(f.by, Kind::look, "");
    const bool counts = std::holds_alternative<elect::ClientGoConfig>(elector(f.by));
    const auto rv =
        fact_at<record::LeaseWritten>(told_.history, overlap_->replaced)->revision.value;
    tell(f.by, fmt::format("first sees rv {}{}", rv,
                           counts ? ", and counts by its own clock from here" : ""));
  }

  template <class Other>
  void happened(const Other&) {}

  const Counterexample& told_;
  const Exchanges& exchanges_;
  const Overlap* overlap_;
  record::Incarnation releaser_;  // of the Lease that the second one took; nobody
  Index index_ = 0;
  std::vector<Step> steps_;
  std::map<record::Incarnation, Index> latest_;  // step of each process
  std::map<record::Incarnation, TrueTime> paused_at_;
  std::vector<std::pair<FaultId, std::uint32_t>> shown_faults_;
  bool round_is_told_ = false;
  bool other_is_seen_ = false;
};

// What a clock shows, where it is not true time.
std::string local_reading(const Counterexample& told, const Step& step) {
  if (!step.who || told.clocks.empty()) return "";
  const kernel::NodeClock& clock = told.clocks[step.who->process.value];
  const Duration shown = clock.local(step.at).wall - world::epoch;
  const bool is_true = clock.rate == kernel::ClockRate{} && shown == step.at.time_since_epoch();
  return is_true ? "" : fmt::format("  [{} by its clock]", instant(TrueTime{shown}));
}

}  // namespace

std::vector<std::string> chain(const Counterexample& told,
                               const Exchanges& exchanges,
                               const std::optional<Overlap>& overlap) {
  std::vector<Step> steps = Teller{told, exchanges, overlap ? &*overlap : nullptr}.steps();
  constexpr std::size_t most = 16;
  const std::size_t dropped = steps.size() > most ? steps.size() - most : 0;
  steps.erase(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(dropped));
  std::size_t time_width = 0;
  std::size_t name_width = 0;
  for (const Step& step : steps) {
    time_width = std::max(time_width, instant(step.at).size());
    if (step.who) name_width = std::max(name_width, name(told.setup, *step.who).size());
  }
  std::vector<std::string> lines;
  if (dropped > 0) lines.push_back(fmt::format("({} steps before)", dropped));
  for (const Step& step : steps) {
    lines.push_back(fmt::format("{:>{}}  {:{}}  {}{}", instant(step.at), time_width,
                                step.who ? name(told.setup, *step.who) : "", name_width,
                                words(step), local_reading(told, step)));
  }
  return lines;
}

}  // namespace tenure::report

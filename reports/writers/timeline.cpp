#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/report/timeline.hpp>

namespace tenure::report {
namespace {

// ---- from facts to spans

struct ProcessState {
  bool alive = false, frozen = false, cut_off = false, leads = false;
};

Shade work_of(const ProcessState& p) {
  if (!p.alive) return Shade::absent;
  if (p.frozen) return p.leads ? Shade::leads_frozen : Shade::frozen;
  if (p.leads) return p.cut_off ? Shade::works_cut_off : Shade::works;
  return p.cut_off ? Shade::cut_off : Shade::follows;
}

// Follows the facts and closes a span whenever what a lane shows changes.
class Tracer {
 public:
  Tracer(const world::Setup& setup, TrueTime end)
      : setup_(setup), end_(end), states_(setup.processes.size()) {
    lease_.label = "lease";
    lease_.layer = Layer::lease;
    for (const world::ProcessSetup& process : setup.processes) {
      belief_.push_back({process.name + " belief", {}, Layer::belief});
      work_.push_back({process.name + " work", {}, Layer::work});
    }
    leaders_.label = "leaders";
    leaders_.layer = Layer::leaders;
    for (const fault::Fault& fault : setup.faults)
      faults_.push_back({"fault " + fault.name, {}, Layer::fault});
    show(lease_, TrueTime{}, Shade::nothing, "");
    update_all(TrueTime{});
  }

  void on(const record::Record& record) {
    expire(record.at);
    std::visit([&](const auto& fact) { happened(record.at, fact); }, record.fact);
  }

  std::vector<Lane> finish() {
    expire(end_);
    std::vector<Lane> lanes;
    const auto close = [&](Lane& lane) {
      for (Span& span : lane.spans) {
        if (span.to == never<TrueTime>) span.to = end_;
      }
      lanes.push_back(std::move(lane));
    };
    close(lease_);
    for (std::size_t i = 0; i < work_.size(); ++i) {
      close(belief_[i]);
      close(work_[i]);
    }
    close(leaders_);
    for (Lane& lane : faults_) close(lane);
    return lanes;
  }

 private:
  static void show(Lane& lane, TrueTime at, Shade shade, const std::string& text) {
    if (!lane.spans.empty() && lane.spans.back().to == never<TrueTime>) {
      Span& last = lane.spans.back();
      if (last.shade == shade && last.text == text) return;
      last.to = at;
      if (last.from == last.to) lane.spans.pop_back();
    }
    lane.spans.push_back({at, never<TrueTime>, shade, text});
  }

  void expire(TrueTime at) {
    if (!expires_ || *expires_ >= at) return;
    show(lease_, *expires_, Shade::expired, holder_);
    expires_.reset();
  }

  void update(TrueTime at, std::size_t i) {
    const ProcessState& p = states_[i];
    show(work_[i], at, work_of(p), "");
    show(belief_[i], at, p.leads ? Shade::believes : Shade::nothing, "");
  }

  void update_leaders(TrueTime at) {
    const auto believers =
        std::count_if(states_.begin(), states_.end(), [](const auto& p) { return p.leads; });
    const auto running = std::count_if(states_.begin(), states_.end(),
                                       [](const auto& p) { return p.leads && !p.frozen; });
    show(leaders_, at,
         running > 1     ? Shade::two_run
         : believers > 1 ? Shade::two_believe
         : believers > 0 ? Shade::one_leader
                         : Shade::no_leader,
         fmt::format("{}", running > 1 ? running : believers));
  }

  void update_all(TrueTime at) {
    for (std::size_t i = 0; i < states_.size(); ++i) update(at, i);
    update_leaders(at);
  }

  ProcessState& state(ProcessId id) { return states_[id.value]; }

  void happened(TrueTime at, const record::LeaseWritten& f) {
    holder_ = world::to_text(setup_, f.record.holder);
    show(lease_, at, f.record.holder.empty() ? Shade::unowned : Shade::held, holder_);
    expires_ = later(at, std::chrono::seconds{f.record.duration_seconds});
    if (f.record.holder.empty()) expires_.reset();
  }
  void happened(TrueTime at, const record::LeaseDeleted&) {
    expires_.reset();
    show(lease_, at, Shade::nothing, "");
  }
  void happened(TrueTime at, const record::LeadershipBegan& f) {
    if (f.level != record::Level::context) return;
    state(f.who.process).leads = true;
    update_all(at);
  }
  void happened(TrueTime at, const record::LeadershipEnded& f) {
    if (f.level != record::Level::context) return;
    state(f.who.process).leads = false;
    update_all(at);
  }
  void happened(TrueTime at, const record::ProcessStarted& f) {
    state(f.who.process).alive = true;
    update_all(at);
  }
  void happened(TrueTime at, const record::ProcessEnded& f) {
    state(f.who.process).alive = state(f.who.process).frozen = false;
    update_all(at);
  }
  void happened(TrueTime at, const record::ProcessPaused& f) {
    state(f.who.process).frozen = true;
    update_all(at);
  }
  void happened(TrueTime at, const record::ProcessResumed& f) {
    state(f.who.process).frozen = false;
    update_all(at);
  }
  void happened(TrueTime at, const record::ConnectionChanged& f) {
    state(f.process).cut_off = f.cut_off;
    update_all(at);
  }
  void happened(TrueTime at, const record::FaultBegan& f) {
    faults_[f.fault.value].spans.push_back(
        {at, never<TrueTime>, Shade::fault, setup_.faults[f.fault.value].name});
  }
  void happened(TrueTime at, const record::FaultEnded& f) {
    for (Span& span : faults_[f.fault.value].spans) {
      if (span.to == never<TrueTime>) {
        span.to = std::max(at, span.from + Duration{1});
        break;
      }
    }
  }
  template <class Other>
  void happened(TrueTime, const Other&) {}

  const world::Setup& setup_;
  TrueTime end_;
  std::vector<ProcessState> states_;
  Lane lease_, leaders_;
  std::vector<Lane> belief_, work_, faults_;
  std::string holder_;
  std::optional<TrueTime> expires_;
};

// ---- from spans to text

struct Sign {
  std::string_view unicode;
  std::string_view ascii;
  int weight;  // which of several in one column is shown
};

Sign sign_of(Shade shade) {
  switch (shade) {
    case Shade::nothing:
      return {" ", " ", 0};
    case Shade::held:
      return {"0", "0", 1};
    case Shade::expired:
      return {"~", "~", 3};
    case Shade::unowned:
      return {"-", "-", 4};
    case Shade::follows:
      return {"·", ".", 1};
    case Shade::works:
      return {"█", "L", 3};
    case Shade::works_cut_off:
      return {"▓", "C", 4};
    case Shade::frozen:
      return {"z", "z", 5};
    case Shade::leads_frozen:
      return {"Z", "Z", 6};
    case Shade::absent:
      return {" ", " ", 0};
    case Shade::cut_off:
      return {"x", "x", 2};
    case Shade::believes:
      return {"▬", "B", 3};
    case Shade::no_leader:
      return {"0", "0", 2};
    case Shade::one_leader:
      return {"1", "1", 1};
    case Shade::two_believe:
      return {"b", "b", 3};
    case Shade::two_run:
      return {"#", "#", 4};
    case Shade::fault:
      return {"▲", "^", 1};
  }
  return {" ", " ", 0};
}

// Widths that a person can count in.
Duration column_width(Duration whole, std::size_t columns) {
  constexpr std::array<std::int64_t, 3> steps = {1, 2, 5};
  for (std::int64_t decade = 1'000'000;; decade *= 10) {
    for (const std::int64_t step : steps) {
      const Duration width{decade * step};
      if (whole / width < static_cast<std::int64_t>(columns) || decade > 1'000'000'000'000'000)
        return width;
    }
  }
}

class Drawing {
 public:
  Drawing(const Timeline& timeline, std::size_t columns, Characters characters, Legend legend)
      : timeline_(timeline), columns_(columns), characters_(characters), legend_(legend) {
    for (const Lane& lane : timeline.lanes) label_ = std::max(label_, lane.label.size() + 2);
    const std::size_t room = columns > label_ + 20 ? columns - label_ : 20;
    width_ = column_width(timeline.to - timeline.from, room);
    count_ =
        static_cast<std::size_t>((timeline.to - timeline.from + width_ - Duration{1}) / width_);
  }

  std::string text() {
    std::string out = axis();
    for (const Lane& lane : timeline_.lanes) out += row(lane);
    return out + legend();
  }

 private:
  std::string axis() const {
    std::string line(label_, ' ');
    for (std::size_t column = 0; column < count_; column += 10) {
      const Duration at =
          (timeline_.from + static_cast<std::int64_t>(column) * width_).time_since_epoch();
      const std::string mark = seconds_text(at);
      line.resize(label_ + column, ' ');
      line += mark;
    }
    return line + fmt::format("\n{:{}}(a column is {})\n", "", label_, duration_text(width_));
  }

  std::string row(const Lane& lane) {
    std::string line = fmt::format("{:{}}", lane.label, label_);
    for (std::size_t column = 0; column < count_; ++column) {
      const TrueTime from = timeline_.from + static_cast<std::int64_t>(column) * width_;
      line += cell(lane, from, from + width_);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  }

  std::string cell(const Lane& lane, TrueTime from, TrueTime to) {
    const Span* shown = nullptr;
    for (const Span& span : lane.spans) {
      if (span.to <= from || span.from >= to) continue;
      if (shown == nullptr || sign_of(span.shade).weight >= sign_of(shown->shade).weight)
        shown = &span;
    }
    if (shown == nullptr) return " ";
    if (shown->shade == Shade::held) return holder_sign(shown->text);
    const Sign sign = sign_of(shown->shade);
    used_.push_back(shown->shade);
    return std::string{characters_ == Characters::ascii ? sign.ascii : sign.unicode};
  }

  // Holders are numbered in the order in which they are seen.
  std::string holder_sign(const std::string& holder) {
    const auto known = std::find(holders_.begin(), holders_.end(), holder);
    const auto index = static_cast<std::size_t>(known - holders_.begin());
    if (known == holders_.end()) holders_.push_back(holder);
    constexpr std::string_view signs = "0123456789abcdefghijklmnopqrstuvwxyz";
    return std::string{signs[index % signs.size()]};
  }

  std::string legend() const {
    std::vector<std::string> entries;
    for (std::size_t i = 0; i < holders_.size(); ++i) {
      entries.push_back(fmt::format("lease {}: held by {}", i, holders_[i]));
    }
    constexpr std::array<std::pair<Shade, std::string_view>, 13> words = {{
        {Shade::expired, "lease older than its duration"},
        {Shade::unowned, "lease released"},
        {Shade::believes, "believes to lead"},
        {Shade::works, "leads, runs"},
        {Shade::works_cut_off, "leads, runs, cut off from the API"},
        {Shade::leads_frozen, "leads, frozen"},
        {Shade::frozen, "frozen"},
        {Shade::follows, "follower"},
        {Shade::cut_off, "follower, cut off from the API"},
        {Shade::no_leader, "nobody leads"},
        {Shade::one_leader, "one leader"},
        {Shade::two_believe, "two believe to lead, not both run"},
        {Shade::two_run, "TWO RUNNING LEADERS"},
    }};
    for (const auto& [shade, what] : words) {
      if (std::find(used_.begin(), used_.end(), shade) == used_.end()) continue;
      const Sign sign = sign_of(shade);
      entries.push_back(
          fmt::format("{} {}", characters_ == Characters::ascii ? sign.ascii : sign.unicode, what));
    }
    return "\n" + laid_out(entries);
  }

  std::string laid_out(const std::vector<std::string>& entries) const {
    std::string out;
    std::size_t used = 0;
    for (const std::string& entry : entries) {
      const std::size_t wanted = code_points(entry) + 2;
      const bool fits = legend_ == Legend::compact && used > 0 && used + wanted <= columns_;
      if (used > 0 && !fits) out += "\n";
      used = fits ? used + wanted : wanted;
      out += "  " + entry;
    }
    return out.empty() ? out : out + "\n";
  }

  const Timeline& timeline_;
  std::size_t columns_;
  Characters characters_;
  Legend legend_;
  std::size_t label_ = 8;
  Duration width_{};
  std::size_t count_ = 0;
  std::vector<std::string> holders_;
  std::vector<Shade> used_;
};

}  // namespace

Timeline timeline_of(const world::Setup& setup,
                     const std::vector<record::Record>& history,
                     TrueTime from,
                     TrueTime to) {
  Tracer tracer{setup, TrueTime{setup.duration}};
  for (const record::Record& record : history) tracer.on(record);
  return {from, to, tracer.finish()};
}

std::string rendered(const Timeline& timeline,
                     std::size_t columns,
                     Characters characters,
                     Legend legend) {
  return Drawing{timeline, columns, characters, legend}.text();
}

}  // namespace tenure::report

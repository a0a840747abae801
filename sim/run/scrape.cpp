#include <utility>
#include <variant>

#include <tenure/run/scrape.hpp>
#include <tenure/scenario/alerts.hpp>

namespace tenure::run {
namespace {

alert::Labels labels_of(const world::Setup& setup, ProcessId process, std::string_view metric) {
  const std::string& name = setup.processes[process.value].name;
  return {{std::string{alert::metric_name_label}, std::string{metric}},
          {"job", setup.candidate_of(process).name},
          {"instance", name},
          {"pod", name}};
}

bool is_client_go(const world::Setup& setup, ProcessId process) {
  return std::holds_alternative<elect::ClientGoConfig>(setup.candidate_of(process).elector);
}

}  // namespace

Scraper::Scraper(const world::Setup& setup, Plan plan) : setup_(&setup), plan_(std::move(plan)) {
  targets_.resize(setup.processes.size());
  for (std::uint32_t i = 0; i < targets_.size(); ++i) {
    const ProcessId process{i};
    Target& target = targets_[i];
    target.next = plan_.phases[i];
    target.first_series = series_.size();
    series_.push_back({labels_of(setup, process, scenario::up_metric), {}});
    series_.push_back({labels_of(setup, process, scenario::is_leader_metric), {}});
    series_.push_back({labels_of(setup, process, scenario::transitions_metric), {}});
    if (is_client_go(setup, process)) {
      alert::Labels labels = labels_of(setup, process, scenario::master_status_metric);
      labels.set("name", plan_.lease_name);
      series_.push_back({std::move(labels), {}});
    }
    target.series = series_.size() - target.first_series - 1;
  }
}

void Scraper::on(const record::Record& record) {
  std::visit([&](const auto& fact) { heard(record.at, fact); }, record.fact);
}

void Scraper::end(TrueTime at) {
  for (Target& target : targets_) scrape_before(target, later(at, Duration{1}));
}

void Scraper::scrape_before(Target& target, TrueTime at) {
  while (TrueTime{std::chrono::milliseconds{target.next}} < at) {
    scrape(target, target.next);
    target.next += plan_.interval;
  }
}

void Scraper::scrape(Target& target, alert::Millis at) {
  const bool answers = target.answers();
  series_[target.first_series].samples.push_back({at, answers ? 1.0 : 0.0, false});
  const double leads = target.leads ? 1 : 0;
  const double values[] = {leads, static_cast<double>(target.transitions), leads};
  for (std::size_t i = 0; i < target.series; ++i) {
    std::vector<alert::Sample>& samples = series_[target.first_series + 1 + i].samples;
    if (answers) {
      samples.push_back({at, values[i], false});
    } else if (target.was_exposed) {
      samples.push_back({at, 0, true});
    }
  }
  target.was_exposed = answers;
}

Scraper::Target& Scraper::reached(ProcessId process, TrueTime at) {
  Target& target = targets_[process.value];
  scrape_before(target, at);
  return target;
}

void Scraper::heard(TrueTime at, const record::LeadershipBegan& fact) {
  if (fact.level != record::Level::context) return;
  Target& target = reached(fact.who.process, at);
  target.leads = true;
  ++target.transitions;
}

void Scraper::heard(TrueTime at, const record::LeadershipEnded& fact) {
  if (fact.level == record::Level::context) reached(fact.who.process, at).leads = false;
}

void Scraper::heard(TrueTime at, const record::ProcessStarted& fact) {
  Target& target = reached(fact.who.process, at);
  target.is_running = true;
  target.is_frozen = false;
  target.leads = false;
  target.transitions = 0;
}

void Scraper::heard(TrueTime at, const record::ProcessEnded& fact) {
  reached(fact.who.process, at).is_running = false;
}

void Scraper::heard(TrueTime at, const record::ProcessPaused& fact) {
  reached(fact.who.process, at).is_frozen = true;
}

void Scraper::heard(TrueTime at, const record::ProcessResumed& fact) {
  reached(fact.who.process, at).is_frozen = false;
}

void Scraper::heard(TrueTime at, const record::ConnectionChanged& fact) {
  reached(fact.process, at).is_cut_off = fact.cut_off;
}

void Scraper::heard(TrueTime at, const record::FaultHit& fact) {
  if (setup_->faults[fact.fault.value].type != fault::Type::partition) return;
  ++reached(fact.who.process, at).partitions;
  hits_.push_back({fact.fault, fact.occurrence, fact.who.process});
}

void Scraper::heard(TrueTime at, const record::FaultEnded& fact) {
  std::erase_if(hits_, [&](const Hit& hit) {
    if (hit.fault != fact.fault || hit.occurrence != fact.occurrence) return false;
    --reached(hit.process, at).partitions;
    return true;
  });
}

}  // namespace tenure::run

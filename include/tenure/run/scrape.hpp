// What a Prometheus server scrapes of the candidates in one run, from its facts: every process name
// is a target, scraped every `interval` at a phase of its own. A scrape takes no time. It fails
// while the process is not there, frozen or cut off (the server stands beside the API server, and
// an outage of that one does not touch it); then `up` is 0 and the other series are stale.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tenure/alert/series.hpp>
#include <tenure/record/recorder.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::run {

struct ScrapedSeries {
  alert::Labels labels;
  std::vector<alert::Sample> samples;
};

class Scraper final : public record::Recorder {
 public:
  struct Plan {
    alert::Millis interval = 15'000;
    std::vector<alert::Millis> phases;  // by process
    std::string lease_name;             // what client-go calls `name`
  };

  Scraper(const world::Setup& setup, Plan plan);

  void on(const record::Record& record) override;

  // The run is over at `at`.
  void end(TrueTime at);

  // Of all targets, in the order of the processes. Whole once the run has ended.
  const std::vector<ScrapedSeries>& series() const { return series_; }

 private:
  // A process name as the server knows it.
  struct Target {
    bool is_running = false;
    bool is_frozen = false;
    bool is_cut_off = false;
    int partitions = 0;  // that hit it now
    bool leads = false;
    std::uint64_t transitions = 0;
    bool was_exposed = false;  // by the last scrape
    alert::Millis next = 0;
    std::size_t first_series = 0;
    std::size_t series = 0;  // beside `up`, which is the first

    bool answers() const { return is_running && !is_frozen && !(is_cut_off && partitions > 0); }
  };

  struct Hit {
    FaultId fault;
    std::uint32_t occurrence = 0;
    ProcessId process;
  };

  // Scrapes that are due before `at`; what happens at an instant is seen by the scrape of then.
  void scrape_before(Target& target, TrueTime at);
  void scrape(Target& target, alert::Millis at);
  Target& reached(ProcessId process, TrueTime at);

  void heard(TrueTime at, const record::LeadershipBegan& fact);
  void heard(TrueTime at, const record::LeadershipEnded& fact);
  void heard(TrueTime at, const record::ProcessStarted& fact);
  void heard(TrueTime at, const record::ProcessEnded& fact);
  void heard(TrueTime at, const record::ProcessPaused& fact);
  void heard(TrueTime at, const record::ProcessResumed& fact);
  void heard(TrueTime at, const record::ConnectionChanged& fact);
  void heard(TrueTime at, const record::FaultHit& fact);
  void heard(TrueTime at, const record::FaultEnded& fact);
  template <class Fact>
  void heard(TrueTime, const Fact&) {}

  const world::Setup* setup_;
  Plan plan_;
  std::vector<Target> targets_;  // by process
  std::vector<Hit> hits_;        // of partitions that go on
  std::vector<ScrapedSeries> series_;
};

}  // namespace tenure::run

// What the processes of a run would export about themselves, followed fact by fact: the metrics of
// the program (leader_election_is_leader, ...) and those of client-go's elector.
#pragma once

#include <cstdint>
#include <vector>

#include <tenure/kernel/node_clock.hpp>
#include <tenure/record/fact.hpp>
#include <tenure/world/setup.hpp>

namespace tenure::report {

struct Exported {
  bool alive = false, frozen = false, cut_off = false;
  bool believes = false;          // the context of OnStartedLeading is live
  std::uint32_t transitions = 0;  // how often it became leader; a new process begins at 0
  bool master_status = false;     // client-go: 1 from an acquisition to a failed round
  std::uint32_t slowpath = 0;     // client-go: writes as holder after a GET

  bool answers_scrapes() const { return alive && !frozen && !cut_off; }
};

class Exports {
 public:
  Exports(const world::Setup& setup, const std::vector<kernel::NodeClock>& clocks)
      : setup_(setup), clocks_(clocks), processes_(setup.processes.size()) {}

  void on(const record::Record& record);

  const Exported& of(ProcessId process) const { return processes_[process.value].shown; }

 private:
  // A round of renewals, as far as its messages tell of it: it begins with the first request after
  // the last success, and what is sent at its deadline or later is the release.
  struct Process {
    Exported shown;
    bool sees_itself_leading = false;
    bool round_is_open = false;
    TrueTime round_ends = never<TrueTime>;
    TrueTime last_success{};
    bool releases = false;
    std::uint64_t read_in = ~std::uint64_t{0};  // the event that brought the last GET's answer
    std::uint8_t verb = 0;                      // of the last request
  };

  void happened(const record::Record& record, const record::RequestSent& f);
  void happened(const record::Record& record, const record::ReplyReceived& f);
  void happened(const record::Record& record, const record::LeadershipBegan& f);
  void happened(const record::Record& record, const record::LeadershipEnded& f);
  void happened(const record::Record& record, const record::ProcessStarted& f);
  void happened(const record::Record& record, const record::ProcessEnded& f);
  void happened(const record::Record& record, const record::ProcessPaused& f);
  void happened(const record::Record& record, const record::ProcessResumed& f);
  void happened(const record::Record& record, const record::ConnectionChanged& f);
  template <class Other>
  void happened(const record::Record&, const Other&) {}

  Process& process(ProcessId id) { return processes_[id.value]; }
  TrueTime end_of_round(ProcessId id, TrueTime begin) const;

  const world::Setup& setup_;
  const std::vector<kernel::NodeClock>& clocks_;
  std::vector<Process> processes_;
};

}  // namespace tenure::report

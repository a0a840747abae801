#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <tenure/api/message.hpp>
#include <tenure/base/variant.hpp>
#include <tenure/elect/any_elector.hpp>
#include <tenure/report/openmetrics.hpp>

#include "exported.hpp"

namespace tenure::report {
namespace {

// ---- text

// Escapes of a label value; HELP has the same ones.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '\\' || c == '"') out += '\\';
      out += c;
    }
  }
  return out;
}

// Seconds with as many decimals as there are.
std::string decimal(std::int64_t ns) {
  constexpr std::int64_t second = 1'000'000'000;
  std::string text = fmt::format("{}{}", ns < 0 ? "-" : "", std::abs(ns / second));
  if (ns % second != 0) {
    text += fmt::format(".{:09}", std::abs(ns % second));
    text.resize(text.find_last_not_of('0') + 1);
  }
  return text;
}

// ---- what was scraped

// The API server's counters, by method and code (apiserver_request_total).
using Requests = std::map<std::pair<std::string_view, std::uint16_t>, std::uint64_t>;

std::string_view method(std::uint8_t verb) {
  switch (static_cast<api::Verb>(verb)) {
    case api::Verb::get:
      return "GET";
    case api::Verb::create:
      return "POST";
    case api::Verb::update:
      return "PUT";
    case api::Verb::remove:
      return "DELETE";
  }
  return "";
}

// Everything at one instant.
struct Scrape {
  TrueTime at{};
  std::vector<Exported> processes;
  Requests requests;
  bool server_is_up = true;
  std::optional<TrueTime> last_write;
};

// An API server that refuses connections or never answers is not scraped either.
bool silences_server(const fault::Fault& fault) {
  return fault.type == fault::Type::api_outage && fault.mode != fault::OutageMode::error;
}

class Scraper {
 public:
  Scraper(const world::Setup& setup,
          const std::vector<record::Record>& history,
          const std::vector<kernel::NodeClock>& clocks)
      : setup_(setup), history_(history), exports_(setup, clocks) {}

  std::vector<Scrape> scrapes(Duration interval) {
    std::vector<Scrape> all;
    std::size_t next = 0;
    for (TrueTime at{}; at <= TrueTime{setup_.duration}; at = later(at, interval)) {
      for (; next < history_.size() && history_[next].at <= at; ++next) hear(history_[next]);
      all.push_back(scrape(at));
    }
    return all;
  }

 private:
  void hear(const record::Record& record) {
    exports_.on(record);
    std::visit(overloaded{[&](const record::RequestHandled& f) {
                            ++requests_[{method(f.verb), f.code}];
                          },
                          [&](const record::LeaseWritten&) { last_write_ = record.at; },
                          [&](const record::LeaseDeleted&) { last_write_.reset(); },
                          [&](const record::FaultBegan& f) { silent_ += weight(f.fault); },
                          [&](const record::FaultEnded& f) { silent_ -= weight(f.fault); },
                          [](const auto&) {}},
               record.fact);
  }
  int weight(FaultId id) const { return silences_server(setup_.faults[id.value]) ? 1 : 0; }

  Scrape scrape(TrueTime at) const {
    Scrape now{at, {}, requests_, silent_ == 0, last_write_};
    for (std::uint32_t i = 0; i < setup_.processes.size(); ++i)
      now.processes.push_back(exports_.of(ProcessId{i}));
    return now;
  }

  const world::Setup& setup_;
  const std::vector<record::Record>& history_;
  Exports exports_;
  Requests requests_;
  int silent_ = 0;
  std::optional<TrueTime> last_write_;
};

// ---- families

class Families {
 public:
  Families(const world::Setup& setup,
           const std::vector<Scrape>& scrapes,
           WallTime epoch,
           const TextSink& sink)
      : setup_(setup), scrapes_(scrapes), epoch_(epoch), sink_(sink) {}

  void write() {
    up();
    family("leader_election_is_leader", "gauge", "1 while this process leads.");
    of_processes("leader_election_is_leader", [](const Exported& e) { return e.believes; });
    family("leader_election_transitions", "counter",
           "How often this process became the leader; it counts from 0 when it is started.");
    of_processes("leader_election_transitions_total",
                 [](const Exported& e) { return e.transitions; });
    of_client_go();
    of_server();
    truth();
    sink_("# EOF\n");
  }

 private:
  void family(std::string_view name,
              std::string_view type,
              std::string_view help,
              std::string_view unit = {}) {
    sink_(fmt::format("# TYPE {} {}\n", name, type));
    if (!unit.empty()) sink_(fmt::format("# UNIT {} {}\n", name, unit));
    sink_(fmt::format("# HELP {} {}\n", name, escaped(help)));
  }

  void sample(std::string_view series, TrueTime at, std::string_view value) {
    const std::int64_t ns = (epoch_ + at.time_since_epoch()).time_since_epoch().count();
    sink_(fmt::format("{} {} {}\n", series, value, decimal(ns)));
  }

  const world::Candidate& candidate(std::size_t i) const {
    return setup_.candidate_of(ProcessId{static_cast<std::uint32_t>(i)});
  }
  std::string target(std::size_t i) const {
    return fmt::format(R"(candidate="{}",pod="{}")", escaped(candidate(i).name),
                       escaped(setup_.processes[i].name));
  }

  // The samples of one metric stand together.
  template <class Value>
  void series(std::string_view name, std::size_t i, std::string_view more, const Value& value) {
    const std::string text = fmt::format("{}{{{}{}}}", name, target(i), more);
    for (const Scrape& scrape : scrapes_) {
      const Exported& exported = scrape.processes[i];
      if (!exported.answers_scrapes()) continue;
      if (const std::optional<std::uint64_t> number = value(exported))
        sample(text, scrape.at, fmt::format("{}", *number));
    }
  }

  template <class Value>
  void of_processes(std::string_view name, const Value& value) {
    for (std::size_t i = 0; i < setup_.processes.size(); ++i) {
      series(name, i, "",
             [&](const Exported& e) { return std::optional<std::uint64_t>{value(e)}; });
    }
  }

  void up() {
    family("up", "gauge", "1 when the target answered the scrape.");
    for (std::size_t i = 0; i < setup_.processes.size(); ++i) {
      const std::string text = fmt::format("up{{{}}}", target(i));
      for (const Scrape& scrape : scrapes_)
        sample(text, scrape.at, scrape.processes[i].answers_scrapes() ? "1" : "0");
    }
    for (const Scrape& scrape : scrapes_)
      sample(R"(up{job="apiserver"})", scrape.at, scrape.server_is_up ? "1" : "0");
  }

  // component-base metrics/prometheus/clientgo/leaderelection; `name` is the elector's Name.
  void of_client_go() {
    family(
        "leader_election_master_status", "gauge",
        "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 "
        "indicates master. 'name' is the string used to identify the lease.");
    each_client_go([&](std::size_t i, const elect::ClientGoConfig&, const std::string& name) {
      series("leader_election_master_status", i, name, [](const Exported& e) {
        return std::optional<std::uint64_t>{e.master_status ? 1 : 0};
      });
    });
    family(
        "leader_election_slowpath", "counter",
        "Total number of slow path exercised in renewing leader leases. 'name' is the string used "
        "to identify the lease.");
    // A counter vector has no series before its first increment.
    each_client_go(
        [&](std::size_t i, const elect::ClientGoConfig& config, const std::string& name) {
          if (!config.profile.fast_path) return;
          series("leader_election_slowpath_total", i, name, [](const Exported& e) {
            return e.slowpath == 0 ? std::nullopt : std::optional<std::uint64_t>{e.slowpath};
          });
        });
  }

  template <class Do>
  void each_client_go(const Do& act) {
    for (std::size_t i = 0; i < setup_.processes.size(); ++i) {
      const auto* config = std::get_if<elect::ClientGoConfig>(&candidate(i).elector);
      if (config == nullptr) continue;
      act(i, *config, fmt::format(R"(,name="{}")", escaped(candidate(i).name)));
    }
  }

  void of_server() {
    family("apiserver_request", "counter", "Requests for the Lease, by method and code.");
    if (scrapes_.empty()) return;
    for (const auto& [key, last] : scrapes_.back().requests) {
      const std::string text = fmt::format(
          "apiserver_request_total{{code=\"{}\",group=\"coordination.k8s.io\",job=\"apiserver\","
          "resource=\"leases\",verb=\"{}\"}}",
          key.second, key.first);
      for (const Scrape& scrape : scrapes_) {
        const auto found = scrape.requests.find(key);
        if (found == scrape.requests.end() || !scrape.server_is_up) continue;
        sample(text, scrape.at, fmt::format("{}", found->second));
      }
    }
  }

  // What no target knows.
  void truth() {
    family("tenure_believed_leaders", "gauge",
           "Processes that believe to lead, those included that no scrape reaches.");
    for (const Scrape& scrape : scrapes_) {
      std::size_t believers = 0;
      for (const Exported& exported : scrape.processes) believers += exported.believes ? 1 : 0;
      sample("tenure_believed_leaders", scrape.at, fmt::format("{}", believers));
    }
    family("tenure_lease_age_seconds", "gauge", "Since the Lease was written last, in true time.",
           "seconds");
    for (const Scrape& scrape : scrapes_) {
      if (!scrape.last_write) continue;
      sample("tenure_lease_age_seconds", scrape.at,
             decimal((scrape.at - *scrape.last_write).count()));
    }
  }

  const world::Setup& setup_;
  const std::vector<Scrape>& scrapes_;
  WallTime epoch_;
  const TextSink& sink_;
};

}  // namespace

void write_openmetrics(const world::Setup& setup,
                       const std::vector<record::Record>& history,
                       const std::vector<kernel::NodeClock>& clocks,
                       const Scrapes& scrapes,
                       const TextSink& sink) {
  const std::vector<Scrape> seen = Scraper{setup, history, clocks}.scrapes(scrapes.interval);
  Families{setup, seen, scrapes.epoch, sink}.write();
}

}  // namespace tenure::report

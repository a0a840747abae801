#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>

#include <tenure/base/assert.hpp>
#include <tenure/record/causality.hpp>

namespace tenure::record {
namespace {

using Index = std::size_t;
using Graph = boost::compressed_sparse_row_graph<boost::directedS>;  // from effects to their causes

// An HTTP status from 429 on says that the server did not look: overload, or an outage.
bool looked_at_the_store(std::uint16_t code) {
  return code < 429;
}

// Reads a history from its beginning and keeps, of everything that may be a cause, the last.
class Edges {
 public:
  void add(Index index, const Record& record) {
    index_ = index;
    if (!first_of_event_ || record.cause != event_) {
      event_ = record.cause;
      first_of_event_ = index;
    } else {
      because_of(first_of_event_);
    }
    std::visit([&](const auto& fact) { happened(fact); }, record.fact);
  }

  const std::vector<std::pair<Index, Index>>& edges() const { return edges_; }

 private:
  struct Message {
    std::optional<Index> sent, handled;
  };
  struct Process {
    std::optional<Index> last;
    std::vector<Index> losses;  // that it has not reacted to yet
    std::optional<Index> connection;
  };

  void because_of(std::optional<Index> cause) {
    if (cause && *cause != index_) edges_.emplace_back(index_, *cause);
  }

  void acts(ProcessId id) {
    Process& process = processes_[id];
    because_of(process.last);
    for (const Index loss : process.losses) because_of(loss);
    process.losses.clear();
    process.last = index_;
  }

  Message& message(Incarnation of, RequestId request) { return messages_[{of, request}]; }
  void passes_connection(ProcessId id) { because_of(processes_[id].connection); }

  // ---- at the API server

  void happened(const RequestHandled& f) {
    Message& request = message(f.from, f.request);
    because_of(request.sent);
    passes_connection(f.from.process);
    // A request does not say of which Lease; a world has one.
    if (looked_at_the_store(f.code)) because_of(stored_);
    request.handled = index_;
    handling_ = &request;
  }
  void happened(const LeaseWritten&) { stores(); }
  void happened(const LeaseDeleted&) { stores(); }

  // Follows, in one event, the request that asked for it; the reply depends on both.
  void stores() {
    stored_ = index_;
    if (handling_ != nullptr && handling_->handled == first_of_event_) handling_->handled = index_;
  }

  // ---- messages

  void happened(const RequestSent& f) {
    acts(f.from.process);
    message(f.from, f.request).sent = index_;
  }
  void happened(const MessageLost& f) {
    const Message& lost = message(f.process, f.request);
    because_of(f.was_request ? lost.sent : lost.handled);
    passes_connection(f.process.process);
    processes_[f.process.process].losses.push_back(index_);
  }
  void happened(const ReplyReceived& f) {
    acts(f.by.process);
    if (f.code == 0) return;  // the client's own error came from no server
    because_of(message(f.by, f.request).handled);
    passes_connection(f.by.process);
  }
  void happened(const ConnectionChanged& f) {
    std::optional<Index>& connection = processes_[f.process].connection;
    because_of(connection);
    connection = index_;
  }

  // ---- faults

  void happened(const FaultBegan& f) { begins_[{f.fault, f.occurrence}] = index_; }
  void happened(const FaultHit& f) {
    because_of(begin_of(f.fault, f.occurrence));
    acts(f.who.process);
  }
  void happened(const FaultEnded& f) { because_of(begin_of(f.fault, f.occurrence)); }

  std::optional<Index> begin_of(FaultId fault, std::uint32_t occurrence) const {
    const auto begin = begins_.find({fault, occurrence});
    if (begin == begins_.end()) return std::nullopt;
    return begin->second;
  }

  // ---- all others are acts of `who`

  template <class Fact>
  void happened(const Fact& f) {
    acts(f.who.process);
  }

  Index index_ = 0;
  std::uint64_t event_ = 0;
  std::optional<Index> first_of_event_;
  std::optional<Index> stored_;
  Message* handling_ = nullptr;  // the request handled last; nodes of a map stay where they are
  std::map<ProcessId, Process> processes_;
  std::map<std::pair<Incarnation, RequestId>, Message> messages_;
  std::map<std::pair<FaultId, std::uint32_t>, Index> begins_;
  std::vector<std::pair<Index, Index>> edges_;  // (effect, cause), by effect
};

Graph causes_in(const std::vector<Record>& history) {
  Edges edges;
  for (Index i = 0; i < history.size(); ++i) edges.add(i, history[i]);
  return {boost::edges_are_sorted, edges.edges().begin(), edges.edges().end(), history.size()};
}

}  // namespace

std::vector<Index> ancestors_of(const std::vector<Record>& history, const std::vector<Index>& of) {
  for (const Index index : of) TENURE_ASSERT(index < history.size(), "a record of this history");
  const Graph causes = causes_in(history);
  std::vector<boost::default_color_type> colours(history.size());
  boost::queue<Index> open;
  boost::breadth_first_search(
      causes, of.begin(), of.end(), open, boost::default_bfs_visitor{},
      boost::make_iterator_property_map(colours.begin(), boost::get(boost::vertex_index, causes)));
  std::vector<Index> found;
  for (Index i = 0; i < colours.size(); ++i) {
    if (colours[i] != boost::white_color) found.push_back(i);
  }
  return found;
}

}  // namespace tenure::record

// Where things stand: nodes, their zones, the API server, and the directed links between them. A
// partition takes links away; what can still be reached is a search over what is left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tenure/base/id.hpp>

namespace tenure::net {

// Whether messages get through: from a place to the API server, and back.
struct Reach {
  bool to_api = true;
  bool from_api = true;

  friend bool operator==(const Reach&, const Reach&) = default;
};

// A place in the topology: a node, a zone or the API server.
using Place = Id<struct PlaceTag>;

// Links that are down: everything that leaves `place` in the direction of the API server (for the
// API server itself: towards it), everything that comes back, or both.
struct Cut {
  Place place;
  bool to_api = true;
  bool from_api = true;

  friend bool operator==(const Cut&, const Cut&) = default;
};

class Topology {
 public:
  struct Site {
    std::string name;
    std::string zone;  // empty: in no zone
  };

  Topology() : Topology(std::vector<Site>{}) {}
  explicit Topology(const std::vector<Site>& sites);

  std::size_t nodes() const { return sites_.size(); }
  const std::string& name(NodeId node) const { return sites_[node.value].name; }
  const std::vector<std::string>& zones() const { return zones_; }
  bool is_in_zone(NodeId node, std::uint32_t zone) const { return zone_of_[node.value] == zone; }

  Place place(NodeId node) const;
  Place zone_place(std::uint32_t zone) const;
  Place api_server() const;

  // What each node can reach, by node, while the cuts are in force.
  std::vector<Reach> reach(const std::vector<Cut>& cuts) const;

 private:
  static constexpr std::uint32_t no_zone = 0xffffffffU;

  struct Graph;  // a Boost.Graph; shared, because it never changes

  std::vector<Site> sites_;
  std::vector<std::string> zones_;
  std::vector<std::uint32_t> zone_of_;
  std::shared_ptr<const Graph> graph_;
};

}  // namespace tenure::net

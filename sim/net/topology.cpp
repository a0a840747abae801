#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/reverse_graph.hpp>

#include <tenure/net/topology.hpp>

namespace tenure::net {

// Vertices: nodes, zones, the backbone, the API server. Each edge knows the place whose link it is.
struct Topology::Graph {
  struct Link {
    std::uint32_t place = 0;
    bool to_api = true;
  };
  using Adjacency = boost::
      adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, boost::no_property, Link>;
  Adjacency adjacency;

  void connect(std::size_t from, std::size_t to, std::size_t place) {
    boost::add_edge(from, to, Link{static_cast<std::uint32_t>(place), true}, adjacency);
    boost::add_edge(to, from, Link{static_cast<std::uint32_t>(place), false}, adjacency);
  }
};

namespace {

// Which vertices a breadth-first search from `start` finds.
template <class Graph>
std::vector<bool> found_from(const Graph& graph, std::size_t start) {
  std::vector<bool> found(boost::num_vertices(graph), false);
  std::vector<boost::default_color_type> colours(found.size());
  struct Mark : boost::default_bfs_visitor {
    std::vector<bool>* found;
    explicit Mark(std::vector<bool>* f) : found(f) {}
    void discover_vertex(std::size_t v, const Graph&) { (*found)[v] = true; }
  };
  boost::breadth_first_search(graph, start,
                              boost::visitor(Mark{&found})
                                  .color_map(boost::make_iterator_property_map(
                                      colours.begin(), boost::get(boost::vertex_index, graph))));
  return found;
}

}  // namespace

Topology::Topology(const std::vector<Site>& sites) : sites_(sites) {
  for (const Site& site : sites_) {
    if (site.zone.empty()) {
      zone_of_.push_back(no_zone);
      continue;
    }
    const auto known = std::find(zones_.begin(), zones_.end(), site.zone);
    zone_of_.push_back(static_cast<std::uint32_t>(known - zones_.begin()));
    if (known == zones_.end()) zones_.push_back(site.zone);
  }
  auto graph = std::make_shared<Graph>();
  const std::size_t backbone = sites_.size() + zones_.size();
  const std::size_t api = backbone + 1;
  graph->adjacency = Graph::Adjacency(api + 1);
  for (std::size_t node = 0; node < sites_.size(); ++node) {
    graph->connect(node, zone_of_[node] == no_zone ? backbone : sites_.size() + zone_of_[node],
                   node);
  }
  for (std::size_t zone = 0; zone < zones_.size(); ++zone) {
    graph->connect(sites_.size() + zone, backbone, sites_.size() + zone);
  }
  graph->connect(backbone, api, api);
  graph_ = std::move(graph);
}

Place Topology::place(NodeId node) const {
  return Place{node.value};
}

Place Topology::zone_place(std::uint32_t zone) const {
  return Place{static_cast<std::uint32_t>(sites_.size()) + zone};
}

Place Topology::api_server() const {
  return Place{static_cast<std::uint32_t>(sites_.size() + zones_.size() + 1)};
}

std::vector<Reach> Topology::reach(const std::vector<Cut>& cuts) const {
  const Graph::Adjacency& all = graph_->adjacency;
  const auto stands = [&](const Graph::Adjacency::edge_descriptor& edge) {
    const Graph::Link link = all[edge];
    return std::none_of(cuts.begin(), cuts.end(), [&](const Cut& cut) {
      return cut.place.value == link.place && (link.to_api ? cut.to_api : cut.from_api);
    });
  };
  const auto left =
      boost::filtered_graph(all, std::function<bool(Graph::Adjacency::edge_descriptor)>{stands});
  const std::size_t api = api_server().value;
  const std::vector<bool> answered = found_from(left, api);
  const std::vector<bool> heard = found_from(boost::make_reverse_graph(left), api);
  std::vector<Reach> reach(sites_.size());
  for (std::size_t node = 0; node < sites_.size(); ++node)
    reach[node] = {heard[node], answered[node]};
  return reach;
}

}  // namespace tenure::net

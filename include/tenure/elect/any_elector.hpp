// The closed set of electors. A new one is one more alternative, and the compiler names every place
// that must handle it.
#pragma once

#include <optional>
#include <type_traits>
#include <variant>

#include <tenure/elect/client_go.hpp>
#include <tenure/elect/elector.hpp>
#include <tenure/elect/naive_loop.hpp>

namespace tenure::elect {

using AnyElector = std::variant<ClientGo, NaiveLoop>;
using AnyElectorConfig = std::variant<ClientGoConfig, NaiveLoopConfig>;

// A fresh elector of the kind that `config` configures.
inline AnyElector make_elector(const AnyElectorConfig& config, Identity me) {
  AnyElector elector;
  if (std::holds_alternative<ClientGoConfig>(config)) {
    elector.emplace<ClientGo>().me = me;
  } else {
    elector.emplace<NaiveLoop>().me = me;
  }
  return elector;
}

inline void step(AnyElector& elector,
                 const AnyElectorConfig& config,
                 const Input& input,
                 LocalTime now,
                 Outbox& out) {
  if (auto* client_go = std::get_if<ClientGo>(&elector)) {
    return client_go->step(*std::get_if<ClientGoConfig>(&config), input, now, out);
  }
  std::get_if<NaiveLoop>(&elector)->step(*std::get_if<NaiveLoopConfig>(&config), input, now, out);
}

inline void settle(AnyElector& elector,
                   const AnyElectorConfig& config,
                   LocalTime now,
                   Duration grain) {
  if (auto* client_go = std::get_if<ClientGo>(&elector)) {
    return client_go->settle(*std::get_if<ClientGoConfig>(&config), now, grain);
  }
  std::get_if<NaiveLoop>(&elector)->settle(*std::get_if<NaiveLoopConfig>(&config), now, grain);
}

inline bool reads_object(const AnyElector& elector) {
  return std::visit([](const auto& e) { return e.reads_object(); }, elector);
}

inline bool is_leader(const AnyElector& elector) {
  return std::visit([](const auto& e) { return e.is_leader(); }, elector);
}

}  // namespace tenure::elect

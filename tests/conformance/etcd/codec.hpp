// Between the lines of a transcript and the messages of the model. Names are those of etcd's JSON
// gateway; a field that is zero, false or empty is absent; a byte is a character.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <tenure/store/message.hpp>

namespace tenure::conformance::etcd {

using Json = nlohmann::json;

// The leases whose ids the server chose have other ids in the model: a transcript calls them "L1",
// "L2", ... in the order of their grants.
class LeaseNames {
 public:
  void add(store::LeaseId id) { names_.emplace(id, "L" + std::to_string(names_.size() + 1)); }
  store::LeaseId id_of(const Json& written) const;
  Json written(store::LeaseId id) const;

 private:
  std::map<store::LeaseId, std::string> names_;
};

// Reads the fields of one object, and knows at the end whether there were others.
class Fields {
 public:
  Fields(const Json& object, std::string& problem);
  ~Fields();
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  const Json& operator[](std::string_view name);
  std::int64_t number(std::string_view name);
  bool flag(std::string_view name);
  std::string bytes(std::string_view name);
  Revision revision(std::string_view name) { return Revision{number(name)}; }
  store::KeyRange keys();
  // One of the names, by its place.
  std::size_t choice(std::string_view name, std::initializer_list<std::string_view> names);

 private:
  const Json& object_;
  std::string& problem_;
  std::size_t read_ = 0;
};

bool is_command(std::string_view op);
// What it did not understand goes to `problem`.
store::Command command_of(std::string_view op,
                          const Json& request,
                          const LeaseNames& names,
                          std::string& problem);

// What a transcript says for this reply: the fields "response" or "error" of a line.
Json written(const store::Reply& reply, const LeaseNames& names);
Json written(const store::KeyValue& kv, const LeaseNames& names);
Json written_header(Revision revision);
std::string text_of(std::string_view bytes);

}  // namespace tenure::conformance::etcd

#include "codec.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <tenure/base/variant.hpp>

namespace tenure::conformance::etcd {
namespace {

using namespace store;

const Json absent;

// Characters below 256, which UTF-8 writes as one or two bytes.
std::string bytes_of(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80 || i + 1 == text.size()) {
      bytes.push_back(text[i]);
    } else {
      const auto next = static_cast<unsigned char>(text[++i]);
      bytes.push_back(static_cast<char>(((lead & 0x03U) << 6U) | (next & 0x3FU)));
    }
  }
  return bytes;
}

// ---- requests

RangeRequest range_of(const Json& json, std::string& problem) {
  Fields in{json, problem};
  RangeRequest request;
  request.keys = in.keys();
  request.limit = in.number("limit");
  request.revision = in.revision("revision");
  request.sort_order =
      static_cast<SortOrder>(in.choice("sort_order", {"NONE", "ASCEND", "DESCEND"}));
  request.sort_target = static_cast<SortTarget>(
      in.choice("sort_target", {"KEY", "VERSION", "CREATE", "MOD", "VALUE"}));
  in.flag("serializable");  // of one member the same
  request.keys_only = in.flag("keys_only");
  request.count_only = in.flag("count_only");
  request.min_mod = in.revision("min_mod_revision");
  request.max_mod = in.revision("max_mod_revision");
  request.min_create = in.revision("min_create_revision");
  request.max_create = in.revision("max_create_revision");
  return request;
}

PutRequest put_of(const Json& json, const LeaseNames& names, std::string& problem) {
  Fields in{json, problem};
  PutRequest request;
  request.key = in.bytes("key");
  request.value = in.bytes("value");
  request.lease = names.id_of(in["lease"]);
  request.prev_kv = in.flag("prev_kv");
  request.ignore_value = in.flag("ignore_value");
  request.ignore_lease = in.flag("ignore_lease");
  return request;
}

DeleteRangeRequest delete_of(const Json& json, std::string& problem) {
  Fields in{json, problem};
  DeleteRangeRequest request;
  request.keys = in.keys();
  request.prev_kv = in.flag("prev_kv");
  return request;
}

Compare compare_of(const Json& json, const LeaseNames& names, std::string& problem) {
  Fields in{json, problem};
  Compare compare;
  compare.keys = in.keys();
  compare.target = static_cast<CompareTarget>(
      in.choice("target", {"VERSION", "CREATE", "MOD", "VALUE", "LEASE"}));
  compare.result =
      static_cast<CompareResult>(in.choice("result", {"EQUAL", "GREATER", "LESS", "NOT_EQUAL"}));
  switch (compare.target) {
    case CompareTarget::version:
      compare.number = in.number("version");
      break;
    case CompareTarget::create:
      compare.number = in.number("create_revision");
      break;
    case CompareTarget::mod:
      compare.number = in.number("mod_revision");
      break;
    case CompareTarget::value:
      compare.value = in.bytes("value");
      break;
    case CompareTarget::lease:
      compare.number = names.id_of(in["lease"]).value;
      break;
  }
  return compare;
}

TxnRequest txn_of(const Json& json, const LeaseNames& names, std::string& problem);

RequestOp op_of(const Json& json, const LeaseNames& names, std::string& problem) {
  if (json.is_object() && json.size() == 1) {
    const std::string& name = json.begin().key();
    const Json& request = json.begin().value();
    if (name == "request_range") return {range_of(request, problem)};
    if (name == "request_put") return {put_of(request, names, problem)};
    if (name == "request_delete_range") return {delete_of(request, problem)};
    if (name == "request_txn") return {txn_of(request, names, problem)};
  }
  problem = "no operation of a transaction: " + json.dump();
  return {};
}

TxnRequest txn_of(const Json& json, const LeaseNames& names, std::string& problem) {
  Fields in{json, problem};
  TxnRequest request;
  for (const Json& each : in["compare"]) {
    request.compare.push_back(compare_of(each, names, problem));
  }
  for (const Json& each : in["success"]) request.success.push_back(op_of(each, names, problem));
  for (const Json& each : in["failure"]) request.failure.push_back(op_of(each, names, problem));
  return request;
}

// ---- responses

void put(Json& json, const char* name, std::int64_t number) {
  if (number != 0) json[name] = number;
}
void put(Json& json, const char* name, bool flag) {
  if (flag) json[name] = true;
}

Json written_list(const std::vector<KeyValue>& kvs, const LeaseNames& names) {
  Json list = Json::array();
  for (const KeyValue& kv : kvs) list.push_back(written(kv, names));
  return list;
}

Json response(Revision revision) {
  return {{"header", written_header(revision)}};
}

Json written(const RangeResponse& reply, const LeaseNames& names) {
  Json json = response(reply.revision);
  if (!reply.kvs.empty()) json["kvs"] = written_list(reply.kvs, names);
  put(json, "more", reply.more);
  put(json, "count", reply.count);
  return json;
}

Json written(const PutResponse& reply, const LeaseNames& names) {
  Json json = response(reply.revision);
  if (!reply.prev_kv.empty()) json["prev_kv"] = written(reply.prev_kv.front(), names);
  return json;
}

Json written(const DeleteRangeResponse& reply, const LeaseNames& names) {
  Json json = response(reply.revision);
  put(json, "deleted", reply.deleted);
  if (!reply.prev_kvs.empty()) json["prev_kvs"] = written_list(reply.prev_kvs, names);
  return json;
}

Json written(const TxnResponse& reply, const LeaseNames& names) {
  const auto op = overloaded{[&](const RangeResponse& each) {
                               return Json{{"response_range", written(each, names)}};
                             },
                             [&](const PutResponse& each) {
                               return Json{{"response_put", written(each, names)}};
                             },
                             [&](const DeleteRangeResponse& each) {
                               return Json{{"response_delete_range", written(each, names)}};
                             },
                             [&](const TxnResponse& each) {
                               return Json{{"response_txn", written(each, names)}};
                             }};
  Json json = response(reply.revision);
  put(json, "succeeded", reply.succeeded);
  for (const ResponseOp& each : reply.responses) {
    json["responses"].push_back(std::visit(op, each.response));
  }
  return json;
}

Json written(const CompactResponse& reply, const LeaseNames&) {
  return response(reply.revision);
}

Json written(const LeaseGrantResponse& reply, const LeaseNames& names) {
  Json json = response(reply.revision);
  json["ID"] = names.written(reply.id);
  put(json, "TTL", reply.ttl);
  return json;
}

Json written(const LeaseRevokeResponse& reply, const LeaseNames&) {
  return response(reply.revision);
}

Json written(const LeaseKeepAliveResponse& reply, const LeaseNames& names) {
  Json json = response(reply.revision);
  json["ID"] = names.written(reply.id);
  put(json, "TTL", reply.ttl);
  return json;
}

Json written(const LeaseTimeToLiveResponse& reply, const LeaseNames& names) {
  Json json = response(reply.revision);
  json["ID"] = names.written(reply.id);
  put(json, "TTL", reply.ttl);
  put(json, "grantedTTL", reply.granted_ttl);
  for (const std::string& key : reply.keys) json["keys"].push_back(text_of(key));
  return json;
}

// Sorted by the id as text, as a transcript has them: with short TTLs their order is a matter of
// milliseconds.
Json written(const LeaseLeasesResponse& reply, const LeaseNames& names) {
  Json json = response(reply.revision);
  std::vector<std::pair<std::string, Json>> leases;
  for (const LeaseId id : reply.leases) {
    const Json name = names.written(id);
    leases.emplace_back(name.is_string() ? name.get<std::string>() : name.dump(), name);
  }
  std::sort(leases.begin(), leases.end());
  for (const auto& each : leases) json["leases"].push_back({{"ID", each.second}});
  return json;
}

Json written(const AwaitsRevoke&, const LeaseNames&) {
  return "answers when the lease is gone";
}
Json written(Error error, const LeaseNames&) {
  return {{"code", grpc_code(error)}, {"message", message_of(error)}};
}

}  // namespace

LeaseId LeaseNames::id_of(const Json& written) const {
  if (written.is_number_integer()) return LeaseId{written.get<std::int64_t>()};
  for (const auto& [id, name] : names_) {
    if (written == name) return id;
  }
  return LeaseId{};
}

Json LeaseNames::written(LeaseId id) const {
  const auto found = names_.find(id);
  return found == names_.end() ? Json(id.value) : Json(found->second);
}

Fields::Fields(const Json& object, std::string& problem) : object_(object), problem_(problem) {
  if (!object.is_object()) problem_ = "no object: " + object.dump();
}

Fields::~Fields() {
  if (object_.is_object() && read_ != object_.size()) {
    problem_ = "a field that the replayer does not know: " + object_.dump();
  }
}

const Json& Fields::operator[](std::string_view name) {
  if (!object_.is_object()) return absent;
  const auto found = object_.find(name);
  if (found == object_.end()) return absent;
  ++read_;
  return *found;
}

std::int64_t Fields::number(std::string_view name) {
  const Json& value = (*this)[name];
  if (value.is_null()) return 0;
  if (!value.is_number_integer()) {
    problem_ = "no whole number: " + value.dump();
    return 0;
  }
  return value.get<std::int64_t>();
}

bool Fields::flag(std::string_view name) {
  return (*this)[name] == true;
}

std::string Fields::bytes(std::string_view name) {
  const Json& value = (*this)[name];
  return value.is_string() ? bytes_of(value.get<std::string>()) : std::string{};
}

KeyRange Fields::keys() {
  std::string key = bytes("key");
  return {std::move(key), bytes("range_end")};
}

std::size_t Fields::choice(std::string_view name, std::initializer_list<std::string_view> names) {
  const Json& value = (*this)[name];
  if (value.is_null()) return 0;
  const auto found = std::find(names.begin(), names.end(), value);
  if (found == names.end()) {
    problem_ = "a choice that the replayer does not know: " + value.dump();
    return 0;
  }
  return static_cast<std::size_t>(found - names.begin());
}

bool is_command(std::string_view op) {
  return op == "range" || op == "put" || op == "delete_range" || op == "txn" || op == "compact" ||
         op.starts_with("lease_");
}

Command command_of(std::string_view op,
                   const Json& request,
                   const LeaseNames& names,
                   std::string& problem) {
  if (op == "range") return range_of(request, problem);
  if (op == "put") return put_of(request, names, problem);
  if (op == "delete_range") return delete_of(request, problem);
  if (op == "txn") return txn_of(request, names, problem);
  Fields in{request, problem};
  if (op == "compact") {
    in.flag("physical");  // the reply waits longer and says the same
    return CompactRequest{in.revision("revision")};
  }
  if (op == "lease_leases") return LeaseLeasesRequest{};
  const LeaseId id = names.id_of(in["ID"]);
  if (op == "lease_grant") return LeaseGrantRequest{id, in.number("TTL")};
  if (op == "lease_revoke") return LeaseRevokeRequest{id};
  if (op == "lease_keepalive") return LeaseKeepAliveRequest{id};
  if (op == "lease_ttl") return LeaseTimeToLiveRequest{id, in.flag("keys")};
  problem = "an operation that the replayer does not know: " + std::string{op};
  return LeaseLeasesRequest{};
}

Json written(const Reply& reply, const LeaseNames& names) {
  return std::visit([&](const auto& each) { return written(each, names); }, reply);
}

Json written(const KeyValue& kv, const LeaseNames& names) {
  Json json = Json::object();
  if (!kv.key.empty()) json["key"] = text_of(kv.key);
  if (!kv.value.empty()) json["value"] = text_of(kv.value);
  put(json, "create_revision", kv.created.value);
  put(json, "mod_revision", kv.modified.value);
  put(json, "version", kv.version);
  if (kv.lease.value != 0) json["lease"] = names.written(kv.lease);
  return json;
}

Json written_header(Revision revision) {
  Json header = Json::object();
  put(header, "revision", revision.value);
  return header;
}

std::string text_of(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    if (value < 0x80) {
      text.push_back(byte);
    } else {
      text.push_back(static_cast<char>(0xC0U | (value >> 6U)));
      text.push_back(static_cast<char>(0x80U | (value & 0x3FU)));
    }
  }
  return text;
}

}  // namespace tenure::conformance::etcd

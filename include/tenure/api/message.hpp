// Requests to the API server and the answers to them, the client's own errors included.
#pragma once

#include <cstdint>
#include <tuple>

#include <tenure/api/lease.hpp>
#include <tenure/base/fields.hpp>
#include <tenure/store/mvcc.hpp>

namespace tenure::api {

enum class Verb : std::uint8_t { get, create, update, remove };

struct Request {
  Verb verb = Verb::get;
  store::Key key{};
  // create, update: the object. delete: uid and resourceVersion are the preconditions, 0 for none.
  Lease body{};

  static constexpr auto fields() {
    return std::tuple{Field{"verb", &Request::verb}, Field{"key", &Request::key},
                      Field{"body", &Request::body}};
  }
  friend bool operator==(const Request&, const Request&) = default;
};

// How a call ended. The first group are the server's answers; the second the client's own errors,
// after which it cannot know whether a write was applied (except `refused`).
enum class Outcome : std::uint8_t {
  ok,              // 200, 201
  not_found,       // 404
  already_exists,  // 409, reason AlreadyExists
  conflict,        // 409, reason Conflict
  forbidden,       // 403
  invalid,         // 422
  too_many,        // 429
  server_error,    // 5xx and every other code
  refused,         // nobody listens: an error at once, nothing was applied
  timeout,         // no answer within the client's own time limit
  connection_lost  // a dead connection was noticed
};

struct Response {
  Outcome outcome = Outcome::ok;
  std::uint16_t code = 200;  // HTTP status; 0 for the client's own errors
  Lease lease{};             // ok: the object as stored

  static constexpr auto fields() {
    return std::tuple{Field{"outcome", &Response::outcome}, Field{"code", &Response::code},
                      Field{"lease", &Response::lease}};
  }
  friend bool operator==(const Response&, const Response&) = default;
};

// An answer without an object, from the code alone.
Response failure(Outcome outcome);
Response failure_with_code(std::uint16_t code);

}  // namespace tenure::api

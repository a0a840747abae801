// An API server over one store: what it does with Lease requests (specs: kubernetes/apiserver and
// kubernetes/kubernetes at the commits cited in server.cpp). It never enforces a lease: whoever may
// write may overwrite; mutual exclusion is a convention among clients plus compare-and-swap.
#pragma once

#include <cstdint>

#include <tenure/api/message.hpp>
#include <tenure/store/mvcc.hpp>

namespace tenure::api {

class Server {
 public:
  // Answers a request; a change takes effect now. `Handled` also says what a write replaced.
  struct Handled {
    Response response;
    bool applied = false;  // the store changed
    bool existed = false;  // there was an object before
    Lease before;          // that object
  };
  Handled handle(const Request& request);

  // The object as stored now, or nothing: the truth, for targets and reports.
  const Lease* find(store::Key key) const;
  Revision revision() const { return store_.revision(); }

  // A server whose store holds this object, written last, and nothing else.
  static Server holding(store::Key key, const Lease& lease);

  friend bool operator==(const Server&, const Server&) = default;

 private:
  Handled get(const Request& request) const;
  Handled create(const Request& request);
  Handled update(const Request& request);
  Handled remove(const Request& request);
  Handled write(store::Key key, const Lease* before, Lease object);

  store::Mvcc<Lease> store_;
  Counter uids_;
};

}  // namespace tenure::api

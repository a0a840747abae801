// Threads that help. Results do not depend on how many there are, so that having none is no error.
#pragma once

#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace tenure::run {

// Threads that are joined when this ends, in which they must not throw.
class Helpers {
 public:
  // False: the system has no thread to give.
  template <class Work>
  bool start(Work work) {
    try {
      threads_.emplace_back(std::move(work));
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

 private:
  std::vector<std::jthread> threads_;
};

}  // namespace tenure::run

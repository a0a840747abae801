// Numbered pieces of work on several threads: dealt out in order, finished in any order, handed on
// in theirs again. So nothing that is made of the pieces depends on the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include <tenure/run/threads.hpp>

namespace tenure::run {

template <class Result>
class InOrder {
 public:
  // Gets the results in order; says whether more are wanted. Called by one thread at a time.
  using Take = std::function<bool(std::uint64_t piece, Result&& result)>;
  // Makes pieces, one after the other; each thread has its own.
  using Worker = std::function<Result(std::uint64_t piece)>;

  InOrder(std::uint64_t pieces, const std::atomic<bool>* stop, Take take)
      : pieces_(pieces), stop_(stop), take_(std::move(take)) {}

  // Returns when all is done or no more is wanted. When `stop` was set, no more pieces are dealt
  // out, and those under way are handed on as far as they follow each other. Rethrows what a worker
  // threw.
  void run(unsigned threads, const std::function<Worker()>& new_worker) {
    most_ahead_ = std::max(most_ahead_, std::uint64_t{2} * threads);
    const auto useful = static_cast<unsigned>(std::min<std::uint64_t>(threads, pieces_));
    {
      Helpers helpers;
      for (unsigned i = 1; i < useful; ++i) {
        if (!helpers.start([&] { work(new_worker); })) break;
      }
      work(new_worker);
    }
    if (why_) std::rethrow_exception(why_);
  }

  // Pieces that were handed on.
  std::uint64_t taken() const { return taken_; }

 private:
  void work(const std::function<Worker()>& new_worker) {
    try {
      const Worker worker = new_worker();
      while (const auto piece = next()) hand_in(*piece, worker(*piece));
    } catch (...) {  // no memory
      const std::lock_guard lock{mutex_};
      if (!why_) why_ = std::current_exception();
      over_ = true;
      room_.notify_all();
    }
  }

  std::optional<std::uint64_t> next() {
    std::unique_lock lock{mutex_};
    room_.wait(lock, [&] { return over_ || dealt_ - taken_ < most_ahead_; });
    const bool stopped = stop_ != nullptr && stop_->load(std::memory_order_relaxed);
    if (over_ || stopped || dealt_ == pieces_) return std::nullopt;
    return dealt_++;
  }

  void hand_in(std::uint64_t piece, Result&& result) {
    const std::lock_guard lock{mutex_};
    finished_.emplace(piece, std::move(result));
    for (auto next = finished_.begin(); !over_ && next != finished_.end() && next->first == taken_;
         next = finished_.erase(next)) {
      if (!take_(taken_, std::move(next->second))) over_ = true;
      ++taken_;
    }
    room_.notify_all();
  }

  std::uint64_t pieces_;
  const std::atomic<bool>* stop_;
  Take take_;
  std::mutex mutex_;
  std::condition_variable room_;
  std::map<std::uint64_t, Result> finished_;
  // How far a fast thread may be ahead of a slow one: finished pieces must not pile up.
  std::uint64_t most_ahead_ = 64;
  std::uint64_t dealt_ = 0;
  std::uint64_t taken_ = 0;
  bool over_ = false;
  std::exception_ptr why_;
};

}  // namespace tenure::run

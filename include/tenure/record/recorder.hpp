// Who hears of facts. The monitors and metrics always do; a full history is kept only when asked
// for.
#pragma once

#include <vector>

#include <tenure/record/fact.hpp>

namespace tenure::record {

class Recorder {
 public:
  virtual ~Recorder() = default;

  virtual void on(const Record& record) = 0;

  // Whether it also wants RequestSent, MessageLost and ReplyReceived, which are most of all facts.
  virtual bool wants_messages() const { return false; }
};

// For worlds of which only the state is wanted.
class NobodyListens final : public Recorder {
 public:
  void on(const Record&) override {}
};

class KeepHistory final : public Recorder {
 public:
  void on(const Record& record) override { history_.push_back(record); }
  bool wants_messages() const override { return true; }

  const std::vector<Record>& history() const { return history_; }
  void forget() { history_.clear(); }  // keeps the memory for the next run

 private:
  std::vector<Record> history_;
};

}  // namespace tenure::record

// The one door for nondeterminism. Every choice of a run - a latency, a jitter, the phase of a
// fault, an order after a pause - is one question to the oracle, asked under a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tenure/base/id.hpp>
#include <tenure/base/ratio.hpp>

namespace tenure {

// The key of a named source of choices ("process/web-2/jitter"). It comes from the name alone,
// never from an index or the order of construction: adding a candidate, a fault or an observer
// leaves all other draws as they were.
struct Stream {
  std::uint64_t key = 0;

  friend auto operator<=>(const Stream&, const Stream&) = default;
};

Stream stream_named(std::string_view name);

// One question: the `number`-th draw of a stream in this run. The count lives with the stream's
// owner.
struct Draw {
  Stream stream;
  std::uint64_t number = 0;

  friend auto operator<=>(const Draw&, const Draw&) = default;
};

// A question and how it was answered.
struct Answered {
  Draw draw;
  std::uint64_t bound = 0;
  std::uint64_t answer = 0;

  friend bool operator==(const Answered&, const Answered&) = default;
};

class Oracle {
 public:
  virtual ~Oracle() = default;

  // A whole number in [0, bound].
  virtual std::uint64_t pick(Draw draw, std::uint64_t bound) = 0;
};

// Whether something with this probability happens. Asks nothing when it surely does; the simplest
// answer, 0, is that it does not.
bool draw_share(Oracle& oracle, Draw draw, Ratio probability);

// Answers from Philox2x64-10 (Salmon et al., SC'11; Random123): nothing to warm up, any draw can be
// reached directly, and the same (seed, run, name, number) is the same answer everywhere.
class SeededOracle final : public Oracle {
 public:
  SeededOracle(std::uint64_t seed, std::uint64_t run);

  std::uint64_t pick(Draw draw, std::uint64_t bound) override;

 private:
  std::uint64_t key_;
};

// Answers from a list, for replays and tests. Asking more often than the list is long, or for less
// than the list answers, is an error of whoever made the list.
class ScriptedOracle final : public Oracle {
 public:
  explicit ScriptedOracle(std::vector<std::uint64_t> answers);

  std::uint64_t pick(Draw draw, std::uint64_t bound) override;
  bool exhausted() const { return next_ == answers_.size(); }

 private:
  std::vector<std::uint64_t> answers_;
  std::size_t next_ = 0;
};

// Answers the draws it knows from a table, and the others with their simplest value, 0, or as
// another oracle does.
class ChosenOracle final : public Oracle {
 public:
  struct Answer {
    Draw draw;
    std::uint64_t answer = 0;
  };

  // `otherwise` may be null: 0.
  ChosenOracle(std::vector<Answer> answers, Oracle* otherwise);

  std::uint64_t pick(Draw draw, std::uint64_t bound) override;

  // An answer that does not fit its question, or was given twice, or never asked for: an index into
  // `answers`. The run did not follow the table then.
  std::optional<std::size_t> misfit() const;

  // The bound of the question that the answer at this place of `answers` is for; nothing: it was
  // never asked.
  std::optional<std::uint64_t> bound_of(std::size_t index) const;

 private:
  struct Known {
    Draw draw;
    std::uint64_t answer = 0;
    std::size_t index = 0;
    std::optional<std::uint64_t> bound;  // of its question; none: not asked
    bool fits = true;
  };

  std::vector<Known> known_;  // by draw
  Oracle* otherwise_;
};

// Passes questions on to another oracle and keeps the answers.
class RecordingOracle final : public Oracle {
 public:
  explicit RecordingOracle(Oracle& inner) : inner_(&inner) {}

  std::uint64_t pick(Draw draw, std::uint64_t bound) override;
  const std::vector<Answered>& choices() const { return choices_; }

 private:
  Oracle* inner_;
  std::vector<Answered> choices_;
};

// Answers every question with each of its answers in turn: the questions of one step are the wheels
// of an odometer (after TigerBeetle's exhaustigen).
class ExhaustiveOracle final : public Oracle {
 public:
  std::uint64_t pick(Draw draw, std::uint64_t bound) override;

  // Sets the next combination for the same step; false: there is none.
  bool advance();
  void begin() { answers_.clear(), next_ = 0; }

  const std::vector<Answered>& answers() const { return answers_; }

 private:
  std::vector<Answered> answers_;
  std::size_t next_ = 0;
};

}  // namespace tenure

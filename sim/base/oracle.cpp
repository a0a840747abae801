#include <algorithm>
#include <cstddef>
#include <utility>

#include <Random123/philox.h>

#include <tenure/base/assert.hpp>
#include <tenure/base/oracle.hpp>

namespace tenure {
namespace {

__extension__ using Wide = unsigned __int128;

// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): spreads neighbouring seeds apart.
constexpr std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

}  // namespace

Stream stream_named(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a, 64 bits
  for (const char c : name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return Stream{splitmix64(hash)};
}

bool draw_share(Oracle& oracle, Draw draw, Ratio probability) {
  if (probability.numerator >= probability.denominator) return true;
  const auto of = static_cast<std::uint64_t>(probability.denominator);
  return oracle.pick(draw, of - 1) >= of - static_cast<std::uint64_t>(probability.numerator);
}

SeededOracle::SeededOracle(std::uint64_t seed, std::uint64_t run) : key_(splitmix64(seed) ^ run) {}

std::uint64_t SeededOracle::pick(Draw draw, std::uint64_t bound) {
  const r123::Philox2x64::ctr_type counter = {{draw.number, draw.stream.key}};
  const r123::Philox2x64::key_type key = {{key_}};
  const std::uint64_t word = r123::Philox2x64()(counter, key)[0];
  // The high half of a product is uniform up to a bias below bound / 2^64.
  return static_cast<std::uint64_t>((static_cast<Wide>(word) * (static_cast<Wide>(bound) + 1)) >>
                                    64);
}

ScriptedOracle::ScriptedOracle(std::vector<std::uint64_t> answers) : answers_(std::move(answers)) {}

std::uint64_t ScriptedOracle::pick(Draw, std::uint64_t bound) {
  TENURE_ASSERT(next_ < answers_.size(), "the script answers every question");
  const std::uint64_t answer = answers_[next_++];
  TENURE_ASSERT(answer <= bound, "a scripted answer lies in the range that was asked for");
  return answer;
}

ChosenOracle::ChosenOracle(std::vector<Answer> answers, Oracle* otherwise) : otherwise_(otherwise) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    known_.push_back({answers[i].draw, answers[i].answer, i, std::nullopt, true});
  }
  std::stable_sort(known_.begin(), known_.end(),
                   [](const Known& a, const Known& b) { return a.draw < b.draw; });
  for (std::size_t i = 1; i < known_.size(); ++i) {
    if (known_[i].draw == known_[i - 1].draw) known_[i].fits = false;
  }
}

std::uint64_t ChosenOracle::pick(Draw draw, std::uint64_t bound) {
  const auto known = std::lower_bound(known_.begin(), known_.end(), draw,
                                      [](const Known& k, const Draw& d) { return k.draw < d; });
  if (known == known_.end() || known->draw != draw) {
    return otherwise_ == nullptr ? 0 : otherwise_->pick(draw, bound);
  }
  known->bound = bound;
  if (known->answer > bound) known->fits = false;
  return std::min(known->answer, bound);
}

std::optional<std::size_t> ChosenOracle::misfit() const {
  std::optional<std::size_t> first;
  for (const Known& known : known_) {
    if (known.bound && known.fits) continue;
    first = std::min(first.value_or(known.index), known.index);
  }
  return first;
}

std::optional<std::uint64_t> ChosenOracle::bound_of(std::size_t index) const {
  for (const Known& known : known_) {
    if (known.index == index) return known.bound;
  }
  return std::nullopt;
}

std::uint64_t RecordingOracle::pick(Draw draw, std::uint64_t bound) {
  const std::uint64_t answer = inner_->pick(draw, bound);
  choices_.push_back({draw, bound, answer});
  return answer;
}

std::uint64_t ExhaustiveOracle::pick(Draw draw, std::uint64_t bound) {
  if (next_ == answers_.size()) answers_.push_back({draw, bound, 0});
  TENURE_ASSERT(answers_[next_].draw == draw && answers_[next_].bound == bound,
                "the same answers lead to the same questions");
  return answers_[next_++].answer;
}

bool ExhaustiveOracle::advance() {
  next_ = 0;
  while (!answers_.empty() && answers_.back().answer == answers_.back().bound) answers_.pop_back();
  if (answers_.empty()) return false;
  ++answers_.back().answer;
  return true;
}

}  // namespace tenure

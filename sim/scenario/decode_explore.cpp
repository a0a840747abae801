// What an exploration may do, and the script of one run.
#include <limits>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tenure/base/text.hpp>

#include "decode.hpp"

namespace tenure::scenario {

namespace {

// A number of a state and one more bit share 32.
constexpr std::int64_t most_states = (std::int64_t{1} << 31) - 1;
constexpr std::uint64_t least_memory = std::uint64_t{16} << 20;

// The API server cuts renewTime to microseconds; times that it changes would leave the grid.
bool read_tick(const Reader& at, Duration& out) {
  Duration tick{};
  if (!read(at, tick)) return false;
  if (tick == Duration{}) {
    at.error("E0209", "tick must be greater than zero");
    return false;
  }
  if (tick % std::chrono::microseconds{1} != Duration{}) {
    at.error("E0209", fmt::format("tick must be a multiple of 1us, not {}", duration_text(tick)),
             {"renewTime has microseconds, and every time of the model must be on the grid"});
    return false;
  }
  out = tick;
  return true;
}

void read_count(const Reader& at, std::int64_t most, std::uint64_t& out) {
  std::int64_t count = 0;
  if (read_in_range(at, 1, most, count)) out = static_cast<std::uint64_t>(count);
}

void read_memory(const Reader& at, std::uint64_t& out) {
  std::uint64_t bytes = 0;
  if (!read_size(at, bytes)) return;
  if (bytes < least_memory) {
    at.error("E0209", fmt::format("{} must be at least {}, not {}", at.path(),
                                  size_text(least_memory), visible(at.text())));
    return;
  }
  out = bytes;
}

using Draws = std::set<std::pair<std::string, std::uint64_t>>;

void decode_answer(const Reader& at, Draws& answered, Choices& out) {
  if (!at.has_fields({"of", "number", "answer"})) return;
  const std::size_t errors_before = at.errors();
  Choice choice;
  const std::optional<Reader> of = at.required("of");
  if (of && read(*of, choice.stream) && choice.stream.empty())
    of->error("E0209", fmt::format("{} must not be empty", of->path()));
  if (const auto number = at.required("number")) read(*number, choice.number);
  if (const auto answer = at.required("answer")) read(*answer, choice.answer);
  if (at.errors() != errors_before) return;
  if (!answered.emplace(choice.stream, choice.number).second) {
    at.error_at_key(
        "E0322",
        fmt::format("draw {} of {} is answered twice", choice.number, quoted(choice.stream)),
        {"number counts the draws of a stream, from 0"});
  }
  out.answers.push_back(std::move(choice));
}

void decode_answers(const Reader& choices, Choices& out) {
  const std::optional<Reader> answers = choices.field("answers");
  if (!answers || !answers->expect_list()) return;
  Draws answered;
  for (const Reader& answer : answers->items()) decode_answer(answer, answered, out);
}

// The answers of a document that was decoded.
std::vector<Reader> answers_in(const Reader& root) {
  return root.field("spec")->field("choices")->field("answers")->items();
}

}  // namespace

void decode_explore(const Reader& spec, Scenario& out) {
  const std::optional<Reader> explore = spec.field("explore");
  if (!explore) return;
  // Even when something in it is wrong: what needs an exploration has one.
  Explore& bounds = out.explore.emplace();
  if (!explore->has_fields(
          {"tick", "maxTick", "maxStates", "maxMemory", "symmetry", "reduction"})) {
    return;
  }
  if (const auto tick = explore->required("tick")) read_tick(*tick, bounds.tick);
  if (const auto most = explore->field("maxTick"))
    read_count(*most, std::numeric_limits<std::int64_t>::max(), bounds.max_tick.emplace());
  if (const auto most = explore->field("maxStates"))
    read_count(*most, most_states, bounds.max_states);
  if (const auto most = explore->field("maxMemory")) read_memory(*most, bounds.max_memory);
  read_field(*explore, "symmetry", bounds.symmetry);
  read_field(*explore, "reduction", bounds.reduction);
}

void decode_choices(const Reader& spec, Scenario& out) {
  static constexpr Word<Choices::Otherwise> words[] = {{"simplest", Choices::Otherwise::simplest},
                                                       {"seeded", Choices::Otherwise::seeded}};
  const std::optional<Reader> choices = spec.field("choices");
  if (!choices) return;
  Choices& script = out.choices.emplace();
  if (!choices->has_fields({"tick", "otherwise", "answers"})) return;
  if (const auto tick = choices->field("tick")) read_tick(*tick, script.tick.emplace());
  if (const auto otherwise = choices->field("otherwise"))
    read_word(*otherwise, "an answer to draws that are not listed", words, script.otherwise);
  decode_answers(*choices, script);
}

void report_misfit(const Document& document,
                   const Scenario& scenario,
                   std::size_t index,
                   std::optional<std::uint64_t> bound,
                   Diagnostics& diagnostics) {
  const Choice& choice = scenario.choices->answers.at(index);
  const Reader answer = answers_in({document, diagnostics}).at(index);
  if (bound && choice.answer > *bound) {
    answer.field("answer")->error(
        "E0321",
        fmt::format("draw {} of {} is one of 0 to {} here, not {}", choice.number,
                    quoted(choice.stream), *bound, choice.answer),
        {"the answers belong to another scenario, or to another version of it"});
    return;
  }
  answer.error_at_key(
      "E0321",
      fmt::format("the run never asks for draw {} of {}", choice.number, quoted(choice.stream)),
      {"the answers belong to another scenario, or to another version of it"});
}

}  // namespace tenure::scenario

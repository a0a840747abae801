#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <tenure/alert/pattern.hpp>
#include <tenure/base/text.hpp>

namespace tenure::alert {
namespace {

using Instruction = Pattern::Instruction;
using Op = Instruction::Op;
using Program = std::vector<Instruction>;

constexpr std::uint32_t last_code_point = 0x10FFFF;
constexpr std::size_t longest_program = 10'000;
constexpr int most_repeats = 1000;  // RE2's own limit
constexpr int deepest = 100;

// The code point of valid UTF-8 at `at`, which moves behind it.
std::uint32_t next_code(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  at = next_code_point(text, at);
  const auto lead = static_cast<unsigned char>(text[begin]);
  if (lead < 0x80) return lead;
  std::uint32_t code = lead & (0xFFU >> (at - begin + 1));
  for (std::size_t i = begin + 1; i < at; ++i) {
    code = code << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  return code;
}

void append(Program& to, const Program& from) {
  to.insert(to.end(), from.begin(), from.end());
}

std::ptrdiff_t length(const Program& program) {
  return static_cast<std::ptrdiff_t>(program.size());
}

Instruction split(std::ptrdiff_t first, std::ptrdiff_t second) {
  return {Op::split, {}, first, second};
}

Program optional(const Program& part) {
  Program out{split(1, length(part) + 1)};
  append(out, part);
  return out;
}

Program any_number_of(const Program& part) {
  Program out{split(1, length(part) + 2)};
  append(out, part);
  out.push_back({Op::jump, {}, -length(part) - 1, 1});
  return out;
}

Program alternative(const Program& a, const Program& b) {
  Program out{split(1, length(a) + 2)};
  append(out, a);
  out.push_back({Op::jump, {}, length(b) + 1, 1});
  append(out, b);
  return out;
}

const std::vector<Pattern::CodePoints>& class_of(char letter) {
  static const std::vector<Pattern::CodePoints> digits{{'0', '9'}};
  static const std::vector<Pattern::CodePoints> words{
      {'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
  static const std::vector<Pattern::CodePoints> spaces{{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}};
  if (letter == 'd') return digits;
  return letter == 'w' ? words : spaces;
}

class Compiler {
 public:
  explicit Compiler(std::string_view text) : text_(text) {}

  std::variant<Program, PatternProblem> compile() {
    Program all = alternatives(0);
    if (!problem_ && at_ < text_.size()) invalid("unexpected )", at_);
    if (problem_) return *problem_;
    return all;
  }

 private:
  bool is_at(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool done() const { return problem_.has_value() || at_ >= text_.size(); }

  void report(bool outside, std::string text, std::size_t at) {
    if (!problem_) problem_ = PatternProblem{outside, std::move(text), at};
  }
  void invalid(std::string text, std::size_t at) { report(false, std::move(text), at); }
  void outside(std::string_view what, std::size_t at) {
    report(true, fmt::format("{} in a regular expression", what), at);
  }

  Program alternatives(int depth) {
    if (depth > deepest) {
      invalid("groups nested too deep", at_);
      return {};
    }
    Program out = sequence(depth);
    while (!problem_ && is_at('|')) {
      ++at_;
      out = alternative(out, sequence(depth));
    }
    return out;
  }

  Program sequence(int depth) {
    Program out;
    while (!done() && !is_at('|') && !is_at(')')) {
      const std::size_t begin = at_;
      Program part = repeated(atom(depth), begin);
      append(out, part);
      if (out.size() > longest_program) invalid("the expression is too large", begin);
    }
    return out;
  }

  Program repeated(Program part, std::size_t begin) {
    if (done()) return part;
    const std::size_t at = at_;
    if (is_at('*') || is_at('+') || is_at('?')) {
      const char op = text_[at_++];
      if (op == '*') {
        part = any_number_of(part);
      } else if (op == '+') {
        Program more = any_number_of(part);
        append(part, more);
      } else {
        part = optional(part);
      }
    } else if (const auto counts = counted()) {
      part = times(part, counts->first, counts->second, begin);
    } else {
      return part;
    }
    if (is_at('?')) ++at_;  // how much is taken does not matter to whether it matches
    const std::size_t again = at_;
    if (is_at('*') || is_at('+') || is_at('?') || counted()) {
      invalid(fmt::format("invalid nested repetition operator at {}", quoted(text_.substr(at))),
              again);
    }
    return part;
  }

  // {n}, {n,} with -1, {n,m}; anything else in braces is text.
  std::optional<std::pair<int, int>> counted() {
    if (!is_at('{')) return std::nullopt;
    const std::size_t close = text_.find('}', at_);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view inside = text_.substr(at_ + 1, close - at_ - 1);
    const std::size_t comma = inside.find(',');
    const std::optional<std::int64_t> low = parse_whole(inside.substr(0, comma));
    if (!low) return std::nullopt;
    std::int64_t high = *low;
    if (comma != std::string_view::npos) {
      const std::string_view behind = inside.substr(comma + 1);
      const std::optional<std::int64_t> written = parse_whole(behind);
      if (!behind.empty() && !written) return std::nullopt;
      high = written.value_or(-1);
    }
    if (*low > most_repeats || high > most_repeats || (high >= 0 && high < *low)) {
      invalid("invalid repeat count", at_);
    }
    at_ = close + 1;
    return std::pair{static_cast<int>(*low), static_cast<int>(high)};
  }

  Program times(const Program& part, int low, int high, std::size_t begin) {
    Program out;
    const auto copies = static_cast<std::size_t>(std::max(low, std::max(high, 1)));
    if (copies * (part.size() + 1) > longest_program) {
      invalid("the expression is too large", begin);
      return out;
    }
    for (int i = 0; i < low; ++i) append(out, part);
    if (high < 0) append(out, any_number_of(part));
    for (int i = low; i < high; ++i) append(out, optional(part));
    return out;
  }

  Program atom(int depth) {
    const std::size_t begin = at_;
    switch (text_[at_]) {
      case '(':
        return group(depth);
      case '[':
        return bracket();
      case '.':
        ++at_;
        return {Instruction{Op::any, {}, 1, 1}};
      case '^':
        ++at_;
        return {Instruction{Op::at_begin, {}, 1, 1}};
      case '$':
        ++at_;
        return {Instruction{Op::at_end, {}, 1, 1}};
      case '*':
      case '+':
      case '?':
        invalid(fmt::format("missing argument to repetition operator {}", text_[at_]), begin);
        return {};
      case '\\':
        return escape();
      default: {
        const std::uint32_t code = next_code(text_, at_);
        return {Instruction{Op::one_of, {{code, code}}, 1, 1}};
      }
    }
  }

  Program group(int depth) {
    const std::size_t begin = at_++;
    if (text_.substr(at_, 2) == "?:") {
      at_ += 2;
    } else if (is_at('?')) {
      outside("a group with (?", begin);
      return {};
    }
    Program out = alternatives(depth + 1);
    if (!problem_ && !is_at(')')) invalid("missing closing )", begin);
    ++at_;
    return out;
  }

  Program escape() {
    const std::size_t begin = at_++;
    if (at_ >= text_.size()) {
      invalid("trailing backslash", begin);
      return {};
    }
    const char letter = text_[at_];
    if (std::string_view{"dws"}.find(letter) != std::string_view::npos) {
      ++at_;
      return {Instruction{Op::one_of, class_of(letter), 1, 1}};
    }
    if (std::string_view{"DWS"}.find(letter) != std::string_view::npos) {
      ++at_;
      return {Instruction{Op::none_of, class_of(static_cast<char>(letter - 'A' + 'a')), 1, 1}};
    }
    const std::uint32_t code = escaped_code(begin);
    return {Instruction{Op::one_of, {{code, code}}, 1, 1}};
  }

  // Behind a backslash.
  std::uint32_t escaped_code(std::size_t begin) {
    const char letter = text_[at_];
    const std::string_view controls = "tnrfv";
    const std::size_t control = controls.find(letter);
    const bool is_ascii = static_cast<unsigned char>(letter) < 0x80;
    const bool is_word = std::string_view{"_"}.find(letter) != std::string_view::npos ||
                         (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                         (letter >= 'A' && letter <= 'Z');
    if (control != std::string_view::npos) {
      ++at_;
      return static_cast<unsigned char>("\t\n\r\f\v"[control]);
    }
    if (!is_ascii || is_word) {
      outside(fmt::format("\\{}", is_ascii ? std::string{letter} : std::string{}), begin);
      return 0;
    }
    return next_code(text_, at_);
  }

  Program bracket() {
    const std::size_t begin = at_++;
    Instruction out{Op::one_of, {}, 1, 1};
    if (is_at('^')) {
      ++at_;
      out.op = Op::none_of;
    }
    bool is_first = true;
    while (!done() && (is_first || !is_at(']'))) {
      is_first = false;
      member(out);
    }
    if (!problem_ && !is_at(']')) invalid("missing closing ]", begin);
    ++at_;
    return {out};
  }

  void member(Instruction& out) {
    const std::size_t begin = at_;
    if (text_.substr(at_, 2) == "[:") return outside("a class [:", begin);
    if (is_at('\\') && at_ + 1 < text_.size()) {
      const char letter = text_[at_ + 1];
      if (std::string_view{"dws"}.find(letter) != std::string_view::npos) {
        at_ += 2;
        const auto& ranges = class_of(letter);
        out.ranges.insert(out.ranges.end(), ranges.begin(), ranges.end());
        return;
      }
    }
    const std::uint32_t low = member_code();
    std::uint32_t high = low;
    if (is_at('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
      ++at_;
      high = member_code();
    }
    if (high < low) invalid("invalid character class range", begin);
    out.ranges.emplace_back(low, high);
  }

  std::uint32_t member_code() {
    if (!is_at('\\')) return next_code(text_, at_);
    const std::size_t begin = at_++;
    if (at_ < text_.size()) return escaped_code(begin);
    invalid("trailing backslash", begin);
    return 0;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<PatternProblem> problem_;
};

bool holds(const Instruction& step, std::uint32_t code) {
  const bool is_in = std::any_of(step.ranges.begin(), step.ranges.end(), [code](const auto& range) {
    return range.first <= code && code <= range.second;
  });
  switch (step.op) {
    case Op::any:
      return code != '\n' && code <= last_code_point;
    case Op::one_of:
      return is_in;
    case Op::none_of:
      return !is_in;
    default:
      return false;
  }
}

// The places of the program that the machine is in, each once.
class Places {
 public:
  explicit Places(const Program& program) : program_(&program), is_in_(program.size() + 1) {}

  void enter(std::size_t place, bool at_begin, bool at_end) {
    std::vector<std::size_t> todo{place};
    while (!todo.empty()) {
      const std::size_t next = todo.back();
      todo.pop_back();
      if (is_in_[next]) continue;
      is_in_[next] = true;
      places_.push_back(next);
      if (next == program_->size()) continue;
      follow((*program_)[next], next, at_begin, at_end, todo);
    }
  }
  const std::vector<std::size_t>& all() const { return places_; }
  bool is_done() const { return is_in_[program_->size()]; }

 private:
  static void follow(const Instruction& step,
                     std::size_t from,
                     bool at_begin,
                     bool at_end,
                     std::vector<std::size_t>& todo) {
    const auto to = [from](std::ptrdiff_t by) {
      return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(from) + by);
    };
    const bool goes_on = step.op == Op::split || step.op == Op::jump ||
                         (step.op == Op::at_begin && at_begin) || (step.op == Op::at_end && at_end);
    if (goes_on) todo.push_back(to(step.first));
    if (step.op == Op::split) todo.push_back(to(step.second));
  }

  const Program* program_;
  std::vector<bool> is_in_;
  std::vector<std::size_t> places_;
};

}  // namespace

std::variant<Pattern, PatternProblem> Pattern::compile(std::string_view text) {
  std::variant<Program, PatternProblem> compiled = Compiler{text}.compile();
  if (auto* problem = std::get_if<PatternProblem>(&compiled)) return std::move(*problem);
  Pattern out;
  out.program_ = std::move(std::get<Program>(compiled));
  return out;
}

bool Pattern::matches(std::string_view text) const {
  Places now{program_};
  now.enter(0, true, text.empty());
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t code = next_code(text, at);
    Places then{program_};
    for (const std::size_t place : now.all()) {
      if (place < program_.size() && holds(program_[place], code)) {
        then.enter(place + 1, false, at == text.size());
      }
    }
    now = std::move(then);
  }
  return now.is_done();
}

}  // namespace tenure::alert

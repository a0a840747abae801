#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/scenario/advise.hpp>
#include <tenure/scenario/clock_rate.hpp>
#include <tenure/scenario/reader.hpp>
#include <tenure/scenario/scenario.hpp>

namespace tenure::scenario {
namespace {

using Kind = Need::Kind;
using Model = Need::Model;

constexpr std::int64_t billion = 1'000'000'000;
constexpr std::int64_t most_per_second = 1'000'000;

struct ModelWord {
  std::string_view word;
  Model model;
};

// The first one of each is the default.
constexpr std::array answers{ModelWord{"refused", Model::refused},
                             ModelWord{"hanging", Model::hanging}};
constexpr std::array networks{ModelWord{"healthy", Model::healthy}, ModelWord{"cut", Model::cut}};

std::span<const ModelWord> models_of(Kind kind) {
  if (kind == Kind::outage || kind == Kind::margin) return answers;
  if (kind == Kind::pause) return networks;
  return {};
}

std::optional<std::int64_t> parse_time(std::string_view text, NeedProblem& problem) {
  const ParsedDuration parsed = parse_duration(text);
  if (parsed.fault != ParsedDuration::Fault::none) {
    problem = {fmt::format("{} is not a duration", quoted(text)), duration_hints(text, parsed)};
    return std::nullopt;
  }
  if (parsed.value < Duration::zero() || parsed.value > longest_lease) {
    problem = {fmt::format("{} is not between 0s and 24h", quoted(text)), {}};
    return std::nullopt;
  }
  return parsed.value.count();
}

// In 1e-9, an upper bound cut off and a lower one rounded up.
std::int64_t billionths(Ratio value, bool upward) {
  __extension__ using Wide = __int128;
  const Wide product = Wide{value.numerator} * billion;
  const Wide whole = product / value.denominator;
  return static_cast<std::int64_t>(whole + (upward && product % value.denominator != 0 ? 1 : 0));
}

std::optional<Need> parse_failover(std::string_view text, NeedProblem& problem) {
  const std::vector<std::string> hints{"form: \"p(99) < 40s\", \"avg <= 20s\", \"max < 1m\""};
  std::string what;
  const auto threshold = parse_threshold("failover", text, what);
  if (!threshold) {
    problem = {fmt::format("{}: {}", quoted(text), what), hints};
    return std::nullopt;
  }
  using Op = Threshold::Op;
  using Aggregation = Threshold::Aggregation;
  const bool is_bound = threshold->op == Op::less || threshold->op == Op::at_most;
  const bool has_law = threshold->aggregation == Aggregation::max ||
                       threshold->aggregation == Aggregation::mean ||
                       threshold->aggregation == Aggregation::quantile;
  if (!is_bound || !has_law) {
    problem = {fmt::format("{} does not bound max, avg, med or p(N) from above", quoted(text)),
               hints};
    return std::nullopt;
  }
  Need need;
  need.kind = Kind::failover;
  need.aggregation = threshold->aggregation;
  if (need.aggregation == Aggregation::quantile) {
    need.quantile = {threshold->percentile.numerator, threshold->percentile.denominator * 100};
  }
  // Nothing is beyond the longest.
  if (need.aggregation == Aggregation::quantile &&
      need.quantile.numerator >= need.quantile.denominator) {
    need.aggregation = Aggregation::max;
    need.quantile = {1, 1};
  }
  need.strict = threshold->op == Op::less;
  need.amount = std::get<Duration>(threshold->value).count();
  if (need.amount > Duration{longest_lease}.count()) {
    problem = {fmt::format("{}: longer than 24h", quoted(text)), {}};
    return std::nullopt;
  }
  return need;
}

std::optional<Need> parse_ratio(std::string_view text, NeedProblem& problem) {
  const std::optional<Ratio> value = parse_decimal(text);
  const bool is_ratio = value && value->numerator >= value->denominator &&
                        value->numerator / value->denominator <= fastest_clock &&
                        billionths(*value, true) <= fastest_clock * billion;
  if (!is_ratio) {
    problem = {fmt::format("{} is not a ratio of clock rates", quoted(text)),
               {fmt::format("a number from 1 to {}: 1.1 is a rival's clock that runs 10 % faster",
                            fastest_clock)}};
    return std::nullopt;
  }
  Need need;
  need.kind = Kind::clock_ratio;
  need.amount = billionths(*value, true);
  return need;
}

std::optional<Need> parse_requests(std::string_view text, NeedProblem& problem) {
  std::optional<Ratio> value;
  if (text.ends_with("/s")) value = parse_decimal(text.substr(0, text.size() - 2));
  const bool is_rate =
      value && value->numerator > 0 && value->numerator / value->denominator < most_per_second;
  if (!is_rate) {
    problem = {fmt::format("{} is not a number of requests per second", quoted(text)),
               {"of all candidates together: 0.5/s"}};
    return std::nullopt;
  }
  Need need;
  need.kind = Kind::requests;
  need.amount = billionths(*value, false);
  return need;
}

// "20s:hanging"
std::optional<Need> parse_modelled(Kind kind, std::string_view text, NeedProblem& problem) {
  const std::span<const ModelWord> models = models_of(kind);
  const std::size_t colon = std::min(text.find(':'), text.size());
  Need need;
  need.kind = kind;
  if (!models.empty()) need.model = models.front().model;
  if (colon < text.size()) {
    const std::string_view word = text.substr(colon + 1);
    const auto found = std::find_if(models.begin(), models.end(),
                                    [&](const ModelWord& m) { return m.word == word; });
    if (found == models.end()) {
      std::vector<std::string_view> words;
      for (const ModelWord& model : models) words.push_back(model.word);
      const auto meant = did_you_mean(word, words);
      problem = {
          words.empty()
              ? fmt::format("{} is not a duration", quoted(text))
              : fmt::format("{} is neither {} nor {}{}", quoted(word), words[0], words[1],
                            meant ? fmt::format("; did you mean \"{}\"?", *meant) : std::string{}),
          {}};
      return std::nullopt;
    }
    need.model = found->model;
  }
  const auto amount = parse_time(text.substr(0, colon), problem);
  if (!amount) return std::nullopt;
  need.amount = *amount;
  return need;
}

std::string_view word_of(Model model) {
  for (const auto& models : {answers, networks}) {
    for (const ModelWord& word : models) {
      if (word.model == model) return word.word;
    }
  }
  return {};
}

std::string aggregation_text(const Need& need) {
  if (need.aggregation == stats::Aggregation::max) return "max";
  if (need.aggregation == stats::Aggregation::mean) return "avg";
  return fmt::format("p({})",
                     decimal_text({need.quantile.numerator * 100, need.quantile.denominator}));
}

}  // namespace

std::string_view flag_of(Kind kind) {
  switch (kind) {
    case Kind::failover:
      return "failover";
    case Kind::outage:
      return "survive-outage";
    case Kind::pause:
      return "survive-pause";
    case Kind::clock_ratio:
      return "clock-ratio";
    case Kind::requests:
      return "max-requests";
    case Kind::handover:
      return "handover";
    case Kind::margin:
      return "margin";
  }
  return {};
}

bool is_upper(Kind kind) {
  return kind == Kind::failover || kind == Kind::requests || kind == Kind::handover;
}

std::optional<Need> parse_need(Kind kind, std::string_view text, NeedProblem& problem) {
  switch (kind) {
    case Kind::failover:
      return parse_failover(text, problem);
    case Kind::clock_ratio:
      return parse_ratio(text, problem);
    case Kind::requests:
      return parse_requests(text, problem);
    case Kind::outage:
    case Kind::pause:
    case Kind::handover:
    case Kind::margin:
      return parse_modelled(kind, text, problem);
  }
  return std::nullopt;
}

Need standing_margin(Duration latency) {
  Need need;
  need.kind = Kind::margin;
  need.model = Model::hanging;
  need.amount = latency.count();
  need.is_standing = true;
  return need;
}

std::string amount_text(const Need& need, std::int64_t amount) {
  if (need.kind == Kind::clock_ratio) return decimal_text({amount, billion});
  if (need.kind == Kind::requests) return decimal_text({amount, billion}) + "/s";
  return seconds_text(Duration{amount});
}

std::string value_text(const Need& need, std::int64_t amount) {
  const std::string text = amount_text(need, amount);
  if (need.kind == Kind::failover)
    return fmt::format("{} {} {}", aggregation_text(need), need.strict ? "<" : "<=", text);
  const std::string_view model = word_of(need.model);
  return model.empty() ? text : fmt::format("{}, {}", text, model);
}

std::string value_text(const Need& need) {
  return value_text(need, need.amount);
}

}  // namespace tenure::scenario

// Writing YAML, with libyaml. What is left to decide here: which maps and lists stand in braces,
// and which texts need quotes, because a reader would take them for something else.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>
#include <yaml.h>

#include <tenure/base/assert.hpp>
#include <tenure/base/text.hpp>
#include <tenure/scenario/canonical.hpp>

namespace tenure::scenario {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t columns = 80;
constexpr std::size_t most_in_braces = 4;

// Words of YAML 1.1 and 1.2 that are no texts. This loader takes them as written, others do not.
bool is_word_of_yaml(std::string_view text) {
  constexpr std::string_view words[] = {"true", "false", "yes", "no", "on",   "off",   "null", "y",
                                        "n",    "~",     "<<",  "=",  ".inf", "-.inf", ".nan"};
  std::string lower{text};
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text.empty() || std::find(std::begin(words), std::end(words), lower) != std::end(words);
}

// Numbers, times and dates of either version: nothing but digits and what may stand between them.
bool looks_like_a_number(std::string_view text) {
  const bool begins =
      (text[0] >= '0' && text[0] <= '9') || text[0] == '-' || text[0] == '+' || text[0] == '.';
  return begins && text.find_first_not_of("0123456789abcdefABCDEFoxX+-.:_TZ ") == text.npos;
}

// Statements of thresholds are quoted everywhere in the documentation, needed or not.
bool needs_quotes(std::string_view text) {
  return is_word_of_yaml(text) || looks_like_a_number(text) ||
         text.find_first_of("<>=!") != text.npos;
}

// {uniform: [1ms, 9ms]} and the like count as single values.
bool is_distribution(const Json& value) {
  constexpr std::string_view names[] = {"uniform", "exponential", "lognormal",
                                        "pareto",  "empirical",   "mixture"};
  return value.is_object() && value.size() == 1 &&
         std::find(std::begin(names), std::end(names), value.begin().key()) != std::end(names);
}

bool is_single(const Json& value) {
  return value.is_primitive() || is_distribution(value);
}

// Whether it stands in braces at this many columns from the left.
bool in_braces(const Json& value, std::size_t column) {
  if (value.empty() || is_distribution(value)) return true;
  const bool flat = std::all_of(value.begin(), value.end(), is_single);
  const bool few = value.is_array() || value.size() <= most_in_braces;
  return flat && few && column + code_points(value.dump()) <= columns;
}

class Writing {
 public:
  Writing() {
    demand(yaml_emitter_initialize(&emitter_));
    yaml_emitter_set_output(&emitter_, append, &out_);
    yaml_emitter_set_encoding(&emitter_, YAML_UTF8_ENCODING);
    yaml_emitter_set_unicode(&emitter_, 1);
    yaml_emitter_set_width(&emitter_, static_cast<int>(columns));
  }
  ~Writing() { yaml_emitter_delete(&emitter_); }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;

  std::string document(const Json& root) {
    yaml_event_t event;
    demand(yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    emit(event);
    demand(yaml_document_start_event_initialize(&event, nullptr, nullptr, nullptr, 1));
    emit(event);
    value(root, 0, false);
    demand(yaml_document_end_event_initialize(&event, 1));
    emit(event);
    demand(yaml_stream_end_event_initialize(&event));
    emit(event);
    return out_;
  }

 private:
  static int append(void* out, unsigned char* bytes, std::size_t size) {
    static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(bytes), size);
    return 1;
  }
  static void demand(int done) { TENURE_ASSERT(done != 0, "libyaml has memory enough"); }
  void emit(yaml_event_t& event) { demand(yaml_emitter_emit(&emitter_, &event)); }

  void text(std::string_view text, bool is_text) {
    const auto style =
        is_text && needs_quotes(text) ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_ANY_SCALAR_STYLE;
    yaml_event_t event;
    demand(yaml_scalar_event_initialize(&event, nullptr, nullptr,
                                        reinterpret_cast<const unsigned char*>(text.data()),
                                        static_cast<int>(text.size()), 1, 1, style));
    emit(event);
  }

  // `column` is where its text begins, a key and a colon left of it.
  void value(const Json& value, std::size_t column, bool braces) {
    if (value.is_object()) return map(value, braces || in_braces(value, column));
    if (value.is_array()) return list(value, braces || in_braces(value, column));
    const std::string* own = value.get_ptr<const std::string*>();
    text(own != nullptr ? *own : value.dump(), own != nullptr);
  }

  void map(const Json& value, bool braces) {
    yaml_event_t event;
    demand(yaml_mapping_start_event_initialize(
        &event, nullptr, nullptr, 1, braces ? YAML_FLOW_MAPPING_STYLE : YAML_BLOCK_MAPPING_STYLE));
    emit(event);
    for (const auto& [key, field] : value.items()) {
      text(key, true);
      ++depth_;
      this->value(field, 2 * depth_ + code_points(key), braces);
      --depth_;
    }
    demand(yaml_mapping_end_event_initialize(&event));
    emit(event);
  }

  void list(const Json& value, bool braces) {
    yaml_event_t event;
    demand(yaml_sequence_start_event_initialize(
        &event, nullptr, nullptr, 1,
        braces ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE));
    emit(event);
    for (const Json& item : value) this->value(item, 2 * depth_ + 2, braces);
    demand(yaml_sequence_end_event_initialize(&event));
    emit(event);
  }

  yaml_emitter_t emitter_{};
  std::string out_;
  std::size_t depth_ = 0;  // maps around
};

}  // namespace

std::string yaml_text(const Json& document) {
  return Writing{}.document(document);
}

}  // namespace tenure::scenario

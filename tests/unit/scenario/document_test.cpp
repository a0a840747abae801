#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include <doctest/doctest.h>

#include <tenure/scenario/document.hpp>

using namespace tenure;
using namespace tenure::scenario;

namespace {

struct Read {
  std::vector<Document> documents;
  Diagnostics problems;

  const Node& root() const { return *documents.at(0).root; }
  std::string codes() const {
    std::string out;
    for (const Diagnostic& d : problems.all()) out += (out.empty() ? "" : " ") + d.code;
    return out;
  }
};

Read read(std::string text, Format format = Format::yaml) {
  Read out;
  out.documents = parse_documents("test", std::move(text), format, out.problems);
  return out;
}

const Node& at(const Node& map, std::string_view key) {
  return *map.find(key)->value;
}

std::string repeated(std::string_view part, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

}  // namespace

TEST_CASE("keys and values know their places in code points") {
  const Read yaml = read("a: 1\n\xC3\xA9\xC3\xA9: {b: \"\xE2\x82\xAC\", c: [x, yy]}\n");
  CHECK(yaml.codes().empty());
  const Entry& accents = yaml.root().entries.at(1);
  CHECK(accents.where == Position{2, 1, 2});
  CHECK(at(*accents.value, "b").where == Position{2, 9, 3});
  CHECK(at(*accents.value, "b").was_quoted);
  CHECK(at(*accents.value, "c").items.at(1)->where == Position{2, 21, 2});
}

TEST_CASE("JSON gives the same places as YAML") {
  const std::string text =
      "{\"a\": 1,\n \"\xC3\xA9\": {\"b\": \"\\u20ac\\\"\", \"c\": [true, -2.5e3, \"z\"]}}";
  const Read json = read(text, Format::json);
  const Read yaml = read(text, Format::yaml);
  CHECK(json.codes().empty());
  CHECK(yaml.codes().empty());
  for (const Read* one : {&json, &yaml}) {
    const Entry& accent = one->root().entries.at(1);
    CHECK(accent.where == Position{2, 2, 3});
    CHECK(at(*accent.value, "b").where == Position{2, 13, 10});
    CHECK(at(*accent.value, "b").text == "\xE2\x82\xAC\"");
    CHECK(at(*accent.value, "c").items.at(1)->text == "-2.5e3");
    CHECK(at(*accent.value, "c").items.at(1)->where == Position{2, 37, 6});
    CHECK(at(*accent.value, "c").items.at(2)->where == Position{2, 45, 3});
  }
}

TEST_CASE("a text stays what it is until someone asks for a type") {
  const Read yaml = read("[yes, 0123, 1:30, \"5\", 'x', on, .inf]");
  const auto& items = yaml.root().items;
  CHECK(items.at(0)->text == "yes");
  CHECK(items.at(1)->text == "0123");
  CHECK(items.at(2)->text == "1:30");
  CHECK_FALSE(items.at(0)->was_quoted);
  CHECK(items.at(3)->was_quoted);
  CHECK(items.at(4)->was_quoted);
}

TEST_CASE("lines end with LF or CRLF") {
  const Read yaml = read("a: 1\r\nb: {c: 2}\r\n");
  CHECK(at(at(yaml.root(), "b"), "c").where == Position{2, 8, 1});
}

TEST_CASE("several documents are several trees, and empty ones are none") {
  const Read yaml = read("---\na: 1\n---\n---\nb: 2\n...\n");
  CHECK(yaml.codes().empty());
  REQUIRE(yaml.documents.size() == 2);
  CHECK(at(*yaml.documents.at(1).root, "b").where.line == 5);
}

TEST_CASE("a duplicate key is reported with the place of the first, which wins") {
  for (const Format format : {Format::yaml, Format::json}) {
    const Read both = read("{\"a\": 1,\n\"a\": 2}", format);
    CHECK(both.codes() == "E0103");
    CHECK(both.problems.all().at(0).where == Position{2, 1, 3});
    CHECK(both.problems.all().at(0).text == "duplicate key \"a\", first at line 1");
    CHECK(at(both.root(), "a").text == "1");
    CHECK(both.root().entries.size() == 1);
  }
}

TEST_CASE("a key needs a value") {
  CHECK(read("a:\nb: ~\nc: null\nd: \"\"\n").codes() == "E0111 E0111 E0111");
  CHECK(read("{\"a\": null}", Format::json).codes() == "E0111");
  CHECK(read("- \n- x\n").codes() == "E0111");
}

TEST_CASE("merge keys, tags and keys that are no text are refused") {
  CHECK(read("a: &a {x: 1}\nb:\n  <<: *a\n").codes() == "E0105");
  CHECK(read("a: !!int \"5\"\nb: !local {}\n").codes() == "E0106 E0106");
  CHECK(read("? [a]\n: b\n").codes() == "E0113");
  CHECK(read("a: &a x\n*a : b\n").codes() == "E0113");
}

TEST_CASE("aliases stand for what their anchor holds, at its place") {
  const Read yaml = read("a: &x {k: v}\nb: *x\n");
  CHECK(yaml.codes().empty());
  CHECK(at(at(yaml.root(), "b"), "k").text == "v");
  CHECK(at(yaml.root(), "b").where.line == 1);
  CHECK(yaml.root().size == 5);
  CHECK(read("b: *x\n").codes() == "E0107");
  CHECK(read("a: &x [*x]\n").codes() == "E0107");
  CHECK(read("a: &x 1\n---\nb: *x\n").codes() == "E0107");
}

TEST_CASE("an alias bomb is counted, not expanded") {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + repeated(last + ", ", 9) +
            last + "]\n";
  }
  const auto begin = std::chrono::steady_clock::now();
  CHECK(read(bomb).codes() == "E0110");
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{5});
}

TEST_CASE("size, depth and the number of nodes are limited") {
  CHECK(read(std::string(5U << 20U, ' ')).codes() == "E0108");
  CHECK(read(repeated("[", 64) + repeated("]", 64)).codes().empty());
  CHECK(read(repeated("[", 65) + repeated("]", 65)).codes() == "E0109");
  CHECK(read(repeated("[", 4'000'000), Format::json).codes() == "E0109");
  CHECK(read(repeated("- ", 100'000) + "x").codes() == "E0109");
  CHECK(read("[" + repeated("1,", 100'001) + "1]", Format::json).codes() == "E0110");
  CHECK(read(repeated("---\n", 200'000)).codes() == "E0110");
}

TEST_CASE("only UTF-8 is read") {
  using namespace std::string_literals;
  CHECK(read("\xEF\xBB\xBF"s + "a: 1").codes().empty());
  CHECK(read("\xEF\xBB\xBF{}", Format::json).codes().empty());
  CHECK(read("\xEF\xBB\xBF\xEF\xBB\xBF{}", Format::json).codes() == "E0102");
  CHECK(read("\xFF\xFE"
             "a\0"s)
            .codes() == "E0104");
  CHECK(read("\0a\0:"s).codes() == "E0104");
  const Read invalid = read("a: \xC3\xA9\nb: x\xFF\n");
  CHECK(invalid.codes() == "E0104");
  CHECK(invalid.problems.all().at(0).where == Position{2, 5, 1});
  CHECK(read("a: b\0c"s).codes() == "E0104");
  CHECK(read("a: \x01\n").codes() == "E0101");
}

TEST_CASE("what is no YAML is an error where the parser stopped") {
  for (const std::string text : {",", "a: [1", "\"", "a: b: c", "\t- x", "a: 'x", "@", "%", "*",
                                 "&", "a: |\n\tx", "- -\n :"}) {
    CAPTURE(text);
    const Read yaml = read(text);
    CHECK(yaml.problems.errors() >= 1);
    CHECK(yaml.problems.all().at(0).where.line >= 1);
  }
}

TEST_CASE("an empty file holds no document") {
  CHECK(read("").codes() == "E0112");
  CHECK(read("# only a comment\n").codes() == "E0112");
  CHECK(read("", Format::json).codes() == "E0102");
}

TEST_CASE("JSON is strict, and comments belong to jsonc") {
  CHECK(read("{\"a\": 1,}", Format::json).codes() == "E0102");
  CHECK(read("{a: 1}", Format::json).codes() == "E0102");
  CHECK(read("{} {}", Format::json).codes() == "E0102");
  CHECK(read("// x\n{}", Format::json).codes() == "E0102");
  const Read commented = read("// x\n{/* y */ \"a\" /**/: 1, // z\n \"b\": \"//\"}", Format::jsonc);
  CHECK(commented.codes().empty());
  CHECK(at(commented.root(), "b").where == Position{3, 7, 4});
  CHECK(read("{} {}", Format::json).problems.all().at(0).where == Position{1, 4, 1});
}

TEST_CASE("the name of a file says its format") {
  CHECK(format_of("a.yaml") == Format::yaml);
  CHECK(format_of("a.JSON") == Format::json);
  CHECK(format_of("a.jsonc") == Format::jsonc);
  CHECK(format_of("json") == Format::yaml);
}

TEST_CASE("a file that cannot be read is an error of the command line") {
  Diagnostics problems;
  CHECK(load_documents("no/such/file.yaml", problems).empty());
  REQUIRE(problems.errors() == 1);
  CHECK(rendered(problems) ==
        "tenure: error[E0501]: cannot read no/such/file.yaml: No such file or directory\n");
  CHECK(load_documents(".", problems).empty());
  CHECK(problems.errors() == 2);
}

namespace {

Read with_override(std::string text, std::string_view argument) {
  Read out = read(std::move(text));
  if (!out.documents.empty()) apply_override(out.documents.front(), argument, out.problems);
  return out;
}

constexpr const char* nested =
    "spec:\n  list:\n    - {name: one, x: 1}\n    - {name: two}\n  limits: {api.x: 1}\n";

}  // namespace

TEST_CASE("--set replaces a value and remembers who did it") {
  for (const std::string path :
       {"spec.list.0.x=5s", "spec.list[0].x=5s", "spec.list[one].x=5s", "spec.list.one.x=5s"}) {
    CAPTURE(path);
    const Read changed = with_override(nested, path);
    CHECK(changed.codes().empty());
    const Node& x = at(*at(at(changed.root(), "spec"), "list").items.at(0), "x");
    CHECK(x.text == "5s");
    CHECK(x.set_by == path);
    CHECK(x.where == Position{3, 22, 1});
  }
}

TEST_CASE("--set makes missing keys, takes YAML, and reaches keys with dots") {
  const Read made = with_override(nested, "spec.new.deep={a: [1, 2]}");
  CHECK(at(at(at(at(made.root(), "spec"), "new"), "deep"), "a").items.size() == 2);
  const Read dotted = with_override(nested, "spec.limits[api.x]=7");
  CHECK(at(at(at(dotted.root(), "spec"), "limits"), "api.x").text == "7");
  const Read filled = with_override("a:\n", "a.b=1");
  CHECK(at(at(filled.root(), "a"), "b").text == "1");
}

TEST_CASE("--set that leads nowhere is an error of the command line") {
  for (const std::string argument :
       {"spec", "=1", "spec.=1", ".spec=1", "spec..x=1", "spec.list.9.x=1", "spec.list[three].x=1",
        "spec.list.0.x.y=1", "spec[=1", "spec[]=1", "spec.x=", "spec.x=[", "spec.x={a: 1, a: 2}",
        "spec.list.99999999999999999999=1"}) {
    CAPTURE(argument);
    const Read changed = with_override(nested, argument);
    CHECK(changed.codes() == "E0003");
    CHECK(changed.problems.all().at(0).file.empty());
  }
}

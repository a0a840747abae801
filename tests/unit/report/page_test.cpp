// Pages and charts: that no name leaves the text it belongs to, that nothing asks for the network,
// and that a chart and its table hold the same numbers.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <tenure/base/text.hpp>
#include <tenure/report/page.hpp>

#include "support/hostile_outcome.hpp"

namespace tenure::report {
namespace {

std::string html_of(const Page& page) {
  std::string text;
  write_html(page, [&](std::string_view piece) { text += piece; });
  return text;
}
std::string svg_of(const Chart& chart) {
  std::string text;
  write_svg(chart, [&](std::string_view piece) { text += piece; });
  return text;
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TrueTime second(std::int64_t at) {
  return TrueTime{std::chrono::seconds{at}};
}

Ecdf ecdf(const std::string& name) {
  return {
      stats::Unit::nanosecond,
      name,
      {{name, {{13'000'000'000, 1}, {15'000'000'000, 3}, {20'000'000'000, 4}}, 4, 0, 0.1, true}},
      {{17'000'000'000, name}}};
}
Timeline timeline(const std::string& name) {
  return {second(0),
          second(10),
          {{name, {{second(0), second(6), Shade::held, name}}, Layer::lease},
           {"leaders",
            {{second(0), second(5), Shade::one_leader, "1"},
             {second(5), second(8), Shade::two_run, "2"}},
            Layer::leaders},
           {"fault", {{second(2), second(2) + Duration{1}, Shade::fault, name}}, Layer::fault}}};
}
Heatmap heatmap(const std::string& name) {
  return {stats::Unit::nanosecond,
          name,
          name,
          name,
          {name, "b"},
          {"1s", "2s"},
          {{17'400'000'000, {}}, {19'500'000'000, {}}, {{}, name}, {}},
          1};
}
Pareto pareto(const std::string& name) {
  return {stats::Unit::nanosecond,
          stats::Unit::billionth,
          name,
          name,
          {{name, 1'000'000'000, 500'000'000, true, true}, {"b", 2'000'000'000, 900'000'000}}};
}
BudgetChart budget(const std::string& name) {
  return {{{name, std::chrono::seconds{-1}}, {"wait", std::chrono::seconds{15}}},
          std::chrono::seconds{14}};
}

// A page with a block of each kind, all of whose texts are `name`.
Page page(const std::string& name) {
  Page out;
  out.title = out.word = out.description = name;
  out.facts = {name, name};
  out.blocks = {Heading{name, "a"},
                Paragraph{name},
                List{{name}},
                Table{name, {{name}}, {{{name, "a"}}}, true},
                VerdictTable{{{run::Finding::fail, name, name, name, {name, "a"}, {name}}}},
                Code{name, name}};
  for (Chart chart : {Chart{name, name, ecdf(name)}, Chart{name, name, timeline(name)},
                      Chart{name, name, heatmap(name)}, Chart{name, name, pareto(name)},
                      Chart{name, name, budget(name)}})
    out.blocks.push_back(Figure{std::move(chart), {}, name});
  return out;
}

TEST_CASE("a hostile name ends no element and no attribute of a page") {
  const std::string text = html_of(page(test::hostile_text()));
  // The one script of a page is its own.
  CHECK(count(text, "<script") == 1);
  CHECK(count(text, "alert('x')") == 0);
  CHECK(count(text, "alert(&apos;x&apos;)") > 20);
  CHECK(first_invalid_utf8(text) == std::string_view::npos);
  const bool no_control = std::all_of(text.begin(), text.end(), [](char c) {
    return c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
  });
  CHECK(no_control);
  // U+202E would turn what follows.
  CHECK(count(text, "\xE2\x80\xAE") == 0);
}

TEST_CASE("a name of 10 KB is cut where it can be seen") {
  const std::string text = html_of(page(std::string(10'240, 'n')));
  CHECK(text.size() < 120'000);
  CHECK(count(text, "n...") > 5);
}

TEST_CASE("a page asks for nothing, and forbids it") {
  const std::string text = html_of(page("a"));
  CHECK(count(text,
              "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
              "img-src data:") == 1);
  CHECK(count(text, "src=") == 0);
  CHECK(count(text, "url(") == count(text, "url(#"));
  CHECK(count(text, "href=") == count(text, "href=\"#") + count(text, "href=\"data:,\""));
}

TEST_CASE("every chart has a title, a description and a table with its numbers") {
  const std::string text = html_of(page("a"));
  CHECK(count(text, "<svg") == 5);
  CHECK(count(text, "role=\"img\"") == 5);
  CHECK(count(text, "<desc ") == 5);
  CHECK(count(text, "the numbers of this chart") == 5);
}

TEST_CASE("the table of a distribution holds every step that is drawn, and every mark") {
  const Table table = table_of({"t", "d", ecdf("failover")});
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[1][1].text == "15s");
  CHECK(table.rows[1][2].text == "75.00 %");
  CHECK(table.rows[1][3].text == "65.00 % .. 85.00 %");
  CHECK(table.rows[3][1].text == "17s");
}

TEST_CASE("an overlap is hatched and says how many lead; a fault of an instant is seen and named") {
  const std::string text = svg_of({"t", "d", timeline("kill")});
  CHECK(count(text, "url(#c-cross)") == 2);  // in its lane, and in the legend
  CHECK(count(text, ">2</text>") == 1);
  CHECK(count(text, "width=\"3\" height=\"17\" class=\"b fa\"") == 1);
  CHECK(count(text, ">kill</text>") >= 1);
}

TEST_CASE("a cell that was not run is hatched and says why; the present one is framed") {
  const std::string text = svg_of({"t", "d", heatmap("too short")});
  CHECK(count(text, "url(#c-hatch)") == 1);
  CHECK(count(text, ">too short</text>") >= 1);
  CHECK(count(text, ">19.50s</text>") == 1);
  CHECK(count(text, "class=\"pr\"") == 1);
}

TEST_CASE("each part of a time budget says its sign") {
  const std::string text = svg_of({"t", "d", budget("age")});
  CHECK(count(text, ">-1s</text>") == 1);
  CHECK(count(text, ">+15s</text>") == 1);
}

TEST_CASE("a distribution without samples is drawn as such") {
  const std::string text = svg_of({"t", "d", Ecdf{stats::Unit::nanosecond, "failover", {}, {}}});
  CHECK(count(text, "there are no samples") == 1);
}

}  // namespace
}  // namespace tenure::report

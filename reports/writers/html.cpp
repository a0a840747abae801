// A page as one self-contained file. It asks for nothing from anywhere, and its policy forbids that
// it could; it is read without scripts and on paper as well. Every text is escaped where it is
// written, control and direction-changing characters are made visible, and what is left stands in
// isolation (<bdi>), so that no name turns the text around it.
#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <tenure/report/page.hpp>

#include "assets.hpp"
#include "findings.hpp"
#include "foreign.hpp"
#include "svg.hpp"

namespace tenure::report {
namespace {

constexpr std::size_t longest_name = 200;    // code points
constexpr std::size_t longest_text = 2'000;  // code points

std::string plain(std::string_view raw, std::size_t most = longest_text) {
  return xml(printable(raw, most));
}

std::string isolated(std::string_view raw, std::size_t most = longest_text) {
  return fmt::format("<bdi>{}</bdi>", plain(raw, most));
}

// Lines stay lines; nothing is cut off, because it may be a scenario.
std::string preformatted(std::string_view raw) {
  std::string out;
  while (!raw.empty()) {
    const std::size_t end = std::min(raw.find('\n'), raw.size());
    out += xml(printable(raw.substr(0, end), std::string_view::npos));
    if (end < raw.size()) out += '\n';
    raw.remove_prefix(std::min(end + 1, raw.size()));
  }
  return out;
}

std::string id_attribute(const Anchor& anchor) {
  return anchor.empty() ? std::string{} : fmt::format(" id=\"{}\"", xml(anchor));
}

std::string_view class_of(run::Finding finding) {
  using run::Finding;
  if (finding == Finding::ok || finding == Finding::xfail) return "pass";
  return finding == Finding::fail || finding == Finding::xpass ? "fail" : "open";
}

std::string_view class_of(run::Verdict verdict) {
  if (verdict == run::Verdict::pass) return "pass";
  return verdict == run::Verdict::fail ? "fail" : "open";
}

class Html {
 public:
  explicit Html(const TextSink& sink) : sink_(sink) {}

  void page(const Page& page) {
    head(page);
    header(page);
    navigation(page);
    sink_("<main id=\"main\">\n");
    for (const Block& block : page.blocks) {
      std::visit([&](const auto& one) { write(one); }, block);
      sink_("\n");
    }
    if (in_section_) sink_("</section>\n");
    sink_(
        fmt::format("</main>\n<footer><p>Made by tenure {}: simulated time, no clock of this "
                    "world.</p></footer>\n<script>{}</script>\n</body>\n</html>\n",
                    run::tenure_version, assets::report_js));
  }

 private:
  void head(const Page& page) {
    sink_(fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>{} - tenure</title>\n<style>{}\n{}</style>\n"
        "</head>\n<body>\n",
        plain(page.title, longest_name), assets::chart_css, assets::report_css));
  }

  void header(const Page& page) {
    sink_(
        fmt::format("<a class=\"skip\" href=\"#main\">to the report</a>\n<header>\n<p "
                    "class=\"brand\">tenure</p>\n"
                    "<h1>{}</h1>\n<p>",
                    isolated(page.title, longest_name)));
    if (!page.word.empty()) {
      sink_(fmt::format("<span class=\"verdict {}\">{}</span>", class_of(page.verdict),
                        plain(page.word)));
    }
    std::string facts;
    for (const std::string& fact : page.facts)
      facts += (facts.empty() ? "" : " \xC2\xB7 ") + isolated(fact);
    sink_(fmt::format("<span class=\"facts\">{}</span></p>\n", facts));
    if (!page.description.empty()) sink_(fmt::format("<p>{}</p>\n", isolated(page.description)));
    sink_("</header>\n");
  }

  void navigation(const Page& page) {
    std::string items;
    for (const Block& block : page.blocks) {
      const auto* heading = std::get_if<Heading>(&block);
      if (heading == nullptr || heading->anchor.empty()) continue;
      items += fmt::format("<li><a href=\"#{}\">{}</a></li>", xml(heading->anchor),
                           isolated(heading->text, longest_name));
    }
    if (!items.empty())
      sink_(fmt::format("<nav aria-label=\"sections\"><ul>{}</ul></nav>\n", items));
  }

  void write(const Heading& heading) {
    if (in_section_) sink_("</section>\n");
    in_section_ = true;
    const std::string label = fmt::format("s{}", ++sections_);
    sink_(fmt::format("<section{} aria-labelledby=\"{}\">\n<h2 id=\"{}\">{}</h2>",
                      id_attribute(heading.anchor), label, label,
                      isolated(heading.text, longest_name)));
  }

  void write(const Paragraph& paragraph) {
    sink_(fmt::format("<p>{}</p>", isolated(paragraph.text)));
  }

  void write(const List& list) {
    sink_("<ul>");
    for (const std::string& item : list.items) sink_(fmt::format("<li>{}</li>", isolated(item)));
    sink_("</ul>");
  }

  std::string text_of(const Cell& cell) const {
    const std::string text = isolated(cell.text, longest_name);
    return cell.link.empty() ? text : fmt::format("<a href=\"#{}\">{}</a>", xml(cell.link), text);
  }

  void write(const Table& table) { write_table(table, table.is_folded ? table.caption : ""); }

  void write_table(const Table& table, const std::string& folded_as) {
    if (!folded_as.empty())
      sink_(fmt::format("<details><summary>{}</summary>", isolated(folded_as, longest_name)));
    open_scroll(table.caption);
    sink_("<table class=\"sort\">");
    if (folded_as.empty() && !table.caption.empty())
      sink_(fmt::format("<caption>{}</caption>", isolated(table.caption)));
    sink_("<thead><tr>");
    for (const Column& column : table.columns) {
      sink_(fmt::format("<th scope=\"col\"{}>{}</th>", column.is_number ? " class=\"n\"" : "",
                        plain(column.name, longest_name)));
    }
    sink_("</tr></thead><tbody>\n");
    for (const std::vector<Cell>& row : table.rows) write_row(table, row);
    sink_("</tbody></table></div>");
    if (!folded_as.empty()) sink_("</details>");
  }

  void write_row(const Table& table, const std::vector<Cell>& row) {
    sink_("<tr>");
    for (std::size_t i = 0; i < row.size(); ++i) {
      // Numbers are our own, and need no isolation.
      const bool is_number = i < table.columns.size() && table.columns[i].is_number;
      sink_(is_number && row[i].link.empty()
                ? fmt::format("<td class=\"n\">{}</td>", plain(row[i].text, longest_name))
                : fmt::format("<td{}>{}</td>", is_number ? " class=\"n\"" : "", text_of(row[i])));
    }
    sink_("</tr>\n");
  }

  void write(const VerdictTable& table) {
    open_scroll("verdicts");
    sink_(
        "<table><thead><tr><th scope=\"col\">result</th><th scope=\"col\">property or "
        "threshold</th><th scope=\"col\">seen</th><th scope=\"col\">95 % interval</th><th "
        "scope=\"col\">run</th></tr></thead><tbody>\n");
    for (const VerdictTable::Row& row : table.rows) {
      std::string notes;
      for (const std::string& note : row.notes)
        notes += fmt::format("<div class=\"note\">{}</div>", isolated(note));
      sink_(
          fmt::format("<tr><td class=\"{}\"><strong>{}</strong></td><th scope=\"row\">{}</th>"
                      "<td>{}{}</td><td>{}</td><td>{}</td></tr>\n",
                      class_of(row.finding), word(row.finding), isolated(row.name, longest_name),
                      isolated(row.estimate, longest_name), notes,
                      isolated(row.interval, longest_name), text_of(row.run)));
    }
    sink_("</tbody></table></div>");
  }

  void write(const Figure& figure) {
    const std::string id = fmt::format("c{}", ++charts_);
    const bool wide = std::holds_alternative<Timeline>(figure.chart.what);
    if (!figure.folded_as.empty()) {
      sink_(fmt::format("<details{}><summary>{}</summary>", id_attribute(figure.anchor),
                        isolated(figure.folded_as, longest_name)));
    }
    sink_(fmt::format("<figure{}{}><figcaption>{}</figcaption>",
                      figure.folded_as.empty() ? id_attribute(figure.anchor) : "",
                      wide ? " class=\"wide\"" : "", isolated(figure.chart.title, longest_name)));
    open_scroll(figure.chart.title);
    sink_(svg_element(figure.chart, id));
    sink_("</div>\n");
    Table data = table_of(figure.chart);
    write_table(data, fmt::format("the numbers of this chart: {}", figure.chart.title));
    sink_("</figure>");
    if (!figure.folded_as.empty()) sink_("</details>");
  }

  void write(const Code& code) {
    if (!code.folded_as.empty())
      sink_(fmt::format("<details><summary>{}</summary>", isolated(code.folded_as, longest_name)));
    sink_(fmt::format("<pre tabindex=\"0\">{}</pre>", preformatted(code.text)));
    if (!code.folded_as.empty()) sink_("</details>");
  }

  // What may be wider than the page scrolls by itself, with the keyboard too.
  void open_scroll(std::string_view name) {
    sink_(fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">",
                      plain(name, longest_name)));
  }

  const TextSink& sink_;
  bool in_section_ = false;
  unsigned sections_ = 0;
  unsigned charts_ = 0;
};

}  // namespace

void write_html(const Page& page, const TextSink& sink) {
  Html{sink}.page(page);
}

}  // namespace tenure::report

// The page "paper beside ours": each figure and table with its claims, verdicts, pictures and numbers.
#include <fmt/format.h>

#include "medlar/paper.hpp"
#include "medlar/report/html_text.hpp"
#include "medlar/report/page_asset.hpp"

namespace medlar {
namespace {

std::string_view mark(std::string_view verdict) {
  return verdict == "holds" ? "converged" : verdict.starts_with("holds") ? "almost" : "stalled";
}

std::string heading(const Exhibit& exhibit) {
  const bool figure = exhibit.name.starts_with("figure");
  return fmt::format("{} {}", figure ? "Figure" : "Table", exhibit.name.substr(figure ? 6 : 5));
}

std::string claims(const Exhibit& exhibit) {
  std::string rows;
  for (const Claim& claim : exhibit.claims) {
    rows += fmt::format(
        "<tr><th scope=\"row\">{}<br><span class=\"faint\">{}</span></th><td><span class=\"badge {}\">{}</span></td>"
        "<td>{}</td></tr>\n",
        html_escaped(claim.paper), html_escaped(claim.source), mark(claim.verdict), html_escaped(claim.verdict),
        html_escaped(claim.evidence));
  }
  if (rows.empty()) return "";
  return fmt::format(
      "<div class=\"scroller\" tabindex=\"0\" role=\"region\" aria-label=\"Claims of {0}\"><table class=\"claims\">"
      "<thead><tr><th scope=\"col\">claim</th><th scope=\"col\">verdict</th><th scope=\"col\">evidence</th></tr>"
      "</thead><tbody>\n{1}</tbody></table></div>\n",
      heading(exhibit), rows);
}

std::string numbers(const ResultTable& table) {
  std::string head, rows;
  for (const std::string& column : table.columns)
    head += fmt::format("<th scope=\"col\">{}</th>", html_escaped(column));
  for (const ResultTable::Row& row : table.rows) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th>", html_escaped(row.label));
    for (const auto& value : row.values) {
      rows += value ? fmt::format("<td title=\"{}\">{}</td>", *value, short_number(*value)) : "<td>–</td>";
    }
    rows += "</tr>\n";
  }
  return fmt::format(
      "<div class=\"scroller\" tabindex=\"0\" role=\"region\" aria-label=\"Numbers of {}\"><table><thead><tr>{}</tr>"
      "</thead><tbody>\n{}</tbody></table></div>\n",
      html_escaped(table.name), head, rows);
}

std::string section(const Exhibit& exhibit) {
  std::string text = fmt::format("<section id=\"{}\">\n<h2>{}: {}</h2>\n", html_escaped(exhibit.name), heading(exhibit),
                                 html_escaped(exhibit.title));
  text += fmt::format(
      "<div class=\"columns\"><div><h3>The paper</h3><p>{}</p></div><div><h3>Ours</h3><p>{}</p></div></div>\n",
      html_escaped(exhibit.paper), html_escaped(exhibit.skipped.empty() ? exhibit.ours : exhibit.skipped));
  text += claims(exhibit);
  for (const ResultTable& table : exhibit.tables) text += numbers(table);
  text += "<div class=\"columns\">\n";
  for (const Chart& chart : exhibit.charts) text += "<figure class=\"plot\">" + chart_svg(chart) + "</figure>\n";
  return text + "</div>\n</section>\n";
}

std::string summary(std::span<const Exhibit> exhibits) {
  int held = 0, partly = 0, failed = 0;
  for (const Exhibit& exhibit : exhibits) {
    for (const Claim& claim : exhibit.claims) {
      ++(claim.verdict == "holds" ? held : claim.verdict.starts_with("holds") ? partly : failed);
    }
  }
  return fmt::format("Of {} claims {} hold, {} hold only under a condition, {} do not hold.", held + partly + failed,
                     held, partly, failed);
}

}  // namespace

std::string paper_page(std::span<const Exhibit> exhibits) {
  std::string links, sections;
  for (const Exhibit& exhibit : exhibits) {
    links += fmt::format("<li><a href=\"#{}\">{}</a></li>", html_escaped(exhibit.name), heading(exhibit));
    sections += section(exhibit);
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>The paper beside ours</title>\n"
      "<style>\n{}.claims th:first-child {{ width: 26% }} .claims td {{ text-align: left }} .claims td:nth-child(2) {{ "
      "min-width: 10rem }} .claims th {{ text-align: "
      "left }}"
      " .claims .badge {{ border-radius: .5rem }}\n</style>\n</head>\n<body>\n<header><p class=\"brand\">Medlar</p>"
      "<h1>The paper beside ours</h1>\n<p class=\"lead\">T. Jebara and T. Jaakkola, <cite>Feature Selection and "
      "Dualities in "
      "Maximum Entropy Discrimination</cite>, UAI 2000: every figure and table made again by <code>medlar "
      "reproduce</code>, and what "
      "the numbers say of each claim. ± is one standard error over random splits.</p>\n<p>{} Under each claim stands "
      "where the paper makes "
      "it; <em>our question</em> means that the figure is about it, but no sentence of the paper is quoted. None of "
      "the "
      "paper’s measured numbers is repeated here.</p></header>\n"
      "<nav aria-label=\"Figures and tables\"><ul>{}</ul></nav>\n<main>\n{}</main>\n</body>\n</html>\n",
      page_style, summary(exhibits), links, sections);
}

}  // namespace medlar

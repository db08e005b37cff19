// Charts of lines and dots as SVG that stands alone: axes, ticks, a legend; light or dark by the reader's preference.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "medlar/paper.hpp"
#include "medlar/report/html_text.hpp"

namespace medlar {
namespace {

constexpr double kWidth = 560, kHeight = 380, kLeft = 62, kRight = 16, kTop = 58, kBottom = 48;

constexpr std::string_view kStyle = R"css(
.chart text { font: 12px system-ui, "Segoe UI", "Helvetica Neue", sans-serif; fill: #211c18; }
.chart .title { font-size: 15px; font-weight: 600; }
.chart .grid { stroke: #e6dfd5; } .chart .frame { stroke: #6a6058; fill: none; }
.chart .c0 { --ink: #9a4a16; } .chart .c1 { --ink: #1b6f87; } .chart .c2 { --ink: #5d7a1f; } .chart .c3 { --ink: #7b4a9a; } .chart .c4 { --ink: #6a6058; }
.chart polyline { fill: none; stroke: var(--ink); stroke-width: 2; } .chart .dashed { stroke-dasharray: 7 4; }
.chart circle { fill: var(--ink); fill-opacity: .7; }
@media screen and (prefers-color-scheme: dark) {
  .chart text { fill: #ece6de; } .chart .grid { stroke: #37322c; } .chart .frame { stroke: #a89e93; }
  .chart .c0 { --ink: #eba266; } .chart .c1 { --ink: #74c3da; } .chart .c2 { --ink: #b5cf6b; } .chart .c3 { --ink: #c9a0e0; } .chart .c4 { --ink: #a89e93; }
}
)css";

// From data to places, with ticks at round numbers.
struct Axis {
  double low = 0, high = 1, from = 0, to = 1;
  double step = 0.2;

  Axis(const Chart& chart, bool across) {
    low = HUGE_VAL, high = -HUGE_VAL;
    for (const Series& series : chart.series) {
      for (const double value : across ? series.x : series.y) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value), high = std::max(high, value);
      }
    }
    if (!(low < high)) low -= 0.5, high += 0.5;
    const double rough = (high - low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
    step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
    if (!across) low = std::floor(low / step + 1e-9) * step, high = std::ceil(high / step - 1e-9) * step;
    from = across ? kLeft : kHeight - kBottom;
    to = across ? kWidth - kRight : kTop;
  }
  double place(double value) const { return from + (to - from) * (value - low) / (high - low); }
  std::vector<double> ticks() const {
    std::vector<double> found;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) found.push_back(k * step);
    return found;
  }
};

// Values that are nearly 0 compared with the step become 0.
std::string tick_text(double value, double step) {
  return std::abs(value) < step / 1000 ? "0" : fmt::format("{:.4g}", value);
}

std::string axes(const Chart& chart, const Axis& x, const Axis& y) {
  std::string text;
  for (const double at : x.ticks()) {
    text += fmt::format(R"(<line class="grid" x1="{0:.1f}" y1="{1}" x2="{0:.1f}" y2="{2}"/>)"
                        R"(<text x="{0:.1f}" y="{3}" text-anchor="middle">{4}</text>)",
                        x.place(at), kTop, kHeight - kBottom, kHeight - kBottom + 17, tick_text(at, x.step));
  }
  for (const double at : y.ticks()) {
    text += fmt::format(R"(<line class="grid" x1="{1}" y1="{0:.1f}" x2="{2}" y2="{0:.1f}"/>)"
                        R"(<text x="{3}" y="{4:.1f}" text-anchor="end">{5}</text>)",
                        y.place(at), kLeft, kWidth - kRight, kLeft - 7, y.place(at) + 4, tick_text(at, y.step));
  }
  return text + fmt::format(
                    R"(<path class="frame" d="M{0} {1}V{2}H{3}"/><text x="{4}" y="{5}" text-anchor="middle">{6}</text>)"
                    R"svg(<text transform="translate(15 {7}) rotate(-90)" text-anchor="middle">{8}</text>)svg"
                    R"(<text class="title" x="{0}" y="20">{9}</text>)",
                    kLeft, kTop, kHeight - kBottom, kWidth - kRight, (kLeft + kWidth - kRight) / 2, kHeight - 10,
                    html_escaped(chart.x_label), (kTop + kHeight - kBottom) / 2, html_escaped(chart.y_label),
                    html_escaped(chart.title));
}

std::string drawn(const Series& series, std::size_t k, const Axis& x, const Axis& y) {
  std::string points;
  for (std::size_t j = 0; j < series.x.size(); ++j) {
    if (!std::isfinite(series.x[j]) || !std::isfinite(series.y[j])) continue;
    const double across = x.place(series.x[j]), up = y.place(series.y[j]);
    points += series.style == Series::Style::dots
                  ? fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="3"/>)", across, up)
                  : fmt::format("{:.1f},{:.1f} ", across, up);
  }
  const std::string_view kind = series.style == Series::Style::dashed ? " class=\"dashed\"" : "";
  if (series.style != Series::Style::dots) points = fmt::format(R"(<polyline{} points="{}"/>)", kind, points);
  return fmt::format("<g class=\"c{}\">{}</g>\n", k % 5, points);
}

std::string legend(const Chart& chart) {
  if (chart.series.size() < 2) return "";
  std::string text;
  double letters = 0, at = kLeft;
  for (const Series& series : chart.series) letters += static_cast<double>(series.name.size());
  const auto count = static_cast<double>(chart.series.size());
  const bool roomy = 48 * count + 7 * letters <= kWidth - kLeft;
  for (std::size_t k = 0; k < chart.series.size(); ++k) {
    const Series& series = chart.series[k];
    const std::string mark =
        series.style == Series::Style::dots
            ? fmt::format(R"(<circle cx="{}" cy="38" r="3.5"/>)", at + 12)
            : fmt::format(R"(<polyline{} points="{},38 {},38"/>)",
                          series.style == Series::Style::dashed ? " class=\"dashed\"" : "", at, at + 24);
    text += fmt::format(R"(<g class="c{}">{}</g><text x="{}" y="42">{}</text>)", k % 5, mark, at + 30,
                        html_escaped(series.name));
    at += (roomy ? 48 : 38) + (roomy ? 7.0 : 5.8) * static_cast<double>(series.name.size());
  }
  return text;
}

}  // namespace

std::string chart_svg(const Chart& chart) {
  const Axis x(chart, true), y(chart, false);
  std::string body;
  for (std::size_t k = 0; k < chart.series.size(); ++k) body += drawn(chart.series[k], k, x, y);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "role=\"img\" aria-label=\"{2}\">\n<style>{3}</style>\n{4}\n{5}{6}\n</svg>\n",
      kWidth, kHeight, html_escaped(chart.title), kStyle, axes(chart, x, y), body, legend(chart));
}

}  // namespace medlar

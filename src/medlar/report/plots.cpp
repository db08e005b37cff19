// Pictures of a report as inline SVG.
#include "medlar/report/plots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "medlar/report/html_text.hpp"

namespace medlar {
namespace {

constexpr double side = 320, margin = 36;  // a plot's frame and the room for its labels
constexpr std::size_t most_points = 2000;

// Evenly taken positions, at most `most_points`, the last included.
std::vector<std::size_t> thinned(std::size_t size) {
  std::vector<std::size_t> kept;
  const std::size_t step = std::max<std::size_t>(1, (size + most_points - 1) / most_points);
  for (std::size_t k = 0; k < size; k += step) kept.push_back(k);
  if (!kept.empty() && kept.back() != size - 1) kept.push_back(size - 1);
  return kept;
}

// A square frame with a diagonal, the ends of both axes and their names.
std::string framed(const std::string& content, double low, double high, std::string_view across, std::string_view up,
                   std::string_view title) {
  const double whole = side + 2 * margin;
  return fmt::format(
      R"(<svg width="{0}" height="{0}" viewBox="0 0 {0} {0}" role="img" aria-label="{1}"><title>{1}</title>)"
      R"(<rect class="axis" x="{2}" y="{2}" width="{3}" height="{3}"/>)"
      R"(<line class="axis" x1="{2}" y1="{4}" x2="{4}" y2="{2}"/>{5})"
      R"(<text x="{2}" y="{6}">{7}</text><text x="{4}" y="{6}" text-anchor="end">{8}</text>)"
      R"(<text x="{9}" y="{6}" text-anchor="middle">{10}</text>)"
      R"svg(<text transform="translate({11} {9}) rotate(-90)" text-anchor="middle">{12}</text></svg>)svg",
      whole, html_escaped(title), margin, side, margin + side, content, margin + side + 18, short_number(low),
      short_number(high), whole / 2, html_escaped(across), margin - 12, html_escaped(up));
}

}  // namespace

std::string inclusion_bar(double inclusion) {
  return fmt::format(
      R"(<svg width="104" height="12" aria-hidden="true"><rect class="axis" x="1" y="1" width="100" height="10"/>)"
      R"(<rect class="mark" x="1" y="1" width="{:.2f}" height="10"/></svg>)",
      100 * inclusion);
}

std::string coefficient_whisker(double coefficient, double sd, double reach) {
  const auto place = [&](double value) { return 100 + (reach > 0 ? 96 * std::clamp(value / reach, -1.0, 1.0) : 0); };
  return fmt::format(
      R"(<svg width="200" height="12" aria-hidden="true"><line class="axis" x1="100" y1="0" x2="100" y2="12"/>)"
      R"(<line class="whisker" x1="{:.2f}" y1="6" x2="{:.2f}" y2="6"/><circle class="mark" cx="{:.2f}" cy="6" r="3"/></svg>)",
      place(coefficient - sd), place(coefficient + sd), place(coefficient));
}

std::string roc_plot(std::span<const RocPoint> curve) {
  std::string points;
  for (const std::size_t k : thinned(curve.size())) {
    points += fmt::format("{:.2f},{:.2f} ", margin + side * curve[k].false_positive_rate,
                          margin + side * (1 - curve[k].true_positive_rate));
  }
  return framed(fmt::format(R"(<polyline class="curve" points="{}"/>)", points), 0, 1, "false positive rate",
                "true positive rate", "ROC curve");
}

std::string scatter_plot(std::span<const double> truth, std::span<const Prediction> predicted) {
  double low = truth.empty() ? 0 : truth.front(), high = low;
  for (std::size_t t = 0; t < truth.size(); ++t) {
    low = std::min({low, truth[t], predicted[t].score});
    high = std::max({high, truth[t], predicted[t].score});
  }
  const double span = high > low ? high - low : 1;
  std::string dots;
  for (const std::size_t t : thinned(truth.size())) {
    dots += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="2.5"/>)", margin + side * ((truth[t] - low) / span),
                        margin + side * (1 - (predicted[t].score - low) / span));
  }
  return framed(fmt::format(R"(<g class="dots">{}</g>)", dots), low, high, "true value", "predicted value",
                "Predicted against true values");
}

}  // namespace medlar

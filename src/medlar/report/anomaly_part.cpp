// The scores of an anomaly detector: a histogram and its threshold.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "medlar/report/page_data.hpp"

namespace medlar {
namespace {

constexpr std::size_t odd_bins = 50;
constexpr double widths_below = 3;  // how far below the threshold the picture goes, in widths of what lies above it

}  // namespace

// One example may lie a thousand nats below all others. It is counted in the first bin, or all others would share one.
PageJson anomaly_part(const Model& model, const std::vector<Prediction>& predicted) {
  const GenerativePart& part = *model.generative;
  double least = part.threshold, high = part.threshold;
  for (const Prediction& each : predicted) {
    least = std::min(least, each.score);
    high = std::max(high, each.score);
  }
  const double reach = widths_below * (high - part.threshold);
  const double low = reach > 0 ? std::max(least, part.threshold - reach) : least;
  const double width = (high - low) / static_cast<double>(odd_bins);
  std::vector<Index> normal(odd_bins, 0), odd(odd_bins, 0);
  Index found = 0, below = 0;
  for (const Prediction& each : predicted) {
    const double place = width > 0 ? std::max(0.0, (each.score - low) / width) : 0;
    ++(each.label == 1 ? odd : normal)[std::min(static_cast<std::size_t>(place), odd_bins - 1)];
    found += each.label;
    below += each.score < low ? 1 : 0;
  }
  return {{"threshold", page_number(part.threshold)},
          {"alpha", model.settings.alpha},
          {"odd", found},
          {"scores", {{"low", low}, {"high", high}, {"below", below}, {"normal", normal}, {"odd", odd}}}};
}

}  // namespace medlar

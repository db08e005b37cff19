// Which features of a model count as selected, and what was put over their coefficients.
#include <algorithm>

#include "medlar/model.hpp"

namespace medlar {

std::string_view Model::selected_by() const {
  return discoveries ? "knockoffs" : stability ? "stability" : "inclusion";
}

bool Model::is_selected(std::size_t feature) const {
  if (discoveries) return discoveries->statistic[feature] >= discoveries->threshold;
  if (stability) return stability->fraction[feature] >= stability->threshold;
  return features[feature].inclusion > 0.5;
}

Index Model::selected() const {
  Index count = 0;
  for (std::size_t i = 0; i < features.size(); ++i) count += is_selected(i) ? 1 : 0;
  return count;
}

std::string_view Model::prior() const {
  if (generative) {
    if (settings.switches != "none") return "switches";
    return settings.statistics_weight > 0 ? "empirical" : "weak";
  }
  const auto& named = settings.feature_p0.entries;
  const auto certain = std::count_if(named.begin(), named.end(), [](const auto& entry) { return entry.second == 1; });
  const auto others = std::ssize(features) - std::ssize(named);  // features that keep p0
  if (certain == std::ssize(named) && (settings.p0 == 1 || others == 0)) return "gaussian";
  const bool grouped = std::any_of(features.begin(), features.end(), [](const Feature& f) { return f.group >= 0; });
  return grouped ? "groups" : "switches";
}

}  // namespace medlar

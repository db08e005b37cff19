// Which features of a model count as selected, and what was put over their coefficients.
#include <algorithm>

#include "medlar/model.hpp"

namespace medlar {

SelectedBy Model::selected_by() const {
  if (discoveries) return SelectedBy::knockoffs;
  if (stability) return SelectedBy::stability;
  if (list) return SelectedBy::list;
  return evident ? SelectedBy::evidence : SelectedBy::inclusion;
}

bool Model::is_selected(std::size_t feature) const {
  if (!features.empty() && features[feature].kept) return false;
  switch (selected_by()) {
    case SelectedBy::knockoffs:
      return discoveries->statistic[feature] >= discoveries->threshold;
    case SelectedBy::stability:
      return stability->fraction[feature] >= stability->threshold;
    case SelectedBy::list:
      return std::count(list->features.begin(), list->features.end(), static_cast<Index>(feature)) > 0;
    case SelectedBy::evidence:
      return std::binary_search(evident->begin(), evident->end(), static_cast<Index>(feature));
    case SelectedBy::inclusion:
      break;
  }
  return features[feature].inclusion > 0.5;
}

Index Model::selected() const {
  Index count = 0;
  for (std::size_t i = 0; i < features.size(); ++i) count += is_selected(i) ? 1 : 0;
  return count;
}

std::vector<double> Model::prior_variances() const {
  if (!settings.prior_variance) return {};
  std::vector<std::string> names;
  for (const Feature& feature : features) names.push_back(feature.name);
  std::vector<double> variances =
      per_feature(settings.feature_prior_variance, names, *settings.prior_variance, "feature-prior-variance");
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (features[i].kept) variances[i] = 0;
  }
  return variances;
}

PriorKind Model::prior() const {
  if (generative) {
    if (settings.switches != SwitchKind::none) return PriorKind::switches;
    return settings.statistics_weight > 0 ? PriorKind::empirical : PriorKind::weak;
  }
  const auto& named = settings.feature_p0.entries;
  const auto certain = std::count_if(named.begin(), named.end(), [](const auto& entry) { return entry.second == 1; });
  const auto kept = std::count_if(features.begin(), features.end(), [](const Feature& f) { return f.kept; });
  const auto others = std::ssize(features) - std::ssize(named) - kept;  // features that have p0
  if (certain == std::ssize(named) && (settings.p0 == 1 || others == 0)) return PriorKind::gaussian;
  const bool grouped = std::any_of(features.begin(), features.end(), [](const Feature& f) { return f.group >= 0; });
  return grouped ? PriorKind::groups : PriorKind::switches;
}

}  // namespace medlar

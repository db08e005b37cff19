// See the header.
#include "medlar/models/linear/coefficients.hpp"

#include <cmath>

namespace medlar {

std::vector<Feature> fitted_features(const ParameterPrior& prior, std::span<const double> v, std::span<const double> w,
                                     std::span<const std::string> names, const Grouping& grouping) {
  const std::size_t n = names.size();
  std::vector<double> inclusion(n), variance(n);
  std::visit(
      [&](const auto& partition) {
        partition.inclusion(v, inclusion);
        partition.variance(v, variance);
      },
      prior);
  const bool grouped = std::holds_alternative<GroupPartition>(prior);
  std::vector<Feature> features;
  features.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    features.push_back({names[i], inclusion[i], w[i], std::sqrt(variance[i]), grouped ? grouping.group_of[i] : -1});
  }
  return features;
}

}  // namespace medlar

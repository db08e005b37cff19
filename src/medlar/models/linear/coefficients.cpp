// Of several outputs a feature has one coefficient each, w and v output by output: it is told by their length.
#include "medlar/models/linear/coefficients.hpp"

#include <cmath>

namespace medlar {

std::vector<Feature> fitted_features(const ParameterPrior& prior, const SolverUnits& units, std::vector<double> v,
                                     std::span<const double> w, std::span<const std::string> names,
                                     const Grouping& grouping) {
  const std::size_t n = names.size();
  units.v_to_solver(v);
  std::vector<double> inclusion(v.size()), variance(v.size());
  std::visit(
      [&](const auto& partition) {
        partition.inclusion(v, inclusion);
        partition.variance(v, variance);
      },
      prior);
  const bool grouped = !grouping.names.empty() && std::holds_alternative<GroupPartition>(prior);
  std::vector<Feature> features;
  features.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    double squares = 0, sum = 0;
    for (std::size_t k = i; k < w.size(); k += n) squares += w[k] * w[k], sum += variance[k];
    const double outputs = static_cast<double>(w.size() / n);
    features.push_back({names[i], inclusion[i], outputs > 1 ? std::sqrt(squares) : w[i],
                        units.of(i) * std::sqrt(sum / outputs), grouped ? grouping.group_of[i] : -1, false});
  }
  for (const Index i : grouping.kept) {
    Feature& feature = features[static_cast<std::size_t>(i)];
    feature.inclusion = 1, feature.sd = 0, feature.kept = true;
  }
  return features;
}

}  // namespace medlar

#include "medlar/models/linear/solver_units.hpp"

#include <cmath>

namespace medlar {

SolverUnits::SolverUnits(const Settings& settings, std::span<const std::string> names) {
  if (settings.feature_prior_variance.empty()) return;
  const double all = *settings.prior_variance;
  unit_ = per_feature(settings.feature_prior_variance, names, all, "feature-prior-variance");
  for (double& each : unit_) each = std::sqrt(each / all);
}

Matrix SolverUnits::scaled(const Matrix& x) const {
  if (alike()) return x;
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(x.stored()));
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) { values.push_back(value * unit_[static_cast<std::size_t>(i)]); });
  }
  return x.with_values(std::move(values));
}

// V of the solver is that of the model times r; its coefficients are those of the model over r.
void SolverUnits::multiply(std::vector<double>& values, bool inverse) const {
  if (alike()) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double r = unit_[i % unit_.size()];
    values[i] = inverse ? values[i] / r : values[i] * r;
  }
}

}  // namespace medlar

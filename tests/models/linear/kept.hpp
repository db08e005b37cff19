// Data with covariates, and the certificate of a fit that keeps them, made again from its model alone.
#pragma once

#include "medlar/prepare/priors.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {

// Two covariates z0 and z1, not centred, and six features that depend on them.
struct Covariates {
  Rows x;
  std::vector<double> y;
};
inline Covariates covariates(bool classify, std::size_t examples, unsigned seed, std::size_t classes = 2) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Covariates drawn;
  for (std::size_t t = 0; t < examples; ++t) {
    const double age = 5 + 2 * normal(random), sex = normal(random) > 0.3 ? 1 : 0;
    std::vector<double> row{age, sex};
    double f = 0.6 * (age - 5) - 0.8 * sex + 0.9 * normal(random), g = -0.4 * (age - 5) + normal(random);
    for (int i = 0; i < 6; ++i) {
      row.push_back(normal(random) + 0.5 * (age - 5));
      if (i < 2) f += (i == 0 ? 1.2 : -0.8) * row.back();
      if (i == 2) g += row.back();
    }
    drawn.x.push_back(row);
    drawn.y.push_back(!classify ? f : classes > 2 ? (f > 0.5 ? 2 : g > 0 ? 1 : 0) : f > 0 ? 1 : -1);
  }
  return drawn;
}

inline Settings keeping(const std::string& margin, double p0, double tolerance = 1e-8) {
  Settings settings = with(margin, p0, tolerance);
  settings.keep = {"f1", "f0"};
  return settings;
}

// J and F of the flat problem from what the model file says alone, for two classes or numbers. Kept features add
// nothing to A and A*; the multipliers must balance over each of them, and over the bias if it is flat.
inline void expect_certificate(const Model& model, const Dataset& data) {
  const std::size_t n = model.features.size();
  Matrix x = data.x;
  std::vector<double> factor(n, 1.0), shift(n, 0.0);
  for (const Transform& transform : model.transforms) {
    if (!transform.factor.empty()) factor = transform.factor;
    if (!transform.shift.empty()) shift = transform.shift;
  }
  const auto weight = [&](std::size_t t) { return data.weights.empty() ? 1.0 : data.weights[t]; };
  const Margin psi = margin_at(model.settings, model.settings.margin_location.value_or(1));
  const bool classify = model.task == Task::classify;
  std::vector<double> V(n, 0.0), size(n, 0.0), others, w;
  double J = 0, S = 0, total = 0;
  for (std::size_t j = 0; j < model.support.size(); ++j) {
    const auto t = static_cast<std::size_t>(model.support[j]);
    const double beta = model.multipliers[j];
    J += weight(t) * psi.value(std::abs(beta) / weight(t)) + (classify ? 0.0 : beta * data.target.values[t]);
    S += beta, total += std::abs(beta);
    std::vector<double> row(n, 0.0);
    for_each(x.row(model.support[j]), [&](Index i, double value) { row[static_cast<std::size_t>(i)] = value; });
    for (std::size_t i = 0; i < n; ++i) {
      const double value = (row[i] - shift[i]) * factor[i];
      V[i] += beta * value, size[i] += std::abs(beta * value);
    }
  }
  std::vector<double> p;
  for (std::size_t i = 0; i < n; ++i) {
    if (model.features[i].kept) {
      EXPECT_LE(std::abs(V[i]), 1e-9 * size[i] + 1e-12) << "the multipliers do not balance over " << i;
      continue;
    }
    others.push_back(V[i]);
    w.push_back(model.features[i].coefficient);
    p.push_back(model.settings.p0);
  }
  const SwitchPartition prior(p, *model.settings.prior_variance);
  J -= prior.value(others);
  const double b = model.bias;
  double F = 0;
  if (model.settings.bias == BiasKind::flat) {
    EXPECT_LE(std::abs(S), 1e-9 * total + 1e-12);
  } else if (model.settings.bias == BiasKind::variance) {
    const double variance = model.settings.bias.argument.value;
    J -= 0.5 * variance * S * S;
    F += 0.5 * b * b / variance;
  }
  std::vector<double> v(w.size(), 0.0);
  prior.from_mean(w, v);
  F += prior.conjugate_at(v);
  const std::vector<Prediction> predicted = model.predict(data.x);
  for (std::size_t t = 0; t < predicted.size(); ++t) {
    const double f = predicted[t].score, y = data.target.values[t];
    F += weight(t) * (classify ? psi.loss(y * f) : psi.loss(f - y) + psi.loss(y - f));
  }
  const double rounding = 1e-9 * (1 + std::abs(F));
  EXPECT_NEAR(J, model.report.objective, rounding);
  EXPECT_NEAR(F, model.report.primal, rounding + 1e-3 * model.report.tolerance * F);
  EXPECT_LE(J, F + rounding);
  EXPECT_LE(F - J, model.report.relative_gap * std::max(F, 1e-10) + rounding);
}

}  // namespace medlar::test

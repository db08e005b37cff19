#include "medlar/models/latent/variables/terms.hpp"

#include <numeric>

#include "medlar/linalg/give_up.hpp"
#include "medlar/numerics/sum.hpp"
#include "medlar/problem/constraints.hpp"

namespace medlar {

constexpr std::size_t kNumbersOfATilt = 200;  // for pause_after: each tilt is a root search of its own

double CentredRows::uncentred_bias(std::span<const double> w, double b) const {
  return centre.empty() ? b : b - std::inner_product(w.begin(), w.end(), centre.begin(), 0.0);
}

std::vector<double> CentredRows::scores(std::span<const double> w, double b) const {
  std::vector<double> f = medlar::scores(x, w);
  const double shift = uncentred_bias(w, b);
  for (double& score : f) score += shift;
  return f;
}

std::vector<double> CentredRows::statistics(std::span<const double> beta) const {
  std::vector<double> v = medlar::statistics(x, beta);
  if (centre.empty()) return v;
  CompensatedSum sum;
  for (const double each : beta) sum.add(each);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] -= sum.value() * centre[i];
  return v;
}

TermSum FrozenTerms::at(std::span<const double> w, double b) const {
  const std::vector<double> f = rows.scores(w, 0);
  std::vector<double> beta(f.size());
  CompensatedSum value, s;
  value.add(divergence);
  for (std::size_t t = 0; t < f.size(); ++t) {
    const double margin = factor[t] * f[t] + label[t] * b;
    const double lambda = weight[t] * psi->multiplier(margin);
    value.add(weight[t] * psi->loss(margin));
    s.add(lambda * label[t]);
    beta[t] = lambda * factor[t];
  }
  return {value.value(), divergence, rows.statistics(beta), s.value(), {}};
}

TermSum LabelTerms::at(std::span<const double> w, double b) const {
  const std::vector<double> f = rows.scores(w, b);
  std::vector<double> beta(f.size());
  CompensatedSum value, divergence, s;
  Pauses pauses;
  for (std::size_t t = 0; t < f.size(); ++t) {
    pauses.after(kNumbersOfATilt);
    const Belief label{belief[t], f[t]};
    const Tilt tilt = tilted(*psi, label);
    value.add(weight[t] * tilt.value);
    divergence.add(weight[t] * tilt.divergence(label.value(tilt.lambda)));
    beta[t] = weight[t] * tilt.lambda * label.mean_label(tilt.lambda);
    s.add(beta[t]);
  }
  std::vector<double> v = rows.statistics(beta);
  return {value.value(), divergence.value(), std::move(v), s.value(), std::move(beta)};
}

FrozenTerms LabelTerms::frozen_prior() const {
  FrozenTerms terms;
  terms.rows = rows;
  terms.psi = psi;
  terms.weight = weight;
  for (const double each : belief) terms.label.push_back(2 * each - 1);
  terms.factor = terms.label;
  return terms;
}

FrozenTerms LabelTerms::frozen(std::span<const double> w, double b) const {
  FrozenTerms terms = frozen_prior();
  const std::vector<double> f = rows.scores(w, b);
  CompensatedSum divergence;
  for (std::size_t t = 0; t < f.size(); ++t) {
    const Belief label{belief[t], f[t]};
    const Tilt tilt = tilted(*psi, label);
    terms.label[t] = label.mean_label(tilt.lambda);
    divergence.add(weight[t] * tilt.divergence(label.value(tilt.lambda)));
  }
  terms.factor = terms.label;
  terms.divergence = divergence.value();
  return terms;
}

}  // namespace medlar

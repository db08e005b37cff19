// A translation has infinitely many choices, but its sums are Gaussian and closed: all that differs between examples is
// lambda, so the sums over directions are computed once.
#include "medlar/models/latent/variables/transformation_terms.hpp"

#include <numeric>

#include "medlar/models/latent/variables/choices.hpp"
#include "medlar/models/latent/variables/maps.hpp"
#include "medlar/numerics/sum.hpp"
#include "medlar/problem/constraints.hpp"

namespace medlar {
namespace {

// Calls visit(t, log-sum of example t) with the scores at (w, b).
template <class Visit>
void for_each_choice(const FiniteTerms& terms, std::span<const double> w, double b, Visit visit) {
  std::vector<double> f = scores(terms.x, w);
  for (double& score : f) score += b;
  const std::size_t count = terms.prior.size();
  for (std::size_t t = 0; t < terms.label.size(); ++t) {
    visit(t, Choices{std::span<const double>(f).subspan(t * count, count), terms.prior, terms.label[t]});
  }
}

// The sums over directions that all examples share: sum_j (w.d_j)^2, and sum_j (w.d_j) d_j.
struct Spread {
  double square = 0;
  std::vector<double> along;
};
Spread spread_of(const TranslationTerms& terms, std::span<const double> w) {
  Spread spread{0, std::vector<double>(w.size(), 0.0)};
  for (const std::vector<double>& d : terms.directions) {
    const double product = std::inner_product(w.begin(), w.end(), d.begin(), 0.0);
    spread.square += product * product;
    for (std::size_t i = 0; i < d.size(); ++i) spread.along[i] += product * d[i];
  }
  return spread;
}

FrozenTerms frozen_rows(const TransformationTerms& terms, Matrix rows, double divergence) {
  FrozenTerms frozen;
  frozen.rows.x = std::move(rows);
  frozen.psi = terms.psi;
  frozen.factor = frozen.label = terms.label;
  frozen.weight = terms.weight;
  frozen.divergence = divergence;
  return frozen;
}

}  // namespace

TermSum FiniteTerms::at(std::span<const double> w, double b) const {
  CompensatedSum value, divergence, s;
  std::vector<double> beta(static_cast<std::size_t>(x.rows()));
  for_each_choice(*this, w, b, [&](std::size_t t, const Choices& choices) {
    const Tilt tilt = tilted(*psi, choices);
    value.add(weight[t] * tilt.value);
    divergence.add(weight[t] * tilt.divergence(choices.value(tilt.lambda)));
    s.add(weight[t] * tilt.lambda * label[t]);
    for (std::size_t u = 0; u < prior.size() && tilt.lambda > 0; ++u) {
      beta[t * prior.size() + u] = weight[t] * tilt.lambda * label[t] * choices.posterior(u, tilt.lambda);
    }
  });
  return {value.value(), divergence.value(), statistics(x, beta), s.value(), {}};
}

FrozenTerms FiniteTerms::frozen_prior() const {
  return frozen(std::vector<double>(static_cast<std::size_t>(x.columns()), 0.0), 0);
}

FrozenTerms FiniteTerms::frozen(std::span<const double> w, double b) const {
  const auto n = static_cast<std::size_t>(x.columns());
  std::vector<double> rows(label.size() * n, 0.0);
  CompensatedSum divergence;
  for_each_choice(*this, w, b, [&](std::size_t t, const Choices& choices) {
    const Tilt tilt = tilted(*psi, choices);
    divergence.add(weight[t] * tilt.divergence(choices.value(tilt.lambda)));
    for (std::size_t u = 0; u < prior.size(); ++u) {
      const double q = choices.posterior(u, tilt.lambda);
      for_each(x.row(static_cast<Index>(t * prior.size() + u)),
               [&](Index i, double each) { rows[t * n + static_cast<std::size_t>(i)] += q * each; });
    }
  });
  return frozen_rows(*this, Matrix::dense(static_cast<Index>(label.size()), x.columns(), std::move(rows)),
                     divergence.value());
}

std::vector<double> FiniteTerms::lambdas(std::span<const double> w, double b) const {
  std::vector<double> lambda(label.size());
  for_each_choice(*this, w, b,
                  [&](std::size_t t, const Choices& choices) { lambda[t] = tilted(*psi, choices).lambda; });
  return lambda;
}

TermSum TranslationTerms::at(std::span<const double> w, double b) const {
  const std::vector<double> f = scores(x, w);
  const Spread spread = spread_of(*this, w);
  CompensatedSum value, divergence, s;
  std::vector<double> beta(f.size());
  double squares = 0;  // sum_t omega_t lambda_t^2: E_Q[y phi] = y x + lambda sum_j (w.d_j) d_j
  for (std::size_t t = 0; t < f.size(); ++t) {
    const Translation log_sum{label[t] * (f[t] + b), spread.square};
    const Tilt tilt = tilted(*psi, log_sum);
    value.add(weight[t] * tilt.value);
    divergence.add(weight[t] * tilt.divergence(log_sum.value(tilt.lambda)));
    beta[t] = weight[t] * tilt.lambda * label[t];
    s.add(beta[t]);
    squares += weight[t] * tilt.lambda * tilt.lambda;
  }
  TermSum sum{value.value(), divergence.value(), statistics(x, beta), s.value(), {}};
  for (std::size_t i = 0; i < sum.v.size(); ++i) sum.v[i] += squares * spread.along[i];
  return sum;
}

FrozenTerms TranslationTerms::frozen_prior() const {
  return frozen_rows(*this, x, 0);
}

FrozenTerms TranslationTerms::frozen(std::span<const double> w, double b) const {
  const std::vector<double> lambda = lambdas(w, b);
  const Spread spread = spread_of(*this, w);
  const auto n = static_cast<std::size_t>(x.columns());
  std::vector<double> rows;
  CompensatedSum divergence;
  for (std::size_t t = 0; t < lambda.size(); ++t) {
    const std::vector<double> row = dense_row(x, static_cast<Index>(t));
    for (std::size_t i = 0; i < n; ++i) rows.push_back(row[i] + lambda[t] * label[t] * spread.along[i]);
    divergence.add(weight[t] * 0.5 * lambda[t] * lambda[t] * spread.square);  // a shift of unit Gaussians
  }
  return frozen_rows(*this, Matrix::dense(x.rows(), x.columns(), std::move(rows)), divergence.value());
}

std::vector<double> TranslationTerms::lambdas(std::span<const double> w, double b) const {
  std::vector<double> lambda = scores(x, w);
  const double square = spread_of(*this, w).square;
  for (std::size_t t = 0; t < lambda.size(); ++t) {
    lambda[t] = tilted(*psi, Translation{label[t] * (lambda[t] + b), square}).lambda;
  }
  return lambda;
}

}  // namespace medlar

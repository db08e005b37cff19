// Examples with known labels and a latent transformation, taken literally (docs/theory.md#latent; [MED 7]). This is not
// the default: an ordinary fit takes the expected features under P0(U | x) instead (mean_template.hpp).
#pragma once

#include <span>
#include <vector>

#include "medlar/models/latent/variables/chain.hpp"
#include "medlar/models/latent/variables/sequences.hpp"
#include "medlar/models/latent/variables/terms.hpp"

namespace medlar {

// What these terms have in common.
class TransformationTerms : public Terms {
 public:
  const Margin* psi = nullptr;
  std::vector<double> label, weight;  // y_t, omega_t

  virtual FrozenTerms frozen_prior() const = 0;                               // Q = P0
  virtual FrozenTerms frozen(std::span<const double> w, double b) const = 0;  // the best Q there
  virtual std::vector<double> lambdas(std::span<const double> w,
                                      double b) const = 0;  // of every example, at its best Q
};

// A finite set of transformations: row t count + u of x is phi(x_t, U_u).
struct FiniteTerms final : TransformationTerms {
  Matrix x;
  std::vector<double> prior;  // P0(U), one per choice

  TermSum at(std::span<const double> w, double b) const override;
  FrozenTerms frozen_prior() const override;
  FrozenTerms frozen(std::span<const double> w, double b) const override;
  std::vector<double> lambdas(std::span<const double> w, double b) const override;
};

// The Gaussian translation along the directions, in closed form.
struct TranslationTerms final : TransformationTerms {
  Matrix x;
  std::vector<std::vector<double>> directions;

  TermSum at(std::span<const double> w, double b) const override;
  FrozenTerms frozen_prior() const override;
  FrozenTerms frozen(std::span<const double> w, double b) const override;
  std::vector<double> lambdas(std::span<const double> w, double b) const override;
};

// Alignment of sequences to the states of a chain: L(x, U) = sum_tau w_{u_tau}.x_tau / length + b, where feature
// s channels + c is channel c in state s.
struct AlignmentTerms final : TransformationTerms {
  std::vector<Sequence> sequences;
  Chain chain;

  TermSum at(std::span<const double> w, double b) const override;
  FrozenTerms frozen_prior() const override;
  FrozenTerms frozen(std::span<const double> w, double b) const override;
  std::vector<double> lambdas(std::span<const double> w, double b) const override;
};

// g(tau, s) = w_s.x_tau / length of one sequence.
std::vector<double> state_scores(const Sequence& sequence, std::size_t states, std::span<const double> w);

}  // namespace medlar

// The terms of a literal alignment: see transformation_terms.hpp.
#include <cmath>

#include "medlar/models/latent/variables/transformation_terms.hpp"
#include "medlar/numerics/sum.hpp"

namespace medlar {
namespace {

// K(lambda) = lambda y b + log-sum over paths of lambda y g. The last lambda asked for is remembered: value, slope and
// curvature come from the same pass.
class Paths {
 public:
  Paths(const Chain& chain, std::vector<double> g, double label, double b)
      : chain_(chain), g_(std::move(g)), y_b_(label * b) {
    for (double& each : g_) each *= label;
  }
  double value(double lambda) const { return lambda * y_b_ + at(lambda).log_sum; }
  double slope(double lambda) const { return y_b_ + at(lambda).mean; }
  double curvature(double lambda) const { return at(lambda).variance; }
  double largest() const { return y_b_ + best_path(chain_, g_); }

  // gamma under Q
  std::vector<double> gamma(double lambda) const {
    std::vector<double> scaled = g_;
    for (double& each : scaled) each *= lambda;
    return forward_backward(chain_, scaled).gamma;
  }

 private:
  const PathMoments& at(double lambda) const {
    if (lambda != lambda_) moments_ = path_moments(chain_, g_, lambda), lambda_ = lambda;
    return moments_;
  }

  const Chain& chain_;
  std::vector<double> g_;
  double y_b_;
  mutable double lambda_ = NAN;
  mutable PathMoments moments_;
};

static_assert(LogSum<Paths>);

template <class Visit>
void for_each_paths(const AlignmentTerms& terms, std::span<const double> w, double b, Visit visit) {
  for (std::size_t t = 0; t < terms.label.size(); ++t) {
    const Sequence& sequence = terms.sequences[t];
    const Paths paths(terms.chain, state_scores(sequence, terms.chain.states(), w), terms.label[t], b);
    visit(t, paths, tilted(*terms.psi, paths));
  }
}

// out += scale E_Q[phi]
void add_expected(const Sequence& sequence, std::size_t states, const std::vector<double>& gamma, double scale,
                  double* out) {
  const double share = scale / static_cast<double>(sequence.length());
  for (std::size_t tau = 0; tau < sequence.length(); ++tau) {
    for (std::size_t s = 0; s < states; ++s) {
      for (std::size_t c = 0; c < sequence.channels; ++c) {
        out[s * sequence.channels + c] += share * gamma[tau * states + s] * sequence.at(tau, c);
      }
    }
  }
}

}  // namespace

std::vector<double> state_scores(const Sequence& sequence, std::size_t states, std::span<const double> w) {
  std::vector<double> g(sequence.length() * states, 0.0);
  const auto length = static_cast<double>(sequence.length());
  for (std::size_t tau = 0; tau < sequence.length(); ++tau) {
    for (std::size_t s = 0; s < states; ++s) {
      double sum = 0;
      for (std::size_t c = 0; c < sequence.channels; ++c) sum += w[s * sequence.channels + c] * sequence.at(tau, c);
      g[tau * states + s] = sum / length;
    }
  }
  return g;
}

TermSum AlignmentTerms::at(std::span<const double> w, double b) const {
  TermSum sum;
  sum.v.assign(w.size(), 0.0);
  CompensatedSum value, divergence, s;
  for_each_paths(*this, w, b, [&](std::size_t t, const Paths& paths, const Tilt& tilt) {
    value.add(weight[t] * tilt.value);
    divergence.add(weight[t] * tilt.divergence(paths.value(tilt.lambda)));
    if (!(tilt.lambda > 0)) return;
    const double beta = weight[t] * tilt.lambda * label[t];
    s.add(beta);
    add_expected(sequences[t], chain.states(), paths.gamma(tilt.lambda), beta, sum.v.data());
  });
  sum.value = value.value();
  sum.divergence = divergence.value();
  sum.s = s.value();
  return sum;
}

FrozenTerms AlignmentTerms::frozen_prior() const {
  return frozen(std::vector<double>(chain.states() * sequences.front().channels, 0.0), 0);
}

FrozenTerms AlignmentTerms::frozen(std::span<const double> w, double b) const {
  FrozenTerms terms;
  terms.psi = psi;
  terms.factor = terms.label = label;
  terms.weight = weight;
  std::vector<double> rows(label.size() * w.size(), 0.0);
  CompensatedSum divergence;
  for_each_paths(*this, w, b, [&](std::size_t t, const Paths& paths, const Tilt& tilt) {
    divergence.add(weight[t] * tilt.divergence(paths.value(tilt.lambda)));
    add_expected(sequences[t], chain.states(), paths.gamma(tilt.lambda), 1, rows.data() + t * w.size());
  });
  terms.rows.x = Matrix::dense(static_cast<Index>(label.size()), static_cast<Index>(w.size()), std::move(rows));
  terms.divergence = divergence.value();
  return terms;
}

std::vector<double> AlignmentTerms::lambdas(std::span<const double> w, double b) const {
  std::vector<double> lambda(label.size());
  for_each_paths(*this, w, b, [&](std::size_t t, const Paths&, const Tilt& tilt) { lambda[t] = tilt.lambda; });
  return lambda;
}

}  // namespace medlar

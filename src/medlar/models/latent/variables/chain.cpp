// Steps of probability 0 are left out of the recursions, so that impossible paths never enter a logarithm. A sequence
// without any possible path is reported as such and does not become NaN.
#include "medlar/models/latent/variables/chain.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace medlar {
namespace {

// log sum e^{each}; -infinity for no terms.
double log_sum_of(std::span<const double> terms) {
  double high = -HUGE_VAL;
  for (const double each : terms) high = std::max(high, each);
  if (!std::isfinite(high)) return high;
  double sum = 0;
  for (const double each : terms) sum += std::exp(each - high);
  return high + std::log(sum);
}

// The steps of positive probability into each state, and out of each.
struct Step {
  std::size_t other;
  double log_p;
};
struct Steps {
  std::vector<double> start;  // logarithms
  std::vector<std::vector<Step>> into, out_of;

  explicit Steps(const Chain& chain) : into(chain.states()), out_of(chain.states()) {
    const std::size_t S = chain.states();
    for (std::size_t r = 0; r < S; ++r) {
      start.push_back(std::log(chain.start[r]));
      for (std::size_t s = 0; s < S; ++s) {
        const double p = chain.transition[r * S + s];
        if (!(p > 0)) continue;
        into[s].push_back({r, std::log(p)});
        out_of[r].push_back({s, std::log(p)});
      }
    }
  }
};

}  // namespace

Chain Chain::left_to_right(std::size_t states, double length) {
  Chain chain{std::vector<double>(states, 0.0), std::vector<double>(states * states, 0.0)};
  chain.start[0] = 1;
  const double on = std::min(0.5, static_cast<double>(states) / std::max(1.0, length));
  for (std::size_t s = 0; s < states; ++s) {
    const bool last = s + 1 == states;
    chain.transition[s * states + s] = last ? 1 : 1 - on;
    if (!last) chain.transition[s * states + s + 1] = on;
  }
  return chain;
}

PathSums forward_backward(const Chain& chain, std::span<const double> g) {
  const std::size_t S = chain.states(), length = g.size() / S;
  const Steps steps(chain);
  PathSums sums{0, std::vector<double>(length * S), std::vector<double>(S * S, 0.0)};
  std::vector<double> forward(length * S), scale(length), terms;
  for (std::size_t tau = 0; tau < length; ++tau) {
    const std::span<double> here(forward.data() + tau * S, S);
    for (std::size_t s = 0; s < S; ++s) {
      terms.clear();
      if (tau == 0) terms.push_back(steps.start[s]);
      for (const Step& step : steps.into[s]) {
        if (tau > 0) terms.push_back(forward[(tau - 1) * S + step.other] + step.log_p);
      }
      here[s] = log_sum_of(terms) + g[tau * S + s];
    }
    scale[tau] = log_sum_of(here);
    if (!std::isfinite(scale[tau])) return {-HUGE_VAL, {}, {}};
    for (double& each : here) each -= scale[tau];
    sums.log_sum += scale[tau];
  }
  std::vector<double> backward(S, 0.0), before(S);
  for (std::size_t tau = length; tau-- > 0;) {
    for (std::size_t s = 0; s < S; ++s) sums.gamma[tau * S + s] = std::exp(forward[tau * S + s] + backward[s]);
    if (tau == 0) break;
    for (std::size_t r = 0; r < S; ++r) {
      terms.clear();
      for (const Step& step : steps.out_of[r]) {
        terms.push_back(step.log_p + g[tau * S + step.other] + backward[step.other] - scale[tau]);
        sums.transitions[r * S + step.other] += std::exp(forward[(tau - 1) * S + r] + terms.back());
      }
      before[r] = log_sum_of(terms);
    }
    backward.swap(before);
  }
  return sums;
}

// For each state: the log-sum over the paths that end there, and the mean and variance of their sums of g.
PathMoments path_moments(const Chain& chain, std::span<const double> g, double lambda) {
  const std::size_t S = chain.states(), length = g.size() / S;
  const Steps steps(chain);
  std::vector<double> a(S), mean(S, 0.0), variance(S, 0.0), b(S), next_mean(S), next_variance(S), terms;
  const auto mixed = [&](std::span<const std::size_t> from, double total, double& m, double& v) {
    m = v = 0;
    for (std::size_t k = 0; k < from.size(); ++k) m += std::exp(terms[k] - total) * mean[from[k]];
    for (std::size_t k = 0; k < from.size(); ++k) {
      const double apart = mean[from[k]] - m;
      v += std::exp(terms[k] - total) * (variance[from[k]] + apart * apart);
    }
  };
  PathMoments moments;
  std::vector<std::size_t> from;
  for (std::size_t tau = 0; tau < length; ++tau) {
    for (std::size_t s = 0; s < S; ++s) {
      terms.clear(), from.clear();
      if (tau == 0) terms.push_back(steps.start[s]);
      for (const Step& step : steps.into[s]) {
        if (tau > 0) terms.push_back(a[step.other] + step.log_p), from.push_back(step.other);
      }
      const double reached = log_sum_of(terms);
      next_mean[s] = next_variance[s] = 0;
      if (std::isfinite(reached)) mixed(from, reached, next_mean[s], next_variance[s]);
      next_mean[s] += g[tau * S + s];
      b[s] = reached + lambda * g[tau * S + s];
    }
    const double total = log_sum_of(b);
    if (!std::isfinite(total)) return {-HUGE_VAL, 0, 0};
    for (std::size_t s = 0; s < S; ++s) a[s] = b[s] - total;
    moments.log_sum += total;
    mean.swap(next_mean), variance.swap(next_variance);
  }
  terms = a, from.resize(S);
  std::iota(from.begin(), from.end(), std::size_t{0});
  mixed(from, 0, moments.mean, moments.variance);
  return moments;
}

double best_path(const Chain& chain, std::span<const double> g) {
  const std::size_t S = chain.states(), length = g.size() / S;
  std::vector<double> best(S), next(S);
  for (std::size_t tau = 0; tau < length; ++tau) {
    for (std::size_t s = 0; s < S; ++s) {
      double reached = tau == 0 && chain.start[s] > 0 ? 0 : -HUGE_VAL;
      for (std::size_t r = 0; r < S && tau > 0; ++r) {
        if (chain.transition[r * S + s] > 0) reached = std::max(reached, best[r]);
      }
      next[s] = reached + g[tau * S + s];
    }
    best.swap(next);
  }
  return *std::max_element(best.begin(), best.end());
}

}  // namespace medlar

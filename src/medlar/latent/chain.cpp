// See the header.
#include "medlar/latent/chain.hpp"

#include <algorithm>
#include <cmath>

namespace medlar {
namespace {

// e^{g - high} of one time and that largest g; states of weight 0 do not count.
double weights_at(std::span<const double> g, double lambda, std::vector<double>& weight) {
  double high = -HUGE_VAL;
  for (const double each : g) high = std::max(high, lambda * each);
  for (std::size_t s = 0; s < g.size(); ++s) weight[s] = std::exp(lambda * g[s] - high);
  return high;
}

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
  PathSums sums{0, std::vector<double>(length * S), std::vector<double>(S * S, 0.0)};
  std::vector<double> forward(length * S), weight(length * S), scale(length), at(S);
  for (std::size_t tau = 0; tau < length; ++tau) {
    const double high = weights_at(g.subspan(tau * S, S), 1, at);
    double total = 0;
    for (std::size_t s = 0; s < S; ++s) {
      double reached = tau == 0 ? chain.start[s] : 0;
      for (std::size_t r = 0; r < S && tau > 0; ++r)
        reached += forward[(tau - 1) * S + r] * chain.transition[r * S + s];
      weight[tau * S + s] = at[s];
      total += forward[tau * S + s] = reached * at[s];
    }
    if (!(total > 0)) return {-HUGE_VAL, {}, {}};
    for (std::size_t s = 0; s < S; ++s) forward[tau * S + s] /= total;
    scale[tau] = total;
    sums.log_sum += high + std::log(total);
  }
  std::vector<double> backward(S, 1.0), before(S);
  for (std::size_t tau = length; tau-- > 0;) {
    for (std::size_t s = 0; s < S; ++s) sums.gamma[tau * S + s] = forward[tau * S + s] * backward[s];
    if (tau == 0) break;
    for (std::size_t r = 0; r < S; ++r) {
      before[r] = 0;
      for (std::size_t s = 0; s < S; ++s) {
        const double step = chain.transition[r * S + s] * weight[tau * S + s] * backward[s] / scale[tau];
        before[r] += step;
        sums.transitions[r * S + s] += forward[(tau - 1) * S + r] * step;
      }
    }
    backward.swap(before);
  }
  return sums;
}

PathMoments path_moments(const Chain& chain, std::span<const double> g, double lambda) {
  const std::size_t S = chain.states(), length = g.size() / S;
  std::vector<double> a(S), a1(S), a2(S), b(S), b1(S), b2(S), at(S);  // the sum and its derivatives, by state
  PathMoments moments;
  for (std::size_t tau = 0; tau < length; ++tau) {
    moments.log_sum += weights_at(g.subspan(tau * S, S), lambda, at);
    double total = 0;
    for (std::size_t s = 0; s < S; ++s) {
      double sum = 0, first = 0, second = 0;
      if (tau == 0) sum = chain.start[s];
      for (std::size_t r = 0; r < S && tau > 0; ++r) {
        const double p = chain.transition[r * S + s];
        sum += a[r] * p, first += a1[r] * p, second += a2[r] * p;
      }
      const double each = g[tau * S + s];
      total += b[s] = sum * at[s];
      b1[s] = (first + sum * each) * at[s];
      b2[s] = (second + 2 * first * each + sum * each * each) * at[s];
    }
    for (std::size_t s = 0; s < S; ++s) a[s] = b[s] / total, a1[s] = b1[s] / total, a2[s] = b2[s] / total;
    moments.log_sum += std::log(total);
  }
  for (std::size_t s = 0; s < S; ++s) moments.mean += a1[s], moments.variance += a2[s];
  moments.variance = std::max(0.0, moments.variance - moments.mean * moments.mean);
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

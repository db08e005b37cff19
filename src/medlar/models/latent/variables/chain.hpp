// A Markov chain over S states and the sums over all its paths (docs/theory.md#latent). With g(tau, s) the log-weight
// of state s at time tau,
//
//   log-sum = log sum_paths P0(path) e^{sum_tau g(tau, u_tau)},      gamma(tau, s) = P(u_tau = s)
//
// by the forward-backward recursions, in logarithms and scaled at every time. No length under- or overflows. A state
// that is a thousand nats behind at one time may still be the only one that can continue.
#pragma once

#include <span>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

struct Chain {
  std::vector<double> start;       // S
  std::vector<double> transition;  // S x S, row by row

  std::size_t states() const { return start.size(); }

  // Starts in the first state; each state stays or moves to the next. On average each takes the same share of `length`.
  static Chain left_to_right(std::size_t states, double length);
};

struct PathSums {
  double log_sum = 0;
  std::vector<double> gamma;        // length x S
  std::vector<double> transitions;  // S x S: expected number of steps from one state to another
};

// g is length x S. A sequence without a path of positive probability has log_sum -infinity and no gamma.
PathSums forward_backward(const Chain& chain, std::span<const double> g);

// The log-sum of lambda g and its first two derivatives in lambda, in one forward pass.
struct PathMoments {
  double log_sum = 0, mean = 0, variance = 0;
};
PathMoments path_moments(const Chain& chain, std::span<const double> g, double lambda);

// The largest sum of g over any path of positive probability.
double best_path(const Chain& chain, std::span<const double> g);

}  // namespace medlar

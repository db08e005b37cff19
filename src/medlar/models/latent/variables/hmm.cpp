// Likelihood alone rewards a state that shrinks onto a single value, and a transition that dies out never returns. A
// least variance and a pseudo-count prevent both.
#include "medlar/models/latent/variables/hmm.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "medlar/error.hpp"

namespace medlar {
namespace {

constexpr int kMostBaumWelchRounds = 100;
constexpr double kLikelihoodSettled = 1e-5;  // relative change of the log-likelihood that ends Baum-Welch
constexpr double kLeastVariance = 1e-3;      // of the channel's own: a state must not shrink onto one value
constexpr double kPseudoCount = 0.1;         // of each allowed transition, so that none dies out

// Sums over sequences, weighted by gamma, from which the next parameters follow.
struct Counts {
  std::vector<double> weight, sum, squares;  // states; states x channels
  std::vector<double> transitions;

  Counts(std::size_t states, std::size_t channels)
      : weight(states, 0.0), sum(states * channels, 0.0), squares(sum), transitions(states * states, 0.0) {}

  void add(const Sequence& sequence, const std::vector<double>& gamma) {
    const std::size_t S = weight.size(), C = sequence.channels;
    for (std::size_t tau = 0; tau < sequence.length(); ++tau) {
      for (std::size_t s = 0; s < S; ++s) {
        const double share = gamma[tau * S + s];
        if (share == 0) continue;
        weight[s] += share;
        for (std::size_t c = 0; c < C; ++c) {
          const double x = sequence.at(tau, c);
          sum[s * C + c] += share * x, squares[s * C + c] += share * x * x;
        }
      }
    }
  }
};

std::vector<double> channel_variances(const std::vector<Sequence>& sequences) {
  const std::size_t C = sequences.front().channels;
  std::vector<double> sum(C, 0.0), squares(C, 0.0), variance(C);
  double count = 0;
  for (const Sequence& sequence : sequences) {
    count += static_cast<double>(sequence.length());
    for (std::size_t k = 0; k < sequence.values.size(); ++k) {
      sum[k % C] += sequence.values[k], squares[k % C] += sequence.values[k] * sequence.values[k];
    }
  }
  for (std::size_t c = 0; c < C; ++c) {
    const double mean = sum[c] / count;
    variance[c] = squares[c] / count - mean * mean;
    if (!(variance[c] > 1e-12 * (1 + mean * mean))) variance[c] = 1;  // a constant channel tells nothing
  }
  return variance;
}

void set_emissions(HiddenMarkov& model, const Counts& counts, const std::vector<double>& channel_variance) {
  const std::size_t S = model.chain.states(), C = channel_variance.size();
  for (std::size_t s = 0; s < S; ++s) {
    if (!(counts.weight[s] > 1e-8)) continue;  // an empty state keeps its emissions
    for (std::size_t c = 0; c < C; ++c) {
      const double mean = counts.sum[s * C + c] / counts.weight[s];
      const double variance = counts.squares[s * C + c] / counts.weight[s] - mean * mean;
      model.mean[s * C + c] = mean;
      model.variance[s * C + c] = std::max(variance, kLeastVariance * channel_variance[c]);
    }
  }
}

// Changes only transitions that are already possible, so the chain stays left-to-right.
void set_transitions(Chain& chain, const Counts& counts) {
  const std::size_t S = chain.states();
  for (std::size_t r = 0; r < S; ++r) {
    double total = 0;
    std::vector<double> row(S, 0.0);
    for (std::size_t s = 0; s < S; ++s) {
      if (chain.transition[r * S + s] > 0) total += row[s] = counts.transitions[r * S + s] + kPseudoCount;
    }
    for (std::size_t s = 0; s < S; ++s) chain.transition[r * S + s] = row[s] / total;
  }
}

}  // namespace

std::vector<double> segment_gamma(std::size_t length, std::size_t states) {
  std::vector<double> gamma(length * states, 0.0);
  for (std::size_t tau = 0; tau < length; ++tau) gamma[tau * states + tau * states / length] = 1;
  return gamma;
}

std::vector<double> HiddenMarkov::log_emissions(const Sequence& sequence) const {
  const std::size_t S = chain.states(), C = sequence.channels;
  std::vector<double> g(sequence.length() * S);
  for (std::size_t s = 0; s < S; ++s) {
    double constant = 0;
    for (std::size_t c = 0; c < C; ++c) constant -= 0.5 * std::log(2 * std::numbers::pi * variance[s * C + c]);
    for (std::size_t tau = 0; tau < sequence.length(); ++tau) {
      double sum = constant;
      for (std::size_t c = 0; c < C; ++c) {
        const double apart = sequence.at(tau, c) - mean[s * C + c];
        sum -= 0.5 * apart * apart / variance[s * C + c];
      }
      g[tau * S + s] = sum;
    }
  }
  return g;
}

HiddenMarkov fit_hidden_markov(const std::vector<Sequence>& sequences, std::size_t states,
                               std::vector<double>* log_likelihood) {
  const std::size_t C = sequences.front().channels;
  double length = 0;
  Counts segments(states, C);
  for (const Sequence& sequence : sequences) {
    length += static_cast<double>(sequence.length()) / static_cast<double>(sequences.size());
    segments.add(sequence, segment_gamma(sequence.length(), states));
  }
  const std::vector<double> spread = channel_variances(sequences);
  HiddenMarkov model{Chain::left_to_right(states, length), std::vector<double>(states * C, 0.0), {}};
  for (std::size_t s = 0; s < states; ++s) model.variance.insert(model.variance.end(), spread.begin(), spread.end());
  set_emissions(model, segments, spread);
  double before = -HUGE_VAL;
  for (int round = 0; round < kMostBaumWelchRounds; ++round) {
    Counts counts(states, C);
    double total = 0;
    for (const Sequence& sequence : sequences) {
      const PathSums sums = forward_backward(model.chain, model.log_emissions(sequence));
      if (sums.gamma.empty()) throw DataError(kBeyondStates);
      total += sums.log_sum;
      counts.add(sequence, sums.gamma);
      for (std::size_t k = 0; k < counts.transitions.size(); ++k) counts.transitions[k] += sums.transitions[k];
    }
    if (log_likelihood != nullptr) log_likelihood->push_back(total);
    if (total - before <= kLikelihoodSettled * std::abs(total)) break;
    before = total;
    set_emissions(model, counts, spread);
    set_transitions(model.chain, counts);
  }
  return model;
}

}  // namespace medlar

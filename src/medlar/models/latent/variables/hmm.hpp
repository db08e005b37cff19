// A hidden Markov model of unlabelled sequences: Gaussian emissions, independent by channel, fitted by Baum-Welch from
// equal segments. Its posterior over the states of a sequence is the prior P0(U | x) of an alignment
// (docs/theory.md#latent).
#pragma once

#include <vector>

#include "medlar/models/latent/variables/chain.hpp"
#include "medlar/models/latent/variables/sequences.hpp"

namespace medlar {

// Why a sequence has no path through the states: squares of its values overflow.
inline constexpr const char* kBeyondStates =
    "a sequence lies too far from all states for double precision; are some of its values too large?";

struct HiddenMarkov {
  Chain chain;
  std::vector<double> mean, variance;  // states x channels

  // log N(x_tau; state s), length x S
  std::vector<double> log_emissions(const Sequence& sequence) const;
};

// left-to-right; the log-likelihood of each round, which never falls.
HiddenMarkov fit_hidden_markov(const std::vector<Sequence>& sequences, std::size_t states,
                               std::vector<double>* log_likelihood = nullptr);

// gamma of equal segments: time tau of a sequence of length L belongs to state tau S / L.
std::vector<double> segment_gamma(std::size_t length, std::size_t states);

}  // namespace medlar

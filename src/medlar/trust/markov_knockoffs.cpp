// Knockoffs of a Markov chain of categories, such as the letters of DNA along a sequence, or 0/1 features in their
// order. Along the chain, with q_j(k | l) = P(x_j = k | x_{j-1} = l):
//   P(x~_j = k) ~ q_j(k | x_{j-1}) q_j(k | x~_{j-1}) q_{j+1}(x_{j+1} | k) / N_{j-1}(k),
//   N_j(m) = sum_k q_j(k | x_{j-1}) q_j(k | x~_{j-1}) q_{j+1}(m | k) / N_{j-1}(k),   N_0 = 1
// (Sesia, Sabatti and Candes 2019, proposition 1).
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "medlar/error.hpp"
#include "medlar/selection.hpp"

namespace medlar {
namespace {

// q[l * levels + k] = P(x_j = k | x_{j-1} = l); for the first variable there is one l.
using Transition = std::vector<double>;

Transition transition(const CodedChain& chain, std::size_t j, double pseudo) {
  const auto levels = static_cast<std::size_t>(chain.levels[j]);
  const std::size_t before = j == 0 ? 1 : static_cast<std::size_t>(chain.levels[j - 1]);
  Transition q(before * levels, pseudo);
  for (std::size_t t = 0; t < chain.codes[j].size(); ++t) {
    const auto l = j == 0 ? std::size_t{0} : static_cast<std::size_t>(chain.codes[j - 1][t]);
    q[l * levels + static_cast<std::size_t>(chain.codes[j][t])] += 1;
  }
  for (std::size_t l = 0; l < before; ++l) {
    double sum = 0;
    for (std::size_t k = 0; k < levels; ++k) sum += q[l * levels + k];
    for (std::size_t k = 0; k < levels; ++k) q[l * levels + k] /= sum;
  }
  return q;
}

void check_chain(const CodedChain& chain, double pseudo) {
  if (!(pseudo > 0)) throw OptionError(fmt::format("pseudo = {}, but must be > 0", pseudo));
  if (chain.levels.size() != chain.codes.size()) throw OptionError("a chain needs the levels of each variable");
  for (std::size_t j = 0; j < chain.codes.size(); ++j) {
    if (chain.codes[j].size() != chain.codes.front().size()) throw OptionError("variables differ in their examples");
    for (const Index code : chain.codes[j]) {
      if (code >= 0 && code < chain.levels[j]) continue;
      throw OptionError(fmt::format("variable {} has code {}, but {} levels", j, code, chain.levels[j]));
    }
  }
}

}  // namespace

std::vector<std::vector<Index>> markov_knockoffs(const CodedChain& chain, std::uint64_t seed, double pseudo) {
  check_chain(chain, pseudo);
  const std::size_t length = chain.codes.size(), examples = length == 0 ? 0 : chain.codes.front().size();
  std::vector<Transition> q;
  for (std::size_t j = 0; j < length; ++j) q.push_back(transition(chain, j, pseudo));
  std::vector<std::vector<Index>> copy(length, std::vector<Index>(examples));
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> norm, part, next;
  for (std::size_t t = 0; t < examples; ++t) {
    norm.clear();
    for (std::size_t j = 0; j < length; ++j) {
      const auto levels = static_cast<std::size_t>(chain.levels[j]);
      const auto x_before = j == 0 ? std::size_t{0} : static_cast<std::size_t>(chain.codes[j - 1][t]);
      const auto copy_before = j == 0 ? std::size_t{0} : static_cast<std::size_t>(copy[j - 1][t]);
      part.assign(levels, 0.0);
      for (std::size_t k = 0; k < levels; ++k) {
        part[k] = q[j][x_before * levels + k];
        if (j > 0) part[k] *= q[j][copy_before * levels + k] / norm[k];
      }
      std::vector<double> chance = part;
      if (j + 1 < length) {
        const auto after = static_cast<std::size_t>(chain.levels[j + 1]);
        next.assign(after, 0.0);
        for (std::size_t k = 0; k < levels; ++k) {
          for (std::size_t m = 0; m < after; ++m) next[m] += part[k] * q[j + 1][k * after + m];
          chance[k] *= q[j + 1][k * after + static_cast<std::size_t>(chain.codes[j + 1][t])];
        }
        // Only ratios count: N is kept near 1, or it would vanish along a long chain.
        const double largest = *std::max_element(next.begin(), next.end());
        for (double& each : next) each /= largest;
        norm = next;
      }
      double total = 0;
      for (const double each : chance) total += each;
      double left = uniform(random) * total;
      std::size_t k = 0;
      while (k + 1 < levels && left >= chance[k]) left -= chance[k++];
      copy[j][t] = static_cast<Index>(k);
    }
  }
  return copy;
}

}  // namespace medlar

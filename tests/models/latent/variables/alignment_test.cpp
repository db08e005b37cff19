// Chains and hidden Markov models: forward-backward against the enumeration of all paths, Baum-Welch against its own
// promise, and the features of states against hand-made ones.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "medlar/models/latent/variables/hmm.hpp"
#include "medlar/models/latent/variables/state_features.hpp"

namespace medlar {
namespace {

struct Drawn {
  Chain chain;
  std::vector<double> g;
};

Drawn drawn(std::size_t S, std::size_t length, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  Drawn out;
  const auto row = [&](std::vector<double>& to) {
    std::vector<double> p(S);
    double sum = 0;
    for (double& each : p) sum += each = uniform(random) < 0.2 ? 0.0 : uniform(random);
    if (sum == 0) p[0] = sum = 1;
    for (const double each : p) to.push_back(each / sum);
  };
  row(out.chain.start);
  for (std::size_t s = 0; s < S; ++s) row(out.chain.transition);
  for (std::size_t k = 0; k < S * length; ++k) out.g.push_back(2 * normal(random));
  return out;
}

TEST(Chain, SumsAreThoseOfAllPaths) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const std::size_t S = 1 + seed % 3, length = 1 + seed % 6;
    const Drawn d = drawn(S, length, seed);
    std::size_t paths = 1;
    for (std::size_t tau = 0; tau < length; ++tau) paths *= S;
    for (const double lambda : {1.0, 0.4, -1.3}) {
      double sum = 0, first = 0, second = 0, best = -HUGE_VAL;
      std::vector<double> gamma(S * length, 0.0), steps(S * S, 0.0);
      for (std::size_t path = 0; path < paths; ++path) {
        std::vector<std::size_t> u;
        for (std::size_t rest = path, tau = 0; tau < length; ++tau, rest /= S) u.push_back(rest % S);
        double p = d.chain.start[u[0]], score = 0;
        for (std::size_t tau = 1; tau < length; ++tau) p *= d.chain.transition[u[tau - 1] * S + u[tau]];
        for (std::size_t tau = 0; tau < length; ++tau) score += d.g[tau * S + u[tau]];
        if (p == 0) continue;
        best = std::max(best, score);
        const double weight = p * std::exp(lambda * score);
        sum += weight, first += weight * score, second += weight * score * score;
        for (std::size_t tau = 0; tau < length; ++tau) gamma[tau * S + u[tau]] += weight;
        for (std::size_t tau = 1; tau < length; ++tau) steps[u[tau - 1] * S + u[tau]] += weight;
      }
      const PathMoments moments = path_moments(d.chain, d.g, lambda);
      EXPECT_NEAR(moments.log_sum, std::log(sum), 1e-12 * (1 + std::abs(std::log(sum)))) << seed;
      EXPECT_NEAR(moments.mean, first / sum, 1e-11 * (1 + std::abs(first / sum)));
      EXPECT_NEAR(moments.variance, second / sum - first / sum * first / sum, 1e-10 * (1 + second / sum));
      EXPECT_DOUBLE_EQ(best_path(d.chain, d.g), best);
      std::vector<double> scaled = d.g;
      for (double& each : scaled) each *= lambda;
      const PathSums sums = forward_backward(d.chain, scaled);
      EXPECT_NEAR(sums.log_sum, std::log(sum), 1e-12 * (1 + std::abs(std::log(sum))));
      for (std::size_t k = 0; k < gamma.size(); ++k) EXPECT_NEAR(sums.gamma[k], gamma[k] / sum, 1e-12);
      for (std::size_t k = 0; k < steps.size(); ++k) EXPECT_NEAR(sums.transitions[k], steps[k] / sum, 1e-11);
    }
  }
}

// Scores of thousands of nats: a state that no other would leave a chance is all the same the only one that a chain may
// begin in. Logarithms of the sums over all paths, one by one.
TEST(Chain, SumsHoldWhereOneStateIsThousandsOfNatsBehind) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const std::size_t S = 2 + seed % 2, length = 2 + seed % 5;
    Drawn d = drawn(S, length, seed);
    if (seed % 2 == 0) d.chain = Chain::left_to_right(S, static_cast<double>(length));
    for (double& each : d.g) each *= 1500;
    std::size_t paths = 1;
    for (std::size_t tau = 0; tau < length; ++tau) paths *= S;
    std::vector<double> logs, sums;
    std::vector<std::vector<std::size_t>> states;
    for (std::size_t path = 0; path < paths; ++path) {
      std::vector<std::size_t> u;
      for (std::size_t rest = path, tau = 0; tau < length; ++tau, rest /= S) u.push_back(rest % S);
      double p = d.chain.start[u[0]], score = 0;
      for (std::size_t tau = 1; tau < length; ++tau) p *= d.chain.transition[u[tau - 1] * S + u[tau]];
      for (std::size_t tau = 0; tau < length; ++tau) score += d.g[tau * S + u[tau]];
      if (p > 0) logs.push_back(std::log(p) + score), sums.push_back(score), states.push_back(u);
    }
    const double high = *std::max_element(logs.begin(), logs.end());
    double total = 0, mean = 0, second = 0;
    std::vector<double> gamma(S * length, 0.0);
    for (const double each : logs) total += std::exp(each - high);
    for (std::size_t k = 0; k < logs.size(); ++k) {
      const double q = std::exp(logs[k] - high) / total;
      mean += q * sums[k];
      for (std::size_t tau = 0; tau < length; ++tau) gamma[tau * S + states[k][tau]] += q;
    }
    for (std::size_t k = 0; k < logs.size(); ++k)
      second += std::exp(logs[k] - high) / total * std::pow(sums[k] - mean, 2);
    const PathSums found = forward_backward(d.chain, d.g);
    ASSERT_EQ(found.gamma.size(), gamma.size()) << "seed " << seed;
    EXPECT_NEAR(found.log_sum, high + std::log(total), 1e-11 * (1 + std::abs(high)));
    for (std::size_t k = 0; k < gamma.size(); ++k) EXPECT_NEAR(found.gamma[k], gamma[k], 1e-9) << "seed " << seed;
    const PathMoments moments = path_moments(d.chain, d.g, 1);
    EXPECT_NEAR(moments.log_sum, high + std::log(total), 1e-11 * (1 + std::abs(high)));
    EXPECT_NEAR(moments.mean, mean, 1e-9 * (1 + std::abs(mean)));
    EXPECT_NEAR(moments.variance, second, 1e-6 * (1 + second));
  }
}

TEST(Chain, LongSequencesNeitherOverflowNorVanish) {
  const Chain chain = Chain::left_to_right(3, 5000);
  const std::vector<double> g(3 * 5000, -800.0);
  const PathSums sums = forward_backward(chain, g);
  EXPECT_NEAR(sums.log_sum, -800.0 * 5000, 1e-3);
  for (std::size_t tau = 0; tau < 5000; ++tau) {
    EXPECT_NEAR(sums.gamma[3 * tau] + sums.gamma[3 * tau + 1] + sums.gamma[3 * tau + 2], 1, 1e-9);
  }
}

std::vector<Sequence> steps_with_noise(unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Sequence> all;
  for (int t = 0; t < 20; ++t) {
    Sequence sequence{2, {}};
    const int first = 5 + static_cast<int>(random() % 10), length = 20 + static_cast<int>(random() % 10);
    for (int tau = 0; tau < length; ++tau) {
      sequence.values.push_back((tau < first ? -1 : 2) + 0.3 * normal(random));
      sequence.values.push_back((tau < first ? 4 : 0) + 0.3 * normal(random));
    }
    all.push_back(sequence);
  }
  return all;
}

TEST(HiddenMarkov, BaumWelchNeverLowersTheLikelihoodAndFindsTheStep) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    std::vector<double> likelihood;
    const HiddenMarkov model = fit_hidden_markov(steps_with_noise(seed), 2, &likelihood);
    ASSERT_GT(likelihood.size(), 2U);
    for (std::size_t k = 1; k < likelihood.size(); ++k) {
      EXPECT_GE(likelihood[k], likelihood[k - 1] - 1.0) << "the pseudo-counts are worth less than one";
    }
    EXPECT_NEAR(model.mean[0], -1, 0.1);
    EXPECT_NEAR(model.mean[1], 4, 0.1);
    EXPECT_NEAR(model.mean[2], 2, 0.1);
    EXPECT_NEAR(model.mean[3], 0, 0.1);
    EXPECT_NEAR(model.variance[0], 0.09, 0.04);
  }
}

TEST(StateFeatures, AreMeansWithinEachState) {
  const Sequence sequence{1, {1, 3, 2, 4}};
  const std::vector<double> gamma = segment_gamma(4, 2);
  EXPECT_EQ(gamma, (std::vector<double>{1, 0, 1, 0, 0, 1, 0, 1}));
  const std::vector<double> features = state_features(sequence, 2, gamma, StateStatistics::changes);
  const std::vector<double> wanted{2.0 / 3, 4.0 / 3, 10.0 / 3, 2.0 / 3, 4.0 / 3,
                                   2.0 / 3, 2,       20.0 / 3, 1.0 / 3, 5.0 / 3};
  ASSERT_EQ(features.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(features[k], wanted[k], 1e-14);
  const std::vector<std::string> names = state_feature_names(2, {"height"}, StateStatistics::changes);
  EXPECT_EQ(names.size(), wanted.size());
  EXPECT_EQ(names[2], "state1:height:square");
  const std::vector<double> roots = state_features(sequence, 2, gamma, StateStatistics::roots);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const bool square = k % 5 == 2 || k % 5 == 4;
    EXPECT_NEAR(roots[k], square ? std::sqrt(wanted[k]) : wanted[k], 1e-14);
  }
  EXPECT_EQ(state_feature_names(2, {"height"}, StateStatistics::roots)[9], "state2:height:change rms");
  EXPECT_EQ(state_feature_groups(2, 1, StateStatistics::changes), (std::vector<Index>{0, 1, 1, 1, 1, 2, 3, 3, 3, 3}));
}

}  // namespace
}  // namespace medlar

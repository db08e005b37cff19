// Random tiny problems over every margin, prior and bias.
#pragma once

#include <fmt/format.h>

#include <random>

#include "reference/plain_problem.hpp"

namespace medlar::test {

class RandomProblem {
 public:
  explicit RandomProblem(unsigned seed) : random_(seed) {}

  PlainProblem draw() {
    const char* margins[] = {"exponential", "laplace", "gaussian", "hinge", "tube", "svr"};
    return draw(margins[below(std::size(margins))], static_cast<int>(below(4)));
  }

  // prior: 0 Gaussian, 1 Gaussian with a mean, 2 switches, 3 groups
  PlainProblem draw(const std::string& margin, int prior) {
    PlainProblem problem;
    problem.bias = static_cast<PlainBias>(below(3));
    problem.sigma2 = log_uniform(0.01, 100);
    draw_margin(problem, margin);
    draw_examples(problem);
    draw_prior(problem, prior);
    return problem;
  }

  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  double log_uniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  double normal() { return std::normal_distribution<double>()(random_); }

 private:
  void draw_margin(PlainProblem& problem, const std::string& name) {
    PlainMargin& margin = problem.margin;
    margin.name = name;
    margin.location = below(2) == 0 ? 1.0 : uniform(0.3, 2);
    margin.epsilon = below(4) == 0 ? 0.0 : log_uniform(1e-3, 1);
    margin.c = log_uniform(0.5, 1000);
    if (name == "logistic") margin.location = 0;
    if (name == "exponential") margin.c = static_cast<double>(margin.c + 1 / margin.location);
  }

  // At least one example of each class, so that a flat bias is bounded.
  void draw_examples(PlainProblem& problem) {
    const std::size_t T = 2 + below(11), n = 1 + below(6);
    Reals truth(n);
    for (Real& each : truth) each = below(2) == 0 ? 0.0 : normal();
    const double noise = below(3) == 0 ? 0.0 : uniform(0, 1), shift = normal();
    const bool weighted = below(2) == 0, bits = below(4) == 0;
    for (std::size_t t = 0; t < T; ++t) {
      std::vector<double> row(n);
      for (double& each : row) each = bits ? static_cast<double>(below(2)) : normal();
      Real f = shift + noise * normal();
      for (std::size_t i = 0; i < n; ++i) f += truth[i] * row[i];
      if (!problem.margin.regression()) f = t == 0 ? 1 : t == 1 ? -1 : f > shift ? 1 : -1;
      problem.x.push_back(row);
      problem.y.push_back(static_cast<double>(f));
      problem.weights.push_back(weighted ? log_uniform(0.1, 10) : 1.0);
    }
    problem.prior.mean.assign(n, 0);
  }

  void draw_prior(PlainProblem& problem, int kind) {
    PlainPrior& prior = problem.prior;
    const std::size_t n = prior.mean.size();
    prior.v = below(2) == 0 ? 1.0 : log_uniform(0.05, 20);
    const std::size_t switches = kind == 3 ? 1 + below(n) : n;
    prior.p.assign(switches, 1);
    for (std::size_t i = 0; i < n; ++i) {
      prior.switch_of.push_back(static_cast<int>(kind == 3 && i >= switches ? below(switches) : i));
      if (kind == 1) prior.mean[i] = normal();
    }
    if (kind < 2) return;
    for (Real& p : prior.p) p = below(10) == 0 ? 1.0 : log_uniform(1e-8, 1);
  }

  std::mt19937_64 random_;
};

// What a failure prints.
inline std::string description(const PlainProblem& problem) {
  const char* biases[] = {"flat", "none", "gaussian"};
  std::string text =
      fmt::format("{} c {:.17g} location {:.17g} epsilon {:.17g} v {:.17g} bias {} {:.17g}; {} x {}; p",
                  problem.margin.name, static_cast<double>(problem.margin.c),
                  static_cast<double>(problem.margin.location), static_cast<double>(problem.margin.epsilon),
                  static_cast<double>(problem.prior.v), biases[static_cast<int>(problem.bias)],
                  static_cast<double>(problem.sigma2), problem.examples(), problem.features());
  for (const Real p : problem.prior.p) text += fmt::format(" {:.3g}", static_cast<double>(p));
  return text;
}

}  // namespace medlar::test

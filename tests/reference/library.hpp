// A PlainProblem given to the library's solver, and to the library's fit.
#pragma once

#include "medlar/fit.hpp"
#include "medlar/problem/certificate.hpp"
#include "medlar/problem/run.hpp"
#include "reference/plain_problem.hpp"

namespace medlar::test {

struct LibraryAnswer {
  DualPoint dual;
  PrimalPoint primal;
  Report report;
};

LibraryAnswer solve_by_library(const PlainProblem& problem, const Limits& limits = {}, Observer* observer = nullptr,
                               const std::string& solver = "auto");

// The library's own J and F at given points, and the multipliers that it makes feasible from those.
struct LibraryPoint {
  std::vector<double> lambda, v;
  double value = 0;
};
LibraryPoint dual_by_library(const PlainProblem& problem, const std::vector<double>& lambda);
double primal_by_library(const PlainProblem& problem, const std::vector<double>& v, double bias_hint);

// The same problem as a dataset with features f0, f1, ... and settings without scaling.
Dataset dataset_of(const PlainProblem& problem);
Settings settings_of(const PlainProblem& problem);

// Multipliers and coefficients of a model, laid out for PlainProblem::dual and primal.
Reals multipliers_of(const PlainProblem& problem, const Model& model);
Reals coefficients_of(const Model& model);

inline Reals reals(const std::vector<double>& values) {
  return Reals(values.begin(), values.end());
}

// The library keeps two sides per example where the reference may need one.
inline Reals plain_multipliers(const PlainProblem& problem, const std::vector<double>& lambda) {
  if (!problem.margin.two_sided()) return reals(lambda);
  Reals beta;
  for (std::size_t t = 0; t < problem.examples(); ++t) beta.push_back(Real(lambda[2 * t]) - lambda[2 * t + 1]);
  return beta;
}

}  // namespace medlar::test

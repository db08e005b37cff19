// A column of counts with a gamma prior over their rate (docs/theory.md#generative), in the measure d rate / rate.
//
//   u = (x, 1),   h = -log x!,   K(chi, nu) = log Gamma(chi) - chi log nu
#pragma once

#include "medlar/priors/families/scalar_family.hpp"
#include "medlar/priors/families/special.hpp"

namespace medlar {

struct Poisson {
  static constexpr int kStatistics = 2, kBarriers = 2;

  static std::string objection(double x) { return x >= 0 && x == std::floor(x) ? "" : "must be a whole number >= 0"; }
  static void statistics_of(double x, double* u) { u[0] = x; }
  static double base_measure(double x) { return -log_gamma(x + 1); }
  // Half an event keeps the rate of a column of zeros above 0.
  static void prior(double strength, const ColumnMoments& moments, double* chi) {
    const auto count = static_cast<double>(moments.count);
    chi[0] = strength * (count * moments.mean + 0.5) / (count + 1);
    chi[1] = strength;
  }
  static void barriers_at(const double* chi, double* out) {
    out[0] = chi[0];
    out[1] = chi[1];
  }
  static double value(const double* chi) { return log_gamma(chi[0]) - chi[0] * std::log(chi[1]); }
  static void gradient(const double* chi, double* out) {
    out[0] = digamma(chi[0]) - std::log(chi[1]);
    out[1] = -chi[0] / chi[1];
  }
  static void hessian(const double* chi, double* out) {
    out[0] = trigamma(chi[0]);
    out[1] = out[2] = -1 / chi[1];
    out[3] = chi[0] / (chi[1] * chi[1]);
  }
};

}  // namespace medlar

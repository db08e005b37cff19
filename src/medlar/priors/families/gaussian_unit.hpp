// A normal column of unit variance, its mean unknown (docs/theory.md#generative, #generative-switches).
//
//   u = (x, 1),   h = -x^2/2,   K(chi, nu) = chi^2/(2 nu) - log(nu)/2 - nu log(2 pi)/2  (+ log(2 pi)/2, left out)
#pragma once

#include "medlar/priors/families/scalar_family.hpp"
#include "medlar/priors/families/special.hpp"

namespace medlar {

struct GaussianUnit {
  static constexpr int kStatistics = 2, kBarriers = 1;

  static std::string objection(double) { return {}; }
  static void statistics_of(double x, double* u) { u[0] = x; }
  static double base_measure(double x) { return -0.5 * x * x; }
  static void prior(double strength, const ColumnMoments& moments, double* chi) {
    chi[0] = strength * moments.mean;
    chi[1] = strength;
  }
  static void barriers_at(const double* chi, double* out) { out[0] = chi[1]; }
  static double value(const double* chi) {
    return 0.5 * chi[0] * chi[0] / chi[1] - 0.5 * std::log(chi[1]) - 0.5 * chi[1] * kLogTwoPi;
  }
  static void gradient(const double* chi, double* out) {
    const double mean = chi[0] / chi[1];
    out[0] = mean;
    out[1] = -0.5 * mean * mean - 0.5 / chi[1] - 0.5 * kLogTwoPi;
  }
  static void hessian(const double* chi, double* out) {
    const double nu = chi[1], mean = chi[0] / nu;
    out[0] = 1 / nu;
    out[1] = out[2] = -mean / nu;
    out[3] = mean * mean / nu + 0.5 / (nu * nu);
  }
};

}  // namespace medlar

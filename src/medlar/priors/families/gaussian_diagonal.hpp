// A normal column whose mean and precision are unknown: the normal-gamma prior (docs/theory.md#generative).
//
//   u = (x, x^2, 1),   K(chi1, chi2, nu) = log Gamma(a) - a log beta - log(nu)/2 - nu log(2 pi)/2  (+ log(2 pi)/2)
//   a = (1 + nu)/2,    beta = (chi2 - chi1^2/nu)/2
//
// The measure over mean and precision is dmu dtau, which gives the 1 in a.
#pragma once

#include "medlar/priors/families/scalar_family.hpp"
#include "medlar/priors/families/special.hpp"

namespace medlar {

struct GaussianDiagonal {
  static constexpr int kStatistics = 3, kBarriers = 2;

  static std::string objection(double) { return {}; }
  static void statistics_of(double x, double* u) {
    u[0] = x;
    u[1] = x * x;
  }
  static double base_measure(double) { return 0; }
  // The expected precision a / beta is that of all classes together.
  static void prior(double strength, const ColumnMoments& moments, double* chi) {
    const double variance = moments.variance > 0 ? moments.variance : 1;
    chi[0] = strength * moments.mean;
    chi[1] = strength * moments.mean * moments.mean + (1 + strength) * variance;
    chi[2] = strength;
  }
  static void barriers_at(const double* chi, double* out) {
    out[0] = chi[2];
    out[1] = chi[2] > 0 ? beta(chi) : chi[2];
  }
  static double value(const double* chi) {
    const double a = shape(chi);
    return log_gamma(a) - a * std::log(beta(chi)) - 0.5 * std::log(chi[2]) - 0.5 * chi[2] * kLogTwoPi;
  }
  static void gradient(const double* chi, double* out) {
    const double a = shape(chi), b = beta(chi), mean = chi[0] / chi[2], precision = a / b;
    out[0] = precision * mean;
    out[1] = -0.5 * precision;
    out[2] = 0.5 * (digamma(a) - std::log(b)) - 0.5 * precision * mean * mean - 0.5 / chi[2] - 0.5 * kLogTwoPi;
  }
  // With D beta = (-m, 1/2, m^2/2) and D m = (1, 0, -m)/nu.
  static void hessian(const double* chi, double* out) {
    const double a = shape(chi), b = beta(chi), nu = chi[2], m = chi[0] / nu, precision = a / b, bend = a / (b * b);
    out[0] = precision / nu + bend * m * m;
    out[1] = out[3] = -0.5 * bend * m;
    out[4] = 0.25 * bend;
    out[2] = out[6] = 0.5 * m / b - 0.5 * bend * m * m * m - precision * m / nu;
    out[5] = out[7] = -0.25 / b + 0.25 * bend * m * m;
    out[8] =
        0.25 * trigamma(a) - 0.5 * m * m / b + 0.25 * bend * m * m * m * m + precision * m * m / nu + 0.5 / (nu * nu);
  }

 private:
  static double shape(const double* chi) { return 0.5 * (1 + chi[2]); }
  static double beta(const double* chi) { return 0.5 * (chi[1] - chi[0] * chi[0] / chi[2]); }
};

}  // namespace medlar

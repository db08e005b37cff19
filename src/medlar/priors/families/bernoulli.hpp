// A column of bits with a beta prior (docs/theory.md#generative).
//
//   u = (x, 1),   K(chi, nu) = log B(chi, nu - chi)
#pragma once

#include "medlar/priors/families/scalar_family.hpp"
#include "medlar/priors/families/special.hpp"

namespace medlar {

struct Bernoulli {
  static constexpr int kStatistics = 2, kBarriers = 2;

  static std::string objection(double x) { return x == 0 || x == 1 ? "" : "must be 0 or 1"; }
  static void statistics_of(double x, double* u) { u[0] = x; }
  static double base_measure(double) { return 0; }
  static void prior(double strength, const ColumnMoments&, double* chi) {
    chi[0] = strength;
    chi[1] = 2 * strength;
  }
  static void barriers_at(const double* chi, double* out) {
    out[0] = chi[0];
    out[1] = chi[1] - chi[0];
  }
  static double value(const double* chi) { return log_gamma(chi[0]) + log_gamma(chi[1] - chi[0]) - log_gamma(chi[1]); }
  static void gradient(const double* chi, double* out) {
    const double no = digamma(chi[1] - chi[0]);
    out[0] = digamma(chi[0]) - no;
    out[1] = no - digamma(chi[1]);
  }
  static void hessian(const double* chi, double* out) {
    const double no = trigamma(chi[1] - chi[0]);
    out[0] = trigamma(chi[0]) + no;
    out[1] = out[2] = -no;
    out[3] = no - trigamma(chi[1]);
  }
};

}  // namespace medlar

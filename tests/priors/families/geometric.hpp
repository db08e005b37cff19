// A column of failures before the first success, with a beta prior over the chance of success.
//
//   p(x | q) = q (1 - q)^x,   u = (x, 1),   K(chi, nu) = log B(nu, chi), in the measure dq / (q (1 - q))
#pragma once

#include "medlar/priors/families/scalar_family.hpp"
#include "medlar/priors/families/special.hpp"

namespace medlar {

struct Geometric {
  static constexpr int kStatistics = 2, kBarriers = 2;

  static std::string objection(double x) { return x >= 0 && x == std::floor(x) ? "" : "must be a whole number >= 0"; }
  static void statistics_of(double x, double* u) { u[0] = x; }  // the count is added by others
  static double base_measure(double) { return 0; }
  static void prior(double strength, const ColumnMoments& moments, double* chi) {
    chi[0] = strength * (moments.mean > 0 ? moments.mean : 1);
    chi[1] = strength;
  }
  static void barriers_at(const double* chi, double* out) {
    out[0] = chi[0];
    out[1] = chi[1];
  }
  static double value(const double* chi) { return log_gamma(chi[0]) + log_gamma(chi[1]) - log_gamma(chi[0] + chi[1]); }
  static void gradient(const double* chi, double* out) {
    const double all = digamma(chi[0] + chi[1]);
    out[0] = digamma(chi[0]) - all;
    out[1] = digamma(chi[1]) - all;
  }
  static void hessian(const double* chi, double* out) {
    const double all = trigamma(chi[0] + chi[1]);
    out[0] = trigamma(chi[0]) - all;
    out[1] = out[2] = -all;
    out[3] = trigamma(chi[1]) - all;
  }
};

}  // namespace medlar

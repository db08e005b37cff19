// A column of durations with a gamma prior over their rate (docs/theory.md#generative), in the measure d rate / rate.
//
//   u = (x, 1),   K(chi, nu) = log Gamma(nu) - nu log chi
#pragma once

#include "medlar/priors/families/scalar_family.hpp"
#include "medlar/priors/families/special.hpp"

namespace medlar {

struct Exponential {
  static constexpr int kStatistics = 2, kBarriers = 2;

  static std::string objection(double x) { return x >= 0 ? "" : "must be a number >= 0"; }
  static void statistics_of(double x, double* u) { u[0] = x; }
  static double base_measure(double) { return 0; }
  static void prior(double strength, const ColumnMoments& moments, double* chi) {
    chi[0] = strength * (moments.mean > 0 ? moments.mean : 1);
    chi[1] = strength;
  }
  static void barriers_at(const double* chi, double* out) {
    out[0] = chi[0];
    out[1] = chi[1];
  }
  static double value(const double* chi) { return log_gamma(chi[1]) - chi[1] * std::log(chi[0]); }
  static void gradient(const double* chi, double* out) {
    out[0] = -chi[1] / chi[0];
    out[1] = digamma(chi[1]) - std::log(chi[0]);
  }
  static void hessian(const double* chi, double* out) {
    out[0] = chi[1] / (chi[0] * chi[0]);
    out[1] = out[2] = -1 / chi[0];
    out[3] = trigamma(chi[1]);
  }
};

}  // namespace medlar

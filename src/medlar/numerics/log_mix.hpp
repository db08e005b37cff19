// A switch that is on with prior probability p and then weighs e^h: its log-normaliser and its posterior weights.
//
//   log_mix(p, h) = log(1 - p + p e^h),     on = p e^h / (1 - p + p e^h),     off = (1 - p) / (1 - p + p e^h)
//
// Exact at p = 0 and p = 1, for h of either sign and any size. e^h itself is never formed beyond e^700.
#pragma once

#include <cmath>

namespace medlar {

inline constexpr double kLargestExponent = 700;  // e^700 and e^-700 are still normal numbers

inline double log_mix(double p, double h) {
  if (p == 0 || h == 0) return 0;
  if (p == 1) return h;
  if (h > kLargestExponent) return h + std::log(p + (1 - p) * std::exp(-h));
  const double excess = p * std::expm1(h);
  // Below -1/2 only the two positive parts keep their digits. There 1 - p is exact, because p > 1/2.
  return excess < -0.5 ? std::log((1 - p) + p * std::exp(h)) : std::log1p(excess);
}

struct MixWeights {
  double on;   // posterior probability that the switch is on
  double off;  // its complement, with digits of its own
};

inline MixWeights mix_weights(double p, double h) {
  if (h == 0) return {p, 1 - p};
  if (p == 0) return {0, 1};
  if (p == 1) return {1, 0};
  if (h > kLargestExponent) {
    const double odds_against = std::exp(std::log1p(-p) - std::log(p) - h);
    return {1 / (1 + odds_against), odds_against / (1 + odds_against)};
  }
  const double decay = std::exp(-std::abs(h));
  const double on = h >= 0 ? p : p * decay;
  const double off = h >= 0 ? (1 - p) * decay : 1 - p;
  return {on / (on + off), off / (on + off)};
}

}  // namespace medlar

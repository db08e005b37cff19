// Derivatives of log Gamma, from Boost.Math, and the constant of every normal density.
#pragma once

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>

namespace medlar {

inline constexpr double kLogTwoPi = 1.8378770664093454835606594728112353;

inline double log_gamma(double x) {
  int sign = 0;  // std::lgamma would write it to a variable that all threads share
  return ::lgamma_r(x, &sign);
}
inline double digamma(double x) {
  return boost::math::digamma(x);
}
inline double trigamma(double x) {
  return boost::math::trigamma(x);
}

}  // namespace medlar

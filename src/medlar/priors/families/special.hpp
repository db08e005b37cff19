// Derivatives of log Gamma, from Boost.Math, and the constant of every normal density.
#pragma once

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <utility>

#include "medlar/types.hpp"

namespace medlar {

inline constexpr double kLogTwoPi = 1.8378770664093454835606594728112353;

inline double log_gamma(double x) {
  int sign = 0;  // std::lgamma would write it to a variable that all threads share
  return ::lgamma_r(x, &sign);
}
// Boost promotes to long double by default, which costs several times as much.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
// Columns of one family have seen the same number of examples, or one fewer where an example is left out. So the
// argument is often one of the last two, whose values are kept.
inline double digamma(double x) {
  thread_local double last = 1, value = boost::math::digamma(1.0, InDouble()), last_but_one = last, its_value = value;
  if (x == last) return value;
  std::swap(last, last_but_one);
  std::swap(value, its_value);
  if (x != last) {
    value = boost::math::digamma(x, InDouble());
    last = x;
  }
  return value;
}
inline double trigamma(double x) {
  return boost::math::trigamma(x, InDouble());
}
// sum_j f((n - j)/2) over j < d, as in the multivariate gamma function
template <class Function>
double sum_over_halves(double n, Index d, Function f) {
  double sum = 0;
  for (Index j = 0; j < d; ++j) sum += f(0.5 * (n - static_cast<double>(j)));
  return sum;
}

}  // namespace medlar

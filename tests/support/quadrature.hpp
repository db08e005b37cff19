// Integrals of smooth positive functions to about 1e-14, by double-exponential quadrature.
#pragma once

#include <boost/math/quadrature/exp_sinh.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>

namespace medlar::test {

inline constexpr double kQuadratureTolerance = 1e-14;

// int_a^b f
template <class Function>
double integrate(Function f, double a, double b) {
  if (a == b) return 0;
  static boost::math::quadrature::tanh_sinh<double> rule;
  return rule.integrate(f, a, b, kQuadratureTolerance);
}

// int_0^inf f
template <class Function>
double integrate_half_line(Function f) {
  static boost::math::quadrature::exp_sinh<double> rule;
  return rule.integrate(f, kQuadratureTolerance);
}

// int f over the line, split at `centre`, where f may have a kink; `width` is the scale on which f varies.
template <class Function>
double integrate_line(Function f, double centre, double width) {
  return width * integrate_half_line([&](double t) { return f(centre + width * t) + f(centre - width * t); });
}

inline double log_normal_density(double x, double mean, double variance) {
  return -(x - mean) * (x - mean) / (2 * variance) - std::log(2 * M_PI * variance) / 2;
}

// g(x) e^exponent, which is 0 where the exponential is, however large g(x) may be.
template <class Function>
double weighted(Function g, double x, double exponent) {
  const double weight = std::exp(exponent);
  return weight == 0 ? 0 : weight * g(x);
}

}  // namespace medlar::test

// References with more digits than any formula can lose, and the error of a double measured against them.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <limits>

namespace medlar::test {

using Real100 = boost::multiprecision::cpp_bin_float_100;

template <unsigned kDigits>
using RealWith =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<kDigits>, boost::multiprecision::et_off>;

// |computed - exact| / |exact|; 0 when both are 0.
template <class R>
double relative_error(double computed, const R& exact) {
  if (exact == 0) return computed == 0 ? 0 : std::numeric_limits<double>::infinity();
  return static_cast<double>(abs((R(computed) - exact) / exact));
}

// |computed - exact| / scale, where scale is what the terms of a difference amount to.
template <class R>
double scaled_error(double computed, const R& exact, const R& scale) {
  return scale == 0 ? relative_error(computed, exact) : static_cast<double>(abs((R(computed) - exact) / scale));
}

}  // namespace medlar::test

// The multiplier of a residual has no closed form. A table gives a first guess and Newton's steps polish it, all lanes
// together; a lane that does not settle reports -1 and is left to the scalar code. Near c the digits are in c - lambda,
// so the smaller of the two is the unknown. This file is compiled once per instruction set by foreach_target.
#include "medlar/simd/tube_loops.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "medlar/simd/tube_loops.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "medlar/simd/over_numbers-inl.h"

HWY_BEFORE_NAMESPACE();
namespace medlar::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// sum_j u^j N!/(j + N)! for 0 <= u <= 2, as in numerics/factorial_series.hpp.
template <int N>
struct FactorialCoefficients {
  double of[28] = {1};
  constexpr FactorialCoefficients() {
    for (int j = 1; j < 28; ++j) of[j] = of[j - 1] / (j + N);
  }
};
template <int N, class D, class V = hn::Vec<D>>
HWY_INLINE V FactorialSeries(D d, V u) {
  static constexpr FactorialCoefficients<N> coefficient;
  const auto square = hn::Mul(u, u), fourth = hn::Mul(square, square);
  auto a = hn::Zero(d), b = a, c = a, e = a;  // four chains side by side; one would take four times as long
  for (int j = hn::AllTrue(d, hn::Le(u, hn::Set(d, 0.25))) ? 8 : 24; j >= 0; j -= 4) {
    a = hn::MulAdd(a, fourth, hn::Set(d, coefficient.of[j]));
    b = hn::MulAdd(b, fourth, hn::Set(d, coefficient.of[j + 1]));
    c = hn::MulAdd(c, fourth, hn::Set(d, coefficient.of[j + 2]));
    e = hn::MulAdd(e, fourth, hn::Set(d, coefficient.of[j + 3]));
  }
  return hn::MulAdd(square, hn::MulAdd(u, e, c), hn::MulAdd(u, b, a));
}

// A vector of multipliers and their distances from c.
template <class D, class V = hn::Vec<D>>
struct Points {
  V lambda, rest;
};
template <class D, class V = hn::Vec<D>>
struct Moments {
  V mean, variance;
};

// Moments of gamma under P0(gamma) e^{lambda gamma}, as TubeMargin::tilted with numerics/decay_moments.hpp.
template <class D>
HWY_INLINE Moments<D> Tilted(D d, const TubePrior& prior, Points<D> at) {
  const auto one = hn::Set(d, 1.0), two = hn::Set(d, 2.0), epsilon = hn::Set(d, prior.epsilon);
  const auto u = hn::Mul(at.lambda, epsilon), end = hn::Exp(d, hn::Neg(u));
  const auto large = hn::Gt(u, two);
  auto zeroth = one, first = one, second = one;
  if (!hn::AllTrue(d, large)) {
    second = hn::Mul(hn::Mul(end, FactorialSeries<3>(d, hn::Min(u, two))), hn::Set(d, 1.0 / 3));
    first = hn::Mul(hn::MulAdd(u, second, end), hn::Set(d, 0.5));
    zeroth = hn::MulAdd(u, first, end);
  }
  if (!hn::AllFalse(d, large)) {
    const auto by_u = hn::Div(one, u), zeroth2 = hn::Mul(hn::Sub(one, end), by_u);
    const auto first2 = hn::Mul(hn::Sub(zeroth2, end), by_u);
    zeroth = hn::IfThenElse(large, zeroth2, zeroth);
    first = hn::IfThenElse(large, first2, first);
    second = hn::IfThenElse(large, hn::Mul(hn::Sub(hn::Add(first2, first2), end), by_u), second);
  }
  const auto flat_weight = hn::Mul(epsilon, zeroth), tail_weight = hn::Div(one, at.rest);
  const auto by_both = hn::Div(one, hn::Add(flat_weight, tail_weight)), by_zeroth = hn::Div(one, zeroth);
  const auto flat = hn::Mul(flat_weight, by_both), tail = hn::Mul(tail_weight, by_both);
  const auto depth = hn::Mul(first, by_zeroth), spread = hn::NegMulAdd(depth, depth, hn::Mul(second, by_zeroth));
  const auto distance = hn::MulAdd(epsilon, depth, tail_weight);
  const auto mean = hn::MulAdd(epsilon, hn::NegMulAdd(flat, depth, one), hn::Mul(tail, tail_weight));
  const auto within =
      hn::MulAdd(hn::Mul(flat, hn::Mul(epsilon, epsilon)), spread, hn::Mul(tail, hn::Mul(tail_weight, tail_weight)));
  return {mean, hn::MulAdd(hn::Mul(flat, tail), hn::Mul(distance, distance), within)};
}

// psi in the two forms of TubeMargin::value.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Values(D d, const TubePrior& prior, Points<D> at) {
  const double k = prior.c * prior.epsilon;
  const auto one = hn::Set(d, 1.0), c = hn::Set(d, prior.c), by_rest = hn::Div(one, at.rest);
  const auto u = hn::Mul(at.lambda, hn::Set(d, prior.epsilon)), over = hn::Set(d, 1 / (1 + k));
  const auto large = hn::Gt(u, one);
  auto value = hn::Zero(d);
  if (!hn::AllTrue(d, large)) {
    // phi(u) - 1, and e^u - 1 = u phi(u)
    const auto small = hn::Min(u, one), excess = hn::Mul(hn::Mul(small, hn::Set(d, 0.5)), FactorialSeries<2>(d, small));
    const auto tail = hn::Mul(hn::MulAdd(c, hn::MulAdd(excess, small, small), at.lambda), by_rest);
    value = hn::Neg(hn::Log1p(d, hn::Mul(hn::MulAdd(hn::Set(d, k), excess, tail), over)));
  }
  if (!hn::AllFalse(d, large)) {
    const auto decay = hn::Div(hn::Sub(one, hn::Exp(d, hn::Neg(u))), u);
    const auto both = hn::Mul(hn::MulAdd(hn::Set(d, k), decay, hn::Mul(c, by_rest)), over);
    value = hn::IfThenElse(large, hn::Neg(hn::Add(u, hn::Log(d, both))), value);
  }
  return value;
}

// The table's cubic at x, found by bisection.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Guess(D d, const GuessTable& table, V x) {
  const hn::RebindToSigned<D> di;
  auto piece = hn::Zero(di);
  for (std::size_t length = table.pieces; length > 1;) {
    const std::size_t half = length / 2;
    const auto tried = hn::Add(piece, hn::Set(di, static_cast<std::int64_t>(half)));
    const auto right = hn::Ge(x, hn::GatherIndex(d, table.knots, tried));
    piece = hn::IfThenElse(hn::RebindMask(di, right), tried, piece);
    length -= half;
  }
  const auto past = hn::Sub(x, hn::GatherIndex(d, table.knots, piece));
  const auto four = hn::ShiftLeft<2>(piece);
  const auto power = [&](std::int64_t k) { return hn::GatherIndex(d, table.cubics, hn::Add(four, hn::Set(di, k))); };
  return hn::MulAdd(past, hn::MulAdd(past, hn::MulAdd(past, power(3), power(2)), power(1)), power(0));
}

void TubeResponses(const TubePrior& prior, const double* HWY_RESTRICT residual, double* HWY_RESTRICT loss,
                   double* HWY_RESTRICT multiplier, double* HWY_RESTRICT bend, std::size_t size) {
  constexpr int kMostSteps = 4;
  const double last = std::nextafter(prior.c, 0.0);
  OverAll(residual, size, [&](auto d, auto r, std::size_t i, std::size_t count) {
    using D = decltype(d);
    const auto zero = hn::Zero(d), one = hn::Set(d, 1.0), c = hn::Set(d, prior.c), half = hn::Set(d, 0.5 * prior.c);
    const auto middle = hn::Set(d, prior.middle), by_r = hn::Div(one, r);
    const auto lower = hn::Le(r, middle);
    const auto place = hn::IfThenElse(lower, hn::MulSub(r, hn::Set(d, 1 / prior.middle), hn::Set(d, 2.0)),
                                      hn::Neg(hn::Mul(middle, by_r)));
    auto x = Guess(d, prior.guesses, place);
    x = hn::IfThenElse(hn::And(hn::Gt(x, zero), hn::Lt(x, half)), x, hn::Mul(half, hn::Set(d, 0.5)));
    const auto point = [&](auto at) {
      const auto other = hn::Sub(c, at);
      return Points<D>{hn::IfThenElse(lower, at, other), hn::IfThenElse(lower, other, at)};
    };
    auto variance = one;
    auto settled = hn::Lt(one, zero);
    for (int step = 0; step < kMostSteps && !hn::AllTrue(d, settled); ++step) {
      const auto now = Tilted(d, prior, point(x));
      const auto off = hn::Sub(now.mean, r), error = hn::IfThenElse(lower, off, hn::Neg(off));
      const auto slope = hn::IfThenElse(lower, one, hn::Mul(now.mean, by_r));
      const auto change = hn::Mul(hn::Div(error, now.variance), slope), next = hn::Sub(x, change);
      const auto exact = hn::Le(hn::Abs(error), hn::Mul(r, hn::Set(d, 2 * std::numeric_limits<double>::epsilon())));
      const auto inside = hn::And(hn::Gt(next, zero), hn::Le(next, half));
      const auto close = hn::And(inside, hn::Le(hn::Abs(change), hn::Mul(x, hn::Set(d, 1e-8))));
      variance = hn::IfThenElse(settled, variance, now.variance);
      x = hn::IfThenElse(hn::Or(settled, hn::Or(exact, hn::Not(inside))), x, next);
      settled = hn::Or(settled, hn::Or(exact, close));
    }
    const auto at = point(x);
    if (loss != nullptr) {
      const auto held = hn::Max(hn::MulAdd(at.lambda, r, Values(d, prior, at)), zero);
      StoreSome(d, held, loss + i, count);
    }
    const auto lambda = hn::IfThenElse(hn::Ge(at.lambda, c), hn::Set(d, last), at.lambda);
    StoreSome(d, hn::IfThenElse(settled, lambda, hn::Set(d, -1.0)), multiplier + i, count);
    StoreSome(d, hn::Div(one, variance), bend + i, count);
  });
}

void TubeValues(const TubePrior& prior, const double* HWY_RESTRICT lambda, double* HWY_RESTRICT value,
                std::size_t size) {
  OverAll(lambda, size, [&](auto d, auto l, std::size_t i, std::size_t count) {
    const auto c = hn::Set(d, prior.c), zero = hn::Zero(d);
    const auto outside = hn::Or(hn::Lt(l, zero), hn::Ge(l, c));
    if (hn::AllTrue(d, hn::Eq(l, zero))) return StoreSome(d, zero, value + i, count);
    const auto psi = Values(d, prior, Points<decltype(d)>{l, hn::Sub(c, l)});
    StoreSome(d, hn::IfThenElse(outside, hn::Set(d, -HUGE_VAL), psi), value + i, count);
  });
}

}  // namespace medlar::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medlar {

HWY_EXPORT(TubeResponses);
HWY_EXPORT(TubeValues);

void tube_responses(const TubePrior& prior, const double* residual, double* loss, double* multiplier, double* bend,
                    std::size_t size) {
  HWY_DYNAMIC_DISPATCH(TubeResponses)(prior, residual, loss, multiplier, bend, size);
}
void tube_values(const TubePrior& prior, const double* lambda, double* value, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(TubeValues)(prior, lambda, value, size);
}

}  // namespace medlar
#endif

// The exponential loss is log1p of something that cancels near the margin, so both forms of the scalar code are needed
// and chosen per lane. Most examples late in a solve have a large margin; a vector of such examples is answered at
// once. This file is compiled once per instruction set by foreach_target.
#include "medlar/simd/margin_loops.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "medlar/simd/margin_loops.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "medlar/simd/over_numbers-inl.h"

HWY_BEFORE_NAMESPACE();
namespace medlar::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// x - log(1 + x), in the two forms of numerics/log1p_defect.hpp.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Defect(D d, V x) {
  const auto r = hn::Div(x, hn::Add(hn::Set(d, 2.0), x)), square = hn::Mul(r, r);
  auto series = hn::Set(d, 1.0 / 25);
  for (int odd = 23; odd >= 3; odd -= 2) series = hn::MulAdd(series, square, hn::Set(d, 1.0 / odd));
  const auto near = hn::Mul(r, hn::NegMulAdd(hn::Add(square, square), series, x));
  const auto far = hn::Or(hn::Lt(x, hn::Set(d, -0.3)), hn::Gt(x, hn::Set(d, 0.4)));
  return hn::AllFalse(d, far) ? near : hn::IfThenElse(far, hn::Sub(x, hn::Log1p(d, x)), near);
}

void ExponentialResponses(const ExponentialPrior& prior, const double* HWY_RESTRICT margin, double* HWY_RESTRICT loss,
                          double* HWY_RESTRICT multiplier, double* HWY_RESTRICT bend, std::size_t size) {
  const double excess = std::fma(prior.c, prior.location, -1.0);
  const double end = std::nextafter(prior.c, 0.0);
  OverAll(margin, size, [&](auto d, auto m, std::size_t i, std::size_t count) {
    const auto zero = hn::Zero(d), c = hn::Set(d, prior.c), last = hn::Set(d, end);
    const auto unheld = hn::NegMulAdd(c, m, hn::Set(d, excess));
    const auto idle = hn::Or(hn::Ge(m, hn::Set(d, excess / prior.c)), hn::Lt(unheld, zero));
    if (hn::AllTrue(d, idle)) {
      if (loss != nullptr) StoreSome(d, zero, loss + i, count);
      StoreSome(d, zero, multiplier + i, count);
      return StoreSome(d, zero, bend + i, count);
    }
    const auto z = hn::IfThenZeroElse(idle, unheld);
    const auto ratio = hn::Div(z, hn::Sub(hn::Set(d, prior.location), m));
    const auto within = hn::IfThenElse(hn::Ge(ratio, c), last, ratio);
    const auto lambda = hn::IfThenZeroElse(hn::Eq(z, zero), within), room = hn::Sub(c, lambda);
    if (loss != nullptr) StoreSome(d, Defect(d, z), loss + i, count);
    StoreSome(d, lambda, multiplier + i, count);
    StoreSome(d, hn::IfThenElseZero(hn::Gt(lambda, zero), hn::Mul(room, room)), bend + i, count);
  });
}

void ExponentialValues(const ExponentialPrior& prior, const double* HWY_RESTRICT lambda, double* HWY_RESTRICT value,
                       std::size_t size) {
  const double excess = std::fma(prior.c, prior.location, -1.0);
  OverAll(lambda, size, [&](auto d, auto l, std::size_t i, std::size_t count) {
    const auto c = hn::Set(d, prior.c), x = hn::Div(l, c);
    auto psi = hn::NegMulAdd(hn::Set(d, 1.0), Defect(d, hn::Neg(x)), hn::Mul(x, hn::Set(d, excess)));
    const auto late = hn::Gt(l, hn::Set(d, 0.5 * prior.c));
    if (!hn::AllFalse(d, late)) {
      const auto log = hn::Log(d, hn::Div(hn::Sub(c, l), c));
      psi = hn::IfThenElse(late, hn::MulAdd(hn::Set(d, prior.location), l, log), psi);
    }
    const auto outside = hn::Or(hn::Lt(l, hn::Zero(d)), hn::Ge(l, c));
    StoreSome(d, hn::IfThenElse(outside, hn::Set(d, -HUGE_VAL), psi), value + i, count);
  });
}

void LogisticResponses(const LogisticPrior& prior, const double* HWY_RESTRICT margin, double* HWY_RESTRICT loss,
                       double* HWY_RESTRICT multiplier, double* HWY_RESTRICT bend, std::size_t size) {
  const double end = std::nextafter(prior.c, 0.0);
  OverAll(margin, size, [&](auto d, auto m, std::size_t i, std::size_t count) {
    const auto zero = hn::Zero(d), one = hn::Set(d, 1.0), c = hn::Set(d, prior.c);
    const auto short_by = hn::Sub(hn::Set(d, prior.location), m);
    const auto small = hn::Exp(d, hn::Max(hn::Neg(hn::Abs(short_by)), hn::Set(d, -745.0)));  // e^{-745} is 0 or nearly
    const auto more = hn::Div(one, hn::Add(one, small));                                     // above 1/2
    const auto share = hn::IfThenElse(hn::Gt(short_by, zero), more, hn::Mul(small, more));
    const auto lambda = hn::Min(hn::Max(hn::Mul(c, share), hn::Set(d, prior.least)), hn::Set(d, end));
    if (loss != nullptr) {
      const auto unit = hn::Add(hn::Max(short_by, zero), hn::Log1p(d, small));
      StoreSome(d, hn::IfThenElse(hn::IsNaN(short_by), short_by, hn::Mul(c, unit)), loss + i, count);
    }
    StoreSome(d, lambda, multiplier + i, count);
    StoreSome(d, hn::Mul(lambda, hn::Div(hn::Sub(c, lambda), c)), bend + i, count);
  });
}

void LogisticValues(const LogisticPrior& prior, const double* HWY_RESTRICT lambda, double* HWY_RESTRICT value,
                    std::size_t size) {
  OverAll(lambda, size, [&](auto d, auto l, std::size_t i, std::size_t count) {
    const auto zero = hn::Zero(d), one = hn::Set(d, 1.0), c = hn::Set(d, prior.c);
    const auto less = hn::Div(hn::Min(l, hn::Sub(c, l)), c), more = hn::Sub(one, less);
    const auto entropy = hn::MulAdd(less, hn::Log(d, less), hn::Mul(more, hn::Log1p(d, hn::Neg(less))));
    const auto linear = hn::Mul(hn::Set(d, prior.location), l);
    const auto inside = hn::NegMulAdd(c, hn::IfThenZeroElse(hn::Eq(less, zero), entropy), linear);
    const auto outside = hn::Or(hn::Lt(l, zero), hn::Gt(l, c));
    StoreSome(d, hn::IfThenElse(outside, hn::Set(d, -HUGE_VAL), inside), value + i, count);
  });
}

}  // namespace medlar::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medlar {

HWY_EXPORT(ExponentialResponses);
HWY_EXPORT(ExponentialValues);
HWY_EXPORT(LogisticResponses);
HWY_EXPORT(LogisticValues);

void exponential_responses(const ExponentialPrior& prior, const double* margin, double* loss, double* multiplier,
                           double* bend, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(ExponentialResponses)(prior, margin, loss, multiplier, bend, size);
}
void exponential_values(const ExponentialPrior& prior, const double* lambda, double* value, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(ExponentialValues)(prior, lambda, value, size);
}

void logistic_responses(const LogisticPrior& prior, const double* margin, double* loss, double* multiplier,
                        double* bend, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(LogisticResponses)(prior, margin, loss, multiplier, bend, size);
}
void logistic_values(const LogisticPrior& prior, const double* lambda, double* value, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(LogisticValues)(prior, lambda, value, size);
}

}  // namespace medlar
#endif

// The vector formulas are exact only where e^h neither overflows nor loses its digits. A vector with one exponent
// outside that range is done one by one with numerics/log_mix.hpp. This file is compiled once per instruction set by
// foreach_target.
#include "medlar/simd/switch_loops.hpp"

#include "medlar/numerics/log_mix.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "medlar/simd/switch_loops.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace medlar::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A vector of switches: with e = e^h - 1, P = p (1 + e) / (1 + p e) and log(1 - p + p e^h) = log1p(p e).
template <class D>
struct Switches {
  using Vector = hn::Vec<D>;
  D d;
  Vector p, h, excess;  // excess = p e

  Switches(D tag, Vector prior, Vector exponent)
      : d(tag), p(prior), h(exponent), excess(hn::Mul(prior, hn::Expm1(tag, exponent))) {}

  Vector value() const {
    const auto one = hn::Set(d, 1.0);
    return hn::IfThenElse(hn::Eq(p, one), h, hn::Log1p(d, excess));
  }
  Vector on() const { return hn::Div(hn::Add(p, excess), hn::Add(hn::Set(d, 1.0), excess)); }
  Vector off() const {
    const auto one = hn::Set(d, 1.0);
    return hn::Div(hn::Sub(one, p), hn::Add(one, excess));
  }
};

// What a loop computes: of a vector of switches, and of a single one.
struct Value {
  template <class D>
  hn::Vec<D> operator()(const Switches<D>& s, hn::Vec<D>, double) const {
    return s.value();
  }
  double one(double p, double h, double, double) const { return log_mix(p, h); }
};
struct Conjugate {
  template <class D>
  hn::Vec<D> operator()(const Switches<D>& s, hn::Vec<D>, double) const {
    const auto twice = hn::Add(s.h, s.h);
    return hn::IfThenElse(hn::Eq(s.p, hn::Set(s.d, 1.0)), s.h, hn::Sub(hn::Mul(twice, s.on()), s.value()));
  }
  double one(double p, double h, double, double) const {
    return p == 1 || h == 0 ? h : 2 * h * mix_weights(p, h).on - log_mix(p, h);
  }
};
struct Mean {
  template <class D>
  hn::Vec<D> operator()(const Switches<D>& s, hn::Vec<D> v, double variance) const {
    return hn::Mul(s.on(), hn::Mul(hn::Set(s.d, variance), v));
  }
  double one(double p, double h, double v, double variance) const { return mix_weights(p, h).on * (variance * v); }
};
struct Variance {
  template <class D>
  hn::Vec<D> operator()(const Switches<D>& s, hn::Vec<D> v, double variance) const {
    const auto scale = hn::Set(s.d, variance), slab = hn::Mul(scale, v), on = s.on();
    return hn::MulAdd(scale, on, hn::Mul(hn::Mul(hn::Mul(on, s.off()), slab), slab));
  }
  double one(double p, double h, double v, double variance) const {
    const MixWeights weights = mix_weights(p, h);
    return variance * weights.on + weights.on * weights.off * (variance * v) * (variance * v);
  }
};

// Calls `each` for a vector at i and `single` for one number. Single numbers are the last few, and vectors with an
// exponent beyond e^700 or so small that its digits would be lost.
template <class Of, class Each, class Single>
HWY_INLINE void OverSwitches(const SwitchPriors& priors, const double* HWY_RESTRICT v, std::size_t size, Each each,
                             Single single) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto half = hn::Set(d, 0.5 * priors.variance), most = hn::Set(d, kLargestExponent), least = hn::Set(d, 1e-290);
  const auto same = hn::Set(d, priors.p[0]);
  const Of of;
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    const auto vi = hn::LoadU(d, v + i), h = hn::Mul(hn::Mul(half, vi), vi);
    const auto p = priors.alike ? same : hn::LoadU(d, priors.p + i);
    const auto plain = hn::And(hn::Le(h, most), hn::Or(hn::Ge(hn::Mul(p, h), least), hn::Eq(vi, hn::Zero(d))));
    if (hn::AllTrue(d, plain)) {
      each(d, i, of(Switches<decltype(d)>(d, p, h), vi, priors.variance));
    } else {
      for (std::size_t j = i; j < i + lanes; ++j) {
        single(j, of.one(priors.p[priors.alike ? 0 : j], 0.5 * priors.variance * v[j] * v[j], v[j], priors.variance));
      }
    }
  }
  for (; i < size; ++i) {
    single(i, of.one(priors.p[priors.alike ? 0 : i], 0.5 * priors.variance * v[i] * v[i], v[i], priors.variance));
  }
}

// Each lane carries its rounding error along (Knuth's two-sum).
template <class Of>
double SumOfSwitches(const SwitchPriors& priors, const double* HWY_RESTRICT v, std::size_t size) {
  const hn::ScalableTag<double> d;
  auto sum = hn::Zero(d), lost = hn::Zero(d);
  double rest = 0, rest_lost = 0;
  const auto add = [](double term, double& to, double& error) {
    const double before = to, after = before + term, part = after - before;
    error += (before - (after - part)) + (term - part);
    to = after;
  };
  OverSwitches<Of>(
      priors, v, size,
      [&](auto, std::size_t, auto term) {
        const auto before = sum, after = hn::Add(before, term), part = hn::Sub(after, before);
        lost = hn::Add(lost, hn::Add(hn::Sub(before, hn::Sub(after, part)), hn::Sub(term, part)));
        sum = after;
      },
      [&](std::size_t, double term) { add(term, rest, rest_lost); });
  HWY_ALIGN double lane[HWY_MAX_BYTES / sizeof(double)];
  hn::Store(sum, d, lane);
  for (std::size_t j = 0; j < hn::Lanes(d); ++j) add(lane[j], rest, rest_lost);
  return rest + (rest_lost + hn::GetLane(hn::SumOfLanes(d, lost)));
}

template <class Of>
void EachSwitch(const SwitchPriors& priors, const double* HWY_RESTRICT v, double* HWY_RESTRICT out, std::size_t size) {
  OverSwitches<Of>(
      priors, v, size, [&](auto d, std::size_t i, auto value) { hn::StoreU(value, d, out + i); },
      [&](std::size_t i, double value) { out[i] = value; });
}

double SumOfValues(const SwitchPriors& priors, const double* v, std::size_t size) {
  return SumOfSwitches<Value>(priors, v, size);
}
double SumOfConjugates(const SwitchPriors& priors, const double* v, std::size_t size) {
  return SumOfSwitches<Conjugate>(priors, v, size);
}
void Means(const SwitchPriors& priors, const double* v, double* out, std::size_t size) {
  EachSwitch<Mean>(priors, v, out, size);
}
void Variances(const SwitchPriors& priors, const double* v, double* out, std::size_t size) {
  EachSwitch<Variance>(priors, v, out, size);
}

}  // namespace medlar::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medlar {

HWY_EXPORT(SumOfValues);
HWY_EXPORT(SumOfConjugates);
HWY_EXPORT(Means);
HWY_EXPORT(Variances);

double sum_of_switch_values(const SwitchPriors& priors, const double* v, std::size_t size) {
  return size == 0 ? 0.0 : HWY_DYNAMIC_DISPATCH(SumOfValues)(priors, v, size);
}
double sum_of_switch_conjugates(const SwitchPriors& priors, const double* v, std::size_t size) {
  return size == 0 ? 0.0 : HWY_DYNAMIC_DISPATCH(SumOfConjugates)(priors, v, size);
}
void switch_means(const SwitchPriors& priors, const double* v, double* out, std::size_t size) {
  if (size > 0) HWY_DYNAMIC_DISPATCH(Means)(priors, v, out, size);
}
void switch_variances(const SwitchPriors& priors, const double* v, double* out, std::size_t size) {
  if (size > 0) HWY_DYNAMIC_DISPATCH(Variances)(priors, v, out, size);
}

}  // namespace medlar
#endif

// A step of SMO is one pass over the working set: it moves the scores and finds the next pair together, because a
// second pass would double the time. Of equal candidates the first wins, whatever the width of a vector. This file is
// compiled once per instruction set by foreach_target.
#include "medlar/simd/pair_loops.hpp"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "medlar/simd/pair_loops.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace medlar::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr double kNothing = -std::numeric_limits<double>::infinity();

template <class D>
hn::Vec<D> Promoted(D d, const float* from) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), from));
}

// The largest value so far in each lane, and its index.
template <class D>
struct Largest {
  explicit Largest(D d) : value(hn::Set(d, kNothing)), at(hn::Zero(d)) {}
  void consider(hn::Vec<D> candidate, hn::Vec<D> index) {
    const auto better = hn::Gt(candidate, value);
    value = hn::IfThenElse(better, candidate, value);
    at = hn::IfThenElse(better, index, at);
  }
  // Of equal values the first one wins.
  void reduce(D d, double& best, double& index) const {
    HWY_ALIGN double values[HWY_MAX_BYTES / sizeof(double)], places[HWY_MAX_BYTES / sizeof(double)];
    hn::Store(value, d, values);
    hn::Store(at, d, places);
    best = kNothing, index = 0;
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
      if (values[lane] > best || (values[lane] == best && places[lane] < index)) {
        best = values[lane], index = places[lane];
      }
    }
  }
  hn::Vec<D> value, at;
};

Extremes MovePair(double* HWY_RESTRICT f, const float* a, const float* b, double step, const double* HWY_RESTRICT up,
                  const double* HWY_RESTRICT down, std::size_t size) {
  const hn::CappedTag<double, kPairPad> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto s = hn::Set(d, step), stride = hn::Set(d, static_cast<double>(lanes));
  Largest high(d);
  auto low = hn::Neg(high.value), index = hn::Iota(d, 0.0);
  for (std::size_t j = 0; j < size; j += lanes) {
    const auto now = hn::MulAdd(s, hn::Sub(Promoted(d, a + j), Promoted(d, b + j)), hn::LoadU(d, f + j));
    hn::StoreU(now, d, f + j);
    high.consider(hn::Sub(hn::LoadU(d, up + j), now), index);
    low = hn::Min(low, hn::Sub(hn::LoadU(d, down + j), now));
    index = hn::Add(index, stride);
  }
  Extremes found{};
  double at;
  high.reduce(d, found.highest, at);
  found.index = static_cast<std::size_t>(at);
  found.lowest = hn::GetLane(hn::MinOfLanes(d, low));
  return found;
}

std::size_t BestPartner(const double* HWY_RESTRICT f, const double* HWY_RESTRICT down, const double* HWY_RESTRICT own,
                        const float* HWY_RESTRICT a, double slope_i, double own_i, double scale, double least,
                        std::size_t size) {
  const hn::CappedTag<double, kPairPad> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto slope = hn::Set(d, slope_i), mine = hn::Set(d, own_i), twice = hn::Set(d, 2 * scale);
  const auto floor = hn::Set(d, least), stride = hn::Set(d, static_cast<double>(lanes));
  Largest gain(d);
  auto index = hn::Iota(d, 0.0);
  for (std::size_t j = 0; j < size; j += lanes) {
    const auto excess = hn::Sub(slope, hn::Sub(hn::LoadU(d, down + j), hn::LoadU(d, f + j)));
    const auto sum = hn::Add(mine, hn::LoadU(d, own + j));
    const auto curvature = hn::Max(floor, hn::NegMulAdd(twice, Promoted(d, a + j), sum));
    const auto candidate = hn::Div(hn::Mul(excess, excess), curvature);
    gain.consider(hn::IfThenElse(hn::Gt(excess, hn::Zero(d)), candidate, hn::Set(d, kNothing)), index);
    index = hn::Add(index, stride);
  }
  double best, at;
  gain.reduce(d, best, at);
  return best > 0 ? static_cast<std::size_t>(at) : size;
}

BestSingle MoveSingle(double* HWY_RESTRICT f, const float* HWY_RESTRICT a, double step, double shift,
                      const double* HWY_RESTRICT up, const double* HWY_RESTRICT down,
                      const double* HWY_RESTRICT inverse_own, std::size_t size) {
  const hn::CappedTag<double, kPairPad> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto s = hn::Set(d, step), add = hn::Set(d, shift), stride = hn::Set(d, static_cast<double>(lanes));
  Largest gain(d);
  auto index = hn::Iota(d, 0.0), steepest = hn::Zero(d);
  for (std::size_t j = 0; j < size; j += lanes) {
    const auto now = hn::MulAdd(s, Promoted(d, a + j), hn::Add(add, hn::LoadU(d, f + j)));
    hn::StoreU(now, d, f + j);
    const auto rise = hn::Max(hn::Zero(d), hn::Sub(hn::LoadU(d, up + j), now));
    const auto fall = hn::Max(hn::Zero(d), hn::Sub(now, hn::LoadU(d, down + j)));
    const auto slope = hn::Max(rise, fall);
    steepest = hn::Max(steepest, slope);
    gain.consider(hn::Mul(hn::Mul(slope, slope), hn::LoadU(d, inverse_own + j)), index);
    index = hn::Add(index, stride);
  }
  double best, at;
  gain.reduce(d, best, at);
  const auto j = static_cast<std::size_t>(at);
  const double rise = up[j] - f[j], fall = down[j] - f[j];
  return {rise > 0 ? rise : fall < 0 ? fall : 0.0, j, hn::GetLane(hn::MaxOfLanes(d, steepest))};
}

}  // namespace medlar::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medlar {

HWY_EXPORT(MovePair);
HWY_EXPORT(BestPartner);
HWY_EXPORT(MoveSingle);

Extremes move_pair(double* f, const float* a, const float* b, double step, const double* up, const double* down,
                   std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(MovePair)(f, a, b, step, up, down, size);
}
std::size_t best_partner(const double* f, const double* down, const double* own, const float* a, double slope_i,
                         double own_i, double scale, double least, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(BestPartner)(f, down, own, a, slope_i, own_i, scale, least, size);
}
BestSingle move_single(double* f, const float* a, double step, double shift, const double* up, const double* down,
                       const double* inverse_own, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(MoveSingle)(f, a, step, shift, up, down, inverse_own, size);
}

}  // namespace medlar
#endif

// The exponent of a switch is clamped to +-80, so that e^x stays finite in single precision. The last entries of a row
// need care: a masked load may read beyond the end, and a value beyond it must not enter the sum. This file is compiled
// once per instruction set by foreach_target.
#include "medlar/simd/sweep_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "medlar/simd/sweep_loops.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace medlar::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Loads the last few entries, fewer than a vector holds, padded with 0. On processors without masks a masked load would
// read beyond the end.
template <class D>
hn::Vec<D> load(D d, const float* from, std::size_t count) {
  HWY_ALIGN float part[HWY_MAX_BYTES / sizeof(float)] = {};
  for (std::size_t j = 0; j < count; ++j) part[j] = from[j];
  return hn::Load(d, part);
}

float Dot(const float* HWY_RESTRICT x, const float* HWY_RESTRICT w, std::size_t size) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  auto a = hn::Zero(d), b = hn::Zero(d), c = hn::Zero(d), e = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 4 * lanes <= size; i += 4 * lanes) {
    a = hn::MulAdd(hn::LoadU(d, x + i), hn::LoadU(d, w + i), a);
    b = hn::MulAdd(hn::LoadU(d, x + i + lanes), hn::LoadU(d, w + i + lanes), b);
    c = hn::MulAdd(hn::LoadU(d, x + i + 2 * lanes), hn::LoadU(d, w + i + 2 * lanes), c);
    e = hn::MulAdd(hn::LoadU(d, x + i + 3 * lanes), hn::LoadU(d, w + i + 3 * lanes), e);
  }
  for (; i + lanes <= size; i += lanes) a = hn::MulAdd(hn::LoadU(d, x + i), hn::LoadU(d, w + i), a);
  if (i < size) b = hn::MulAdd(load(d, x + i, size - i), load(d, w + i, size - i), b);
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e))));
}

void AddScaled(const float* HWY_RESTRICT x, float scale, float* HWY_RESTRICT w, std::size_t size) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto s = hn::Set(d, scale);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    hn::StoreU(hn::MulAdd(hn::LoadU(d, x + i), s, hn::LoadU(d, w + i)), d, w + i);
  }
  for (; i < size; ++i) w[i] += scale * x[i];
}

LocalCurvature ScoreAndCurvature(const float* HWY_RESTRICT x, const float* HWY_RESTRICT w,
                                 const float* HWY_RESTRICT curvature, std::size_t size) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  auto f0 = hn::Zero(d), f1 = hn::Zero(d), q0 = hn::Zero(d), q1 = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 2 * lanes <= size; i += 2 * lanes) {
    const auto x0 = hn::LoadU(d, x + i), x1 = hn::LoadU(d, x + i + lanes);
    f0 = hn::MulAdd(x0, hn::LoadU(d, w + i), f0);
    f1 = hn::MulAdd(x1, hn::LoadU(d, w + i + lanes), f1);
    q0 = hn::MulAdd(hn::Mul(x0, x0), hn::LoadU(d, curvature + i), q0);
    q1 = hn::MulAdd(hn::Mul(x1, x1), hn::LoadU(d, curvature + i + lanes), q1);
  }
  for (; i < size; i += lanes) {
    const std::size_t rest = size - i;
    const auto x0 = rest >= lanes ? hn::LoadU(d, x + i) : load(d, x + i, rest);
    const auto w0 = rest >= lanes ? hn::LoadU(d, w + i) : load(d, w + i, rest);
    const auto d0 = rest >= lanes ? hn::LoadU(d, curvature + i) : load(d, curvature + i, rest);
    f0 = hn::MulAdd(x0, w0, f0);
    q0 = hn::MulAdd(hn::Mul(x0, x0), d0, q0);
  }
  return {hn::GetLane(hn::SumOfLanes(d, hn::Add(f0, f1))), hn::GetLane(hn::SumOfLanes(d, hn::Add(q0, q1)))};
}

float MoveSwitches(const SlabFloats& slab, const float* HWY_RESTRICT x, float scale, float* HWY_RESTRICT v,
                   float* HWY_RESTRICT w, float* HWY_RESTRICT curvature, std::size_t size) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto s = hn::Set(d, scale), variance = hn::Set(d, slab.variance), half = hn::Set(d, 0.5f),
             one = hn::Set(d, 1.0f), limit = hn::Set(d, 80.0f), floor = hn::Set(d, -80.0f);
  auto score = hn::Zero(d);
  for (std::size_t i = 0; i < size; i += lanes) {
    const std::size_t rest = size - i;
    const bool whole = rest >= lanes;
    const auto xi = whole ? hn::LoadU(d, x + i) : load(d, x + i, rest);
    const auto vi = hn::MulAdd(xi, s, whole ? hn::LoadU(d, v + i) : load(d, v + i, rest));
    const auto logit =
        slab.same ? hn::Set(d, slab.logit[0]) : (whole ? hn::LoadU(d, slab.logit + i) : load(d, slab.logit + i, rest));
    const auto slope = hn::Mul(variance, vi);                    // v V
    const auto h = hn::MulAdd(hn::Mul(half, slope), vi, logit);  // v V^2 / 2 + logit p
    const auto off = hn::Exp(d, hn::Max(floor, hn::Min(hn::Neg(h), limit)));
    const auto p = hn::Div(one, hn::Add(one, off));
    const auto wi = hn::Mul(p, slope);
    const auto di = hn::MulAdd(hn::Mul(hn::Sub(slope, wi), wi), one, hn::Mul(variance, p));  // vP + P(1-P) v^2 V^2
    score = hn::MulAdd(xi, wi, score);
    if (whole) {
      hn::StoreU(vi, d, v + i);
      hn::StoreU(wi, d, w + i);
      hn::StoreU(di, d, curvature + i);
    } else {
      const auto mask = hn::FirstN(d, rest);
      hn::BlendedStore(vi, mask, d, v + i);
      hn::BlendedStore(wi, mask, d, w + i);
      hn::BlendedStore(di, mask, d, curvature + i);
    }
  }
  return hn::GetLane(hn::SumOfLanes(d, score));
}

const char* Target() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace medlar::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medlar {

HWY_EXPORT(Dot);
HWY_EXPORT(AddScaled);
HWY_EXPORT(ScoreAndCurvature);
HWY_EXPORT(MoveSwitches);
HWY_EXPORT(Target);

float dot_floats(const float* x, const float* w, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(Dot)(x, w, size);
}
void add_scaled_floats(const float* x, float scale, float* w, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(AddScaled)(x, scale, w, size);
}
LocalCurvature score_and_curvature(const float* x, const float* w, const float* d, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(ScoreAndCurvature)(x, w, d, size);
}
float move_switches(const SlabFloats& slab, const float* x, float scale, float* v, float* w, float* d,
                    std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(MoveSwitches)(slab, x, scale, v, w, d, size);
}
const char* kernel_target() {
  return HWY_DYNAMIC_DISPATCH(Target)();
}

}  // namespace medlar
#endif

// See the header. This file is compiled once per instruction set by foreach_target.
#include "medlar/simd/row_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "medlar/simd/row_loops.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace medlar::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
hn::Vec<D> Widened(D d, const double* from) {
  return hn::LoadU(d, from);
}
template <class D>
hn::Vec<D> Widened(D d, const float* from) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), from));
}

template <class X>
double DotOf(const X* HWY_RESTRICT x, const double* HWY_RESTRICT w, std::size_t size) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  auto a = hn::Zero(d), b = hn::Zero(d), c = hn::Zero(d), e = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 4 * lanes <= size; i += 4 * lanes) {
    a = hn::MulAdd(Widened(d, x + i), hn::LoadU(d, w + i), a);
    b = hn::MulAdd(Widened(d, x + i + lanes), hn::LoadU(d, w + i + lanes), b);
    c = hn::MulAdd(Widened(d, x + i + 2 * lanes), hn::LoadU(d, w + i + 2 * lanes), c);
    e = hn::MulAdd(Widened(d, x + i + 3 * lanes), hn::LoadU(d, w + i + 3 * lanes), e);
  }
  for (; i + lanes <= size; i += lanes) a = hn::MulAdd(Widened(d, x + i), hn::LoadU(d, w + i), a);
  double sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e))));
  for (; i < size; ++i) sum += static_cast<double>(x[i]) * w[i];
  return sum;
}

template <class X>
void AddScaledOf(const X* HWY_RESTRICT x, double scale, double* HWY_RESTRICT v, std::size_t size) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto s = hn::Set(d, scale);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    hn::StoreU(hn::MulAdd(Widened(d, x + i), s, hn::LoadU(d, v + i)), d, v + i);
  }
  for (; i < size; ++i) v[i] += scale * static_cast<double>(x[i]);
}

template <class X>
void AddCompensatedOf(const X* HWY_RESTRICT x, double scale, double* HWY_RESTRICT v, double* HWY_RESTRICT lost,
                      std::size_t size) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto s = hn::Set(d, scale);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    const auto term = hn::Mul(Widened(d, x + i), s), before = hn::LoadU(d, v + i);
    const auto sum = hn::Add(before, term), part = hn::Sub(sum, before);
    const auto error = hn::Add(hn::Sub(before, hn::Sub(sum, part)), hn::Sub(term, part));
    hn::StoreU(sum, d, v + i);
    hn::StoreU(hn::Add(hn::LoadU(d, lost + i), error), d, lost + i);
  }
  for (; i < size; ++i) {
    const double term = scale * static_cast<double>(x[i]), before = v[i], sum = before + term, part = sum - before;
    lost[i] += (before - (sum - part)) + (term - part);
    v[i] = sum;
  }
}

inline void StoreFrom(hn::Vec<hn::ScalableTag<double>> from, const float* scale, float* to) {
  const hn::Rebind<float, hn::ScalableTag<double>> f;
  hn::StoreU(hn::Mul(hn::DemoteTo(f, from), hn::LoadU(f, scale)), f, to);
}
inline void StoreFrom(hn::Vec<hn::ScalableTag<double>> from, const double* scale, double* to) {
  const hn::ScalableTag<double> d;
  hn::StoreU(hn::Mul(from, hn::LoadU(d, scale)), d, to);
}

template <class Real>
void GatherDoublesOf(const double* HWY_RESTRICT x, const Index* HWY_RESTRICT at, const Real* HWY_RESTRICT scale,
                     Real* HWY_RESTRICT to, std::size_t size) {
  const hn::ScalableTag<double> d;
  const hn::RebindToSigned<decltype(d)> places;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
  for (; j + lanes <= size; j += lanes) {
    StoreFrom(hn::GatherIndex(d, x, hn::LoadU(places, at + j)), scale + j, to + j);
  }
  for (; j < size; ++j) to[j] = static_cast<Real>(x[at[j]]) * scale[j];
}

void GatherDoublesToFloats(const double* x, const Index* at, const float* scale, float* to, std::size_t size) {
  GatherDoublesOf(x, at, scale, to, size);
}
void GatherDoublesToDoubles(const double* x, const Index* at, const double* scale, double* to, std::size_t size) {
  GatherDoublesOf(x, at, scale, to, size);
}

double DotDoubles(const double* x, const double* w, std::size_t size) {
  return DotOf(x, w, size);
}
double DotFloats(const float* x, const double* w, std::size_t size) {
  return DotOf(x, w, size);
}
void AddDoubles(const double* x, double scale, double* v, std::size_t size) {
  AddScaledOf(x, scale, v, size);
}
void AddFloats(const float* x, double scale, double* v, std::size_t size) {
  AddScaledOf(x, scale, v, size);
}
void CompensateDoubles(const double* x, double scale, double* v, double* lost, std::size_t size) {
  AddCompensatedOf(x, scale, v, lost, size);
}
void CompensateFloats(const float* x, double scale, double* v, double* lost, std::size_t size) {
  AddCompensatedOf(x, scale, v, lost, size);
}

}  // namespace medlar::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medlar {

HWY_EXPORT(DotDoubles);
HWY_EXPORT(DotFloats);
HWY_EXPORT(AddDoubles);
HWY_EXPORT(AddFloats);
HWY_EXPORT(CompensateDoubles);
HWY_EXPORT(CompensateFloats);
HWY_EXPORT(GatherDoublesToFloats);
HWY_EXPORT(GatherDoublesToDoubles);

double dot_dense(const double* x, const double* w, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(DotDoubles)(x, w, size);
}
double dot_dense(const float* x, const double* w, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(DotFloats)(x, w, size);
}
void add_scaled_dense(const double* x, double scale, double* v, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(AddDoubles)(x, scale, v, size);
}
void add_scaled_dense(const float* x, double scale, double* v, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(AddFloats)(x, scale, v, size);
}
void add_compensated_dense(const double* x, double scale, double* v, double* lost, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(CompensateDoubles)(x, scale, v, lost, size);
}
void add_compensated_dense(const float* x, double scale, double* v, double* lost, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(CompensateFloats)(x, scale, v, lost, size);
}
void gather_scaled(const double* x, const Index* at, const float* scale, float* to, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(GatherDoublesToFloats)(x, at, scale, to, size);
}
void gather_scaled(const double* x, const Index* at, const double* scale, double* to, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(GatherDoublesToDoubles)(x, at, scale, to, size);
}
void gather_scaled(const float* x, const Index* at, const float* scale, float* to, std::size_t size) {
  for (std::size_t j = 0; j < size; ++j) to[j] = x[at[j]] * scale[j];
}
void gather_scaled(const float* x, const Index* at, const double* scale, double* to, std::size_t size) {
  for (std::size_t j = 0; j < size; ++j) to[j] = static_cast<double>(x[at[j]]) * scale[j];
}

}  // namespace medlar
#endif

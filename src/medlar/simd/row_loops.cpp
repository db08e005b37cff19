// Four chains of sums hide the latency of an addition. Rows that are handled together share what they read. This file
// is compiled once per instruction set by foreach_target.
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

// The sum of x_i w_i, or of x_i (x_i w_i).
template <bool kSquares, class X>
double DotOf(const X* HWY_RESTRICT x, const double* HWY_RESTRICT w, std::size_t size) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto add = [&](std::size_t i, auto sum) HWY_ATTR {
    const auto xi = Widened(d, x + i), wi = hn::LoadU(d, w + i);
    return hn::MulAdd(xi, kSquares ? hn::Mul(xi, wi) : wi, sum);
  };
  auto a = hn::Zero(d), b = hn::Zero(d), c = hn::Zero(d), e = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 4 * lanes <= size; i += 4 * lanes) {
    a = add(i, a);
    b = add(i + lanes, b);
    c = add(i + 2 * lanes, c);
    e = add(i + 3 * lanes, e);
  }
  for (; i + lanes <= size; i += lanes) a = add(i, a);
  double sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e))));
  for (; i < size; ++i) {
    const auto xi = static_cast<double>(x[i]);
    sum += xi * (kSquares ? xi * w[i] : w[i]);
  }
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

// Starts at i, goes as far as whole vectors fit, and returns where it stopped.
template <class D, class X>
HWY_INLINE std::size_t CompensateFrom(D d, std::size_t i, const RowsTogether<X>& rows, double* HWY_RESTRICT v,
                                      double* HWY_RESTRICT lost, std::size_t size) {
  const std::size_t lanes = hn::Lanes(d);
  for (; i + lanes <= size; i += lanes) {
    auto sum = hn::LoadU(d, v + i), error = hn::LoadU(d, lost + i);
    for (std::size_t r = 0; r < rows.count; ++r) {
      const auto term = hn::Mul(Widened(d, rows.x[r] + i), hn::Set(d, rows.scale[r])), before = sum;
      sum = hn::Add(before, term);
      const auto part = hn::Sub(sum, before);
      error = hn::Add(error, hn::Add(hn::Sub(before, hn::Sub(sum, part)), hn::Sub(term, part)));
    }
    hn::StoreU(sum, d, v + i);
    hn::StoreU(error, d, lost + i);
  }
  return i;
}

// The last columns are done in ever shorter vectors, because each sum has to wait for that of the row before.
template <class X>
void AddCompensatedOf(const RowsTogether<X>& rows, double* HWY_RESTRICT v, double* HWY_RESTRICT lost,
                      std::size_t size) {
  std::size_t i = CompensateFrom(hn::ScalableTag<double>(), 0, rows, v, lost, size);
  i = CompensateFrom(hn::CappedTag<double, 4>(), i, rows, v, lost, size);
  i = CompensateFrom(hn::CappedTag<double, 2>(), i, rows, v, lost, size);
  CompensateFrom(hn::CappedTag<double, 1>(), i, rows, v, lost, size);
}

template <class X>
void AddRowsOf(const RowsTogether<X>& rows, double* HWY_RESTRICT v, std::size_t size) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    auto sum = hn::LoadU(d, v + i);
    for (std::size_t r = 0; r < rows.count; ++r) {
      sum = hn::MulAdd(Widened(d, rows.x[r] + i), hn::Set(d, rows.scale[r]), sum);
    }
    hn::StoreU(sum, d, v + i);
  }
  for (; i < size; ++i) {
    for (std::size_t r = 0; r < rows.count; ++r) v[i] += rows.scale[r] * static_cast<double>(rows.x[r][i]);
  }
}

// Four rows share each vector of w.
template <class X>
void DotRowsOf(const RowsTogether<X>& rows, const double* HWY_RESTRICT w, double* HWY_RESTRICT products,
               std::size_t size) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t r = 0;
  for (; r + 4 <= rows.count; r += 4) {
    const X *const a = rows.x[r], *const b = rows.x[r + 1], *const c = rows.x[r + 2], *const e = rows.x[r + 3];
    auto sa = hn::Zero(d), sb = hn::Zero(d), sc = hn::Zero(d), se = hn::Zero(d);
    std::size_t i = 0;
    for (; i + lanes <= size; i += lanes) {
      const auto wi = hn::LoadU(d, w + i);
      sa = hn::MulAdd(Widened(d, a + i), wi, sa);
      sb = hn::MulAdd(Widened(d, b + i), wi, sb);
      sc = hn::MulAdd(Widened(d, c + i), wi, sc);
      se = hn::MulAdd(Widened(d, e + i), wi, se);
    }
    double* const to = products + r;
    to[0] = hn::GetLane(hn::SumOfLanes(d, sa)), to[1] = hn::GetLane(hn::SumOfLanes(d, sb));
    to[2] = hn::GetLane(hn::SumOfLanes(d, sc)), to[3] = hn::GetLane(hn::SumOfLanes(d, se));
    for (; i < size; ++i) {
      to[0] += static_cast<double>(a[i]) * w[i], to[1] += static_cast<double>(b[i]) * w[i];
      to[2] += static_cast<double>(c[i]) * w[i], to[3] += static_cast<double>(e[i]) * w[i];
    }
  }
  for (; r < rows.count; ++r) products[r] = DotOf<false>(rows.x[r], w, size);
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
  return DotOf<false>(x, w, size);
}
double DotFloats(const float* x, const double* w, std::size_t size) {
  return DotOf<false>(x, w, size);
}
double DotSquaresOfDoubles(const double* x, const double* a, std::size_t size) {
  return DotOf<true>(x, a, size);
}
double DotSquaresOfFloats(const float* x, const double* a, std::size_t size) {
  return DotOf<true>(x, a, size);
}
void AddDoubles(const double* x, double scale, double* v, std::size_t size) {
  AddScaledOf(x, scale, v, size);
}
void AddFloats(const float* x, double scale, double* v, std::size_t size) {
  AddScaledOf(x, scale, v, size);
}
void CompensateDoubles(const RowsTogether<double>& rows, double* v, double* lost, std::size_t size) {
  AddCompensatedOf(rows, v, lost, size);
}
void CompensateFloats(const RowsTogether<float>& rows, double* v, double* lost, std::size_t size) {
  AddCompensatedOf(rows, v, lost, size);
}
void AddRowsOfDoubles(const RowsTogether<double>& rows, double* v, std::size_t size) {
  AddRowsOf(rows, v, size);
}
void AddRowsOfFloats(const RowsTogether<float>& rows, double* v, std::size_t size) {
  AddRowsOf(rows, v, size);
}
void DotRowsOfDoubles(const RowsTogether<double>& rows, const double* w, double* products, std::size_t size) {
  DotRowsOf(rows, w, products, size);
}
void DotRowsOfFloats(const RowsTogether<float>& rows, const double* w, double* products, std::size_t size) {
  DotRowsOf(rows, w, products, size);
}

}  // namespace medlar::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medlar {

HWY_EXPORT(DotDoubles);
HWY_EXPORT(DotFloats);
HWY_EXPORT(DotSquaresOfDoubles);
HWY_EXPORT(DotSquaresOfFloats);
HWY_EXPORT(AddDoubles);
HWY_EXPORT(AddFloats);
HWY_EXPORT(CompensateDoubles);
HWY_EXPORT(CompensateFloats);
HWY_EXPORT(AddRowsOfDoubles);
HWY_EXPORT(AddRowsOfFloats);
HWY_EXPORT(DotRowsOfDoubles);
HWY_EXPORT(DotRowsOfFloats);
HWY_EXPORT(GatherDoublesToFloats);
HWY_EXPORT(GatherDoublesToDoubles);

double dot_dense(const double* x, const double* w, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(DotDoubles)(x, w, size);
}
double dot_dense(const float* x, const double* w, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(DotFloats)(x, w, size);
}
double dot_squares_dense(const double* x, const double* a, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(DotSquaresOfDoubles)(x, a, size);
}
double dot_squares_dense(const float* x, const double* a, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(DotSquaresOfFloats)(x, a, size);
}
void add_scaled_dense(const double* x, double scale, double* v, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(AddDoubles)(x, scale, v, size);
}
void add_scaled_dense(const float* x, double scale, double* v, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(AddFloats)(x, scale, v, size);
}
void add_compensated_rows(const RowsTogether<double>& rows, double* v, double* lost, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(CompensateDoubles)(rows, v, lost, size);
}
void add_compensated_rows(const RowsTogether<float>& rows, double* v, double* lost, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(CompensateFloats)(rows, v, lost, size);
}
void add_scaled_rows(const RowsTogether<double>& rows, double* v, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(AddRowsOfDoubles)(rows, v, size);
}
void add_scaled_rows(const RowsTogether<float>& rows, double* v, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(AddRowsOfFloats)(rows, v, size);
}
void dot_rows(const RowsTogether<double>& rows, const double* w, double* products, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(DotRowsOfDoubles)(rows, w, products, size);
}
void dot_rows(const RowsTogether<float>& rows, const double* w, double* products, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(DotRowsOfFloats)(rows, w, products, size);
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

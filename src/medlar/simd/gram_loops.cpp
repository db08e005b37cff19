// Sums of rows are limited by memory, so eight rows share each read and write of the sums. Two chains of additions hide
// their latency. This file is compiled once per instruction set by foreach_target.
#include "medlar/simd/gram_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "medlar/simd/gram_loops.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace medlar::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Applies map(products, others) to each vector. The last few entries go through a padded vector.
template <class Value, class Map>
void MapInto(const Value* HWY_RESTRICT products, const Value* HWY_RESTRICT others, Value* HWY_RESTRICT out,
             std::size_t size, Map map) {
  const hn::ScalableTag<Value> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
  for (; j + lanes <= size; j += lanes) {
    hn::StoreU(map(d, hn::LoadU(d, products + j), hn::LoadU(d, others + j)), d, out + j);
  }
  if (j == size) return;
  HWY_ALIGN Value p[HWY_MAX_BYTES / sizeof(Value)] = {}, o[HWY_MAX_BYTES / sizeof(Value)] = {};
  for (std::size_t rest = j; rest < size; ++rest) p[rest - j] = products[rest], o[rest - j] = others[rest];
  hn::Store(map(d, hn::Load(d, p), hn::Load(d, o)), d, p);
  for (std::size_t rest = j; rest < size; ++rest) out[rest] = p[rest - j];
}

template <class D, class Value>
hn::Vec<D> RbfOf(D d, hn::Vec<D> product, hn::Vec<D> other, Value norm, Value gamma) {
  const auto squares = hn::Add(hn::Set(d, norm), other);
  const auto distance = hn::Max(hn::Zero(d), hn::NegMulAdd(hn::Set(d, Value{2}), product, squares));
  return hn::Exp(d, hn::Mul(hn::Set(d, -gamma), distance));
}

template <class Value>
void Rbf(const Value* products, const Value* norms, Value norm, Value gamma, Value* out, std::size_t size) {
  MapInto(products, norms, out, size,
          [&](auto d, auto product, auto other) HWY_ATTR { return RbfOf(d, product, other, norm, gamma); });
}

void RbfFractions(const float* HWY_RESTRICT products, const float* HWY_RESTRICT norms, float norm, float gamma,
                  Fraction* HWY_RESTRICT out, std::size_t size) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<Fraction, decltype(d)> narrow;
  const std::size_t lanes = hn::Lanes(d);
  const auto fractions = [&](auto product, auto other) HWY_ATTR {
    const auto scaled = hn::Mul(hn::Set(d, kFractions), RbfOf(d, product, other, norm, gamma));
    return hn::DemoteTo(narrow, hn::NearestInt(scaled));
  };
  std::size_t j = 0;
  for (; j + lanes <= size; j += lanes) {
    hn::StoreU(fractions(hn::LoadU(d, products + j), hn::LoadU(d, norms + j)), narrow, out + j);
  }
  if (j == size) return;
  HWY_ALIGN float p[HWY_MAX_BYTES / sizeof(float)] = {}, o[HWY_MAX_BYTES / sizeof(float)] = {};
  HWY_ALIGN Fraction last[HWY_MAX_BYTES / sizeof(float)];
  for (std::size_t rest = j; rest < size; ++rest) p[rest - j] = products[rest], o[rest - j] = norms[rest];
  hn::Store(fractions(hn::Load(d, p), hn::Load(d, o)), narrow, last);
  for (std::size_t rest = j; rest < size; ++rest) out[rest] = last[rest - j];
}

template <class Value>
void Power(const Value* products, Value gamma, Value coef0, int degree, Value* out, std::size_t size) {
  MapInto(products, products, out, size, [&](auto d, auto product, auto) HWY_ATTR {
    auto base = hn::MulAdd(hn::Set(d, gamma), product, hn::Set(d, coef0));
    auto power = hn::Set(d, Value{1});
    for (int rest = degree; rest > 0; rest /= 2) {
      if (rest % 2 == 1) power = hn::Mul(power, base);
      base = hn::Mul(base, base);
    }
    return power;
  });
}

template <class Value>
void HyperbolicTangent(const Value* products, Value gamma, Value coef0, Value* out, std::size_t size) {
  MapInto(products, products, out, size, [&](auto d, auto product, auto) HWY_ATTR {
    return hn::Tanh(d, hn::MulAdd(hn::Set(d, gamma), product, hn::Set(d, coef0)));
  });
}

// Handles a cache line in vectors of at most its size: one of AVX-512, two of AVX2, four of SSE.
template <class Value>
void SparseProductsOf(const Value* HWY_RESTRICT block, const Value* HWY_RESTRICT values,
                      const Column* HWY_RESTRICT columns, const Index* HWY_RESTRICT starts, std::size_t first,
                      std::size_t last, Value* HWY_RESTRICT out, std::size_t stride) {
  constexpr std::size_t kLine = kSparseLanes<Value>;
  const hn::CappedTag<Value, kLine> d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN Value sums[kLine];
  for (std::size_t t = first; t < last; ++t) {
    const auto begin = static_cast<std::size_t>(starts[t]), end = static_cast<std::size_t>(starts[t + 1]);
    for (std::size_t part = 0; part < kLine; part += 2 * lanes) {
      const bool two = part + lanes < kLine;
      auto a = hn::Zero(d), b = hn::Zero(d);
      for (std::size_t e = begin; e < end; ++e) {
        const Value* const line = block + static_cast<std::size_t>(columns[e]) * kLine + part;
        const auto value = hn::Set(d, values[e]);
        a = hn::MulAdd(value, hn::LoadU(d, line), a);
        if (two) b = hn::MulAdd(value, hn::LoadU(d, line + lanes), b);
      }
      hn::StoreU(a, d, sums + part);
      if (two) hn::StoreU(b, d, sums + part + lanes);
    }
    for (std::size_t a = 0; a < kLine; ++a) out[a * stride + t - first] = sums[a];
  }
}

template <class D>
hn::Vec<D> Wide(D d, const double* from) {
  return hn::LoadU(d, from);
}
template <class D>
hn::Vec<D> Wide(D d, const float* from) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), from));
}

// Eight rows at a time, so that the sums are read and written once for all of them.
template <class Value>
void AddRows(const Value* const* rows, const double* weights, std::size_t count, std::size_t first,
             double* HWY_RESTRICT sums, std::size_t size) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t a = 0;
  for (; a + 8 <= count; a += 8) {
    const Value *r0 = rows[a] + first, *r1 = rows[a + 1] + first, *r2 = rows[a + 2] + first, *r3 = rows[a + 3] + first,
                *r4 = rows[a + 4] + first, *r5 = rows[a + 5] + first, *r6 = rows[a + 6] + first,
                *r7 = rows[a + 7] + first;
    const double* const w = weights + a;
    const auto w0 = hn::Set(d, w[0]), w1 = hn::Set(d, w[1]), w2 = hn::Set(d, w[2]), w3 = hn::Set(d, w[3]),
               w4 = hn::Set(d, w[4]), w5 = hn::Set(d, w[5]), w6 = hn::Set(d, w[6]), w7 = hn::Set(d, w[7]);
    std::size_t j = 0;
    for (; j + lanes <= size; j += lanes) {
      auto even = hn::MulAdd(w0, Wide(d, r0 + j), hn::LoadU(d, sums + j)), odd = hn::Mul(w1, Wide(d, r1 + j));
      even = hn::MulAdd(w2, Wide(d, r2 + j), even), odd = hn::MulAdd(w3, Wide(d, r3 + j), odd);
      even = hn::MulAdd(w4, Wide(d, r4 + j), even), odd = hn::MulAdd(w5, Wide(d, r5 + j), odd);
      even = hn::MulAdd(w6, Wide(d, r6 + j), even), odd = hn::MulAdd(w7, Wide(d, r7 + j), odd);
      hn::StoreU(hn::Add(even, odd), d, sums + j);
    }
    for (; j < size; ++j) {
      for (std::size_t e = 0; e < 8; ++e) sums[j] += w[e] * static_cast<double>(rows[a + e][first + j]);
    }
  }
  for (; a < count; ++a) {
    const Value* const row = rows[a] + first;
    const auto w = hn::Set(d, weights[a]);
    std::size_t j = 0;
    for (; j + lanes <= size; j += lanes) {
      hn::StoreU(hn::MulAdd(w, Wide(d, row + j), hn::LoadU(d, sums + j)), d, sums + j);
    }
    for (; j < size; ++j) sums[j] += weights[a] * static_cast<double>(row[j]);
  }
}

// Eight rows at a time. Their sum is in single precision, whose error is far below the step of a fraction; it is then
// added in double.
void AddFractionRows(const Fraction* const* rows, const double* weights, std::size_t count, std::size_t first,
                     double* HWY_RESTRICT sums, std::size_t size) {
  constexpr std::size_t kRows = 8;
  const hn::ScalableTag<double> wide;
  const hn::Rebind<float, decltype(wide)> d;
  const hn::Rebind<Fraction, decltype(wide)> narrow;
  const hn::Rebind<std::int32_t, decltype(wide)> whole;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t a = 0; a < count; a += kRows) {
    const Fraction* row[kRows];
    float weight[kRows];
    for (std::size_t e = 0; e < kRows; ++e) {
      const bool there = a + e < count;
      row[e] = rows[there ? a + e : a] + first;
      weight[e] = there ? static_cast<float>(weights[a + e] / kFractions) : 0.0f;
    }
    const auto value = [&](std::size_t e, std::size_t j)
                           HWY_ATTR { return hn::ConvertTo(d, hn::PromoteTo(whole, hn::LoadU(narrow, row[e] + j))); };
    std::size_t j = 0;
    for (; j + lanes <= size; j += lanes) {
      auto even = hn::Mul(hn::Set(d, weight[0]), value(0, j)), odd = hn::Mul(hn::Set(d, weight[1]), value(1, j));
      for (std::size_t e = 2; e < kRows; e += 2) {
        even = hn::MulAdd(hn::Set(d, weight[e]), value(e, j), even);
        odd = hn::MulAdd(hn::Set(d, weight[e + 1]), value(e + 1, j), odd);
      }
      hn::StoreU(hn::Add(hn::LoadU(wide, sums + j), hn::PromoteTo(wide, hn::Add(even, odd))), wide, sums + j);
    }
    for (; j < size; ++j) {
      float sum = 0;
      for (std::size_t e = 0; e < kRows; ++e) sum += weight[e] * static_cast<float>(row[e][j]);
      sums[j] += static_cast<double>(sum);
    }
  }
}

void RbfFloats(const float* products, const float* norms, float norm, float gamma, float* out, std::size_t size) {
  Rbf(products, norms, norm, gamma, out, size);
}
void RbfDoubles(const double* products, const double* norms, double norm, double gamma, double* out, std::size_t size) {
  Rbf(products, norms, norm, gamma, out, size);
}
void PowerFloats(const float* products, float gamma, float coef0, int degree, float* out, std::size_t size) {
  Power(products, gamma, coef0, degree, out, size);
}
void PowerDoubles(const double* products, double gamma, double coef0, int degree, double* out, std::size_t size) {
  Power(products, gamma, coef0, degree, out, size);
}
void TanhFloats(const float* products, float gamma, float coef0, float* out, std::size_t size) {
  HyperbolicTangent(products, gamma, coef0, out, size);
}
void TanhDoubles(const double* products, double gamma, double coef0, double* out, std::size_t size) {
  HyperbolicTangent(products, gamma, coef0, out, size);
}
void SparseFloats(const float* block, const float* values, const Column* columns, const Index* starts,
                  std::size_t first, std::size_t last, float* out, std::size_t stride) {
  SparseProductsOf(block, values, columns, starts, first, last, out, stride);
}
void SparseDoubles(const double* block, const double* values, const Column* columns, const Index* starts,
                   std::size_t first, std::size_t last, double* out, std::size_t stride) {
  SparseProductsOf(block, values, columns, starts, first, last, out, stride);
}
void AddFloatRows(const float* const* rows, const double* weights, std::size_t count, std::size_t first, double* sums,
                  std::size_t size) {
  AddRows(rows, weights, count, first, sums, size);
}
void AddDoubleRows(const double* const* rows, const double* weights, std::size_t count, std::size_t first, double* sums,
                   std::size_t size) {
  AddRows(rows, weights, count, first, sums, size);
}

}  // namespace medlar::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medlar {

HWY_EXPORT(RbfFloats);
HWY_EXPORT(RbfDoubles);
HWY_EXPORT(RbfFractions);
HWY_EXPORT(PowerFloats);
HWY_EXPORT(PowerDoubles);
HWY_EXPORT(TanhFloats);
HWY_EXPORT(TanhDoubles);
HWY_EXPORT(SparseFloats);
HWY_EXPORT(SparseDoubles);
HWY_EXPORT(AddFloatRows);
HWY_EXPORT(AddDoubleRows);
HWY_EXPORT(AddFractionRows);

void rbf_of_products(const float* products, const float* norms, float norm, float gamma, float* out, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(RbfFloats)(products, norms, norm, gamma, out, size);
}
void rbf_of_products(const double* products, const double* norms, double norm, double gamma, double* out,
                     std::size_t size) {
  HWY_DYNAMIC_DISPATCH(RbfDoubles)(products, norms, norm, gamma, out, size);
}
void rbf_of_products(const float* products, const float* norms, float norm, float gamma, Fraction* out,
                     std::size_t size) {
  HWY_DYNAMIC_DISPATCH(RbfFractions)(products, norms, norm, gamma, out, size);
}
void power_of_products(const float* products, float gamma, float coef0, int degree, float* out, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(PowerFloats)(products, gamma, coef0, degree, out, size);
}
void power_of_products(const double* products, double gamma, double coef0, int degree, double* out, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(PowerDoubles)(products, gamma, coef0, degree, out, size);
}
void tanh_of_products(const float* products, float gamma, float coef0, float* out, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(TanhFloats)(products, gamma, coef0, out, size);
}
void tanh_of_products(const double* products, double gamma, double coef0, double* out, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(TanhDoubles)(products, gamma, coef0, out, size);
}
void sparse_products(const float* block, const float* values, const Column* columns, const Index* starts,
                     std::size_t first, std::size_t last, float* out, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(SparseFloats)(block, values, columns, starts, first, last, out, stride);
}
void sparse_products(const double* block, const double* values, const Column* columns, const Index* starts,
                     std::size_t first, std::size_t last, double* out, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(SparseDoubles)(block, values, columns, starts, first, last, out, stride);
}
void add_weighted_rows(const float* const* rows, const double* weights, std::size_t count, std::size_t first,
                       double* sums, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(AddFloatRows)(rows, weights, count, first, sums, size);
}
void add_weighted_rows(const double* const* rows, const double* weights, std::size_t count, std::size_t first,
                       double* sums, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(AddDoubleRows)(rows, weights, count, first, sums, size);
}
void add_weighted_rows(const Fraction* const* rows, const double* weights, std::size_t count, std::size_t first,
                       double* sums, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(AddFractionRows)(rows, weights, count, first, sums, size);
}

}  // namespace medlar
#endif

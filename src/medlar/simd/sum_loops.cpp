// The two-sum needs IEEE arithmetic: a compiler that reassociates sums would simplify it to nothing
// (cmake/Compiler.cmake). The lanes are added up with the same care as the terms. This file is compiled once per
// instruction set by foreach_target.
#include "medlar/simd/sum_loops.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "medlar/simd/sum_loops.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace medlar::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Two sums take turns, because each addition waits for the one before. term(d, k) is a vector of terms from k on,
// one(k) a single term.
template <class Term, class One>
HWY_INLINE double SumOfTerms(std::size_t size, Term term, One one) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  auto even = hn::Zero(d), odd = even, lost = even, lost_of_odd = even;
  const auto add = [](auto next, auto& sum, auto& error) {
    const auto before = sum;
    sum = hn::Add(before, next);
    const auto part = hn::Sub(sum, before);
    error = hn::Add(error, hn::Add(hn::Sub(before, hn::Sub(sum, part)), hn::Sub(next, part)));
  };
  std::size_t k = 0;
  for (; k + 2 * lanes <= size; k += 2 * lanes) {
    add(term(d, k), even, lost);
    add(term(d, k + lanes), odd, lost_of_odd);
  }
  double total = 0, rest = hn::GetLane(hn::SumOfLanes(d, hn::Add(lost, lost_of_odd)));
  const auto add_one = [&](double next) {
    const double before = total;
    total = before + next;
    const double part = total - before;
    rest += (before - (total - part)) + (next - part);
  };
  HWY_ALIGN double lane[HWY_MAX_BYTES / sizeof(double)];
  hn::Store(even, d, lane);
  for (std::size_t j = 0; j < lanes; ++j) add_one(lane[j]);
  hn::Store(odd, d, lane);
  for (std::size_t j = 0; j < lanes; ++j) add_one(lane[j]);
  for (; k < size; ++k) add_one(one(k));
  return std::isfinite(total) ? total + rest : total;  // an infinite sum has no meaningful remainder
}

double SumOf(const double* HWY_RESTRICT a, std::size_t size) {
  return SumOfTerms(
      size, [&](auto d, std::size_t k) { return hn::LoadU(d, a + k); }, [&](std::size_t k) { return a[k]; });
}

double CompensatedDotOf(double scale, const double* a, const double* b, std::size_t size) {
  return SumOfTerms(
      size,
      [&](auto d, std::size_t k) {
        return hn::Mul(hn::Mul(hn::Set(d, scale), hn::LoadU(d, a + k)), hn::LoadU(d, b + k));
      },
      [&](std::size_t k) { return scale * a[k] * b[k]; });
}

}  // namespace medlar::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medlar {

HWY_EXPORT(SumOf);
HWY_EXPORT(CompensatedDotOf);

double compensated_sum(const double* a, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(SumOf)(a, size);
}
double compensated_dot(double scale, const double* a, const double* b, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(CompensatedDotOf)(scale, a, b, size);
}

}  // namespace medlar
#endif

// Shared by the loops over many numbers. Included after foreach_target, once per instruction set.
#if defined(MEDLAR_SIMD_OVER_NUMBERS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEDLAR_SIMD_OVER_NUMBERS_INL_H_
#undef MEDLAR_SIMD_OVER_NUMBERS_INL_H_
#else
#define MEDLAR_SIMD_OVER_NUMBERS_INL_H_
#endif

#include <cstddef>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace medlar::HWY_NAMESPACE {

// Calls `loop` on whole vectors in place. The last few numbers go through a vector of their own, padded with the last
// one.
template <class Loop>
HWY_INLINE void OverAll(const double* HWY_RESTRICT from, std::size_t size, Loop loop) {
  const hwy::HWY_NAMESPACE::ScalableTag<double> d;
  const std::size_t lanes = hwy::HWY_NAMESPACE::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) loop(d, hwy::HWY_NAMESPACE::LoadU(d, from + i), i, lanes);
  if (i == size) return;
  HWY_ALIGN double rest[HWY_MAX_BYTES / sizeof(double)];
  for (std::size_t j = 0; j < lanes; ++j) rest[j] = from[i + j < size ? i + j : size - 1];
  loop(d, hwy::HWY_NAMESPACE::Load(d, rest), i, size - i);
}

template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE void StoreSome(D d, V value, double* to, std::size_t count) {
  if (count == hwy::HWY_NAMESPACE::Lanes(d)) return hwy::HWY_NAMESPACE::StoreU(value, d, to);
  HWY_ALIGN double all[HWY_MAX_BYTES / sizeof(double)];
  hwy::HWY_NAMESPACE::Store(value, d, all);
  for (std::size_t j = 0; j < count; ++j) to[j] = all[j];
}

}  // namespace medlar::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEDLAR_SIMD_OVER_NUMBERS_INL_H_

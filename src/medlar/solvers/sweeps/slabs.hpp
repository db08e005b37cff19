// The shape of the slabs, which sweeps ask for and do not know: w = A'(V) and d = A''(V) of the features of a row, in
// floats. A partition may name a policy of its own (SlabbedPartition: switches with Gaussian slabs have a SIMD loop);
// any other separable one is asked one feature after the other, in double.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "medlar/core/concepts.hpp"

namespace medlar {

template <SeparablePartition A>
class AnySlabs {
 public:
  explicit AnySlabs(const A& partition) : partition_(partition) {}

  AnySlabs part(std::span<const Index> columns) const {
    AnySlabs some(*this);
    some.place_.emplace();
    for (const Index i : columns) some.place_->push_back(feature(static_cast<std::size_t>(i)));
    return some;
  }

  float move(const Column* columns, const float* x, float scale, float* v, float* w, float* d, std::size_t size) {
    float score = 0;
    for (std::size_t j = 0; j < size; ++j) {
      const Index i = feature(columns == nullptr ? j : static_cast<std::size_t>(columns[j]));
      v[j] += scale * x[j];
      w[j] = static_cast<float>(partition_.mean_at(i, v[j]));
      d[j] = static_cast<float>(partition_.variance_at(i, v[j]));
      score += x[j] * w[j];
    }
    return score;
  }

 private:
  Index feature(std::size_t i) const { return place_ ? (*place_)[i] : static_cast<Index>(i); }

  const A& partition_;
  std::optional<std::vector<Index>> place_;  // of a part: which features they are
};

template <class A>
auto slabs_of(const A& partition) {
  if constexpr (SlabbedPartition<A>) {
    return partition.slabs();
  } else {
    return AnySlabs<A>(partition);
  }
}

template <class A>
using SlabsOf = decltype(slabs_of(std::declval<const A&>()));

}  // namespace medlar

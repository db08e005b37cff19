// Sums that carry their rounding error along, lane by lane (Knuth's two-sum). J and F are sums over as many as 100,000
// features and examples, and the gap is their difference. Vectorised by Highway and chosen at run time.
#pragma once

#include <cstddef>
#include <span>

namespace medlar {

// sum_k a_k
double compensated_sum(const double* a, std::size_t size);
inline double compensated_sum(std::span<const double> a) {
  return compensated_sum(a.data(), a.size());
}
// sum_k (scale a_k) b_k; each product is rounded before it is added
double compensated_dot(double scale, const double* a, const double* b, std::size_t size);

}  // namespace medlar

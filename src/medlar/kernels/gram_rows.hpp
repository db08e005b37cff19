// Rows of a Gram matrix as they are kept (floats, doubles or fractions), and the operations that a solver needs on
// them.
#pragma once

#include <span>
#include <vector>

#include "medlar/simd/gram_loops.hpp"

namespace medlar {

struct GramRows {
  std::vector<const float*> floats;  // at most one of these three is not empty
  std::vector<const double*> doubles;
  std::vector<const Fraction*> fractions;

  std::size_t size() const { return floats.size() + doubles.size() + fractions.size(); }
  void clear() { floats.clear(), doubles.clear(), fractions.clear(); }
  double value(std::size_t a, Index j) const {
    if (!fractions.empty()) return fractions[a][j] / static_cast<double>(kFractions);
    return doubles.empty() ? static_cast<double>(floats[a][j]) : doubles[a][j];
  }

  // out_b = row a at places[b]
  void gather(std::size_t a, std::span<const Index> places, float* out) const {
    const auto copy = [&](const auto* row, float unit) {
      for (std::size_t b = 0; b < places.size(); ++b) out[b] = unit * static_cast<float>(row[places[b]]);
    };
    if (!fractions.empty()) return copy(fractions[a], 1 / kFractions);
    doubles.empty() ? copy(floats[a], 1.0f) : copy(doubles[a], 1.0f);
  }

  // Appends row a of `others`.
  void push_back(const GramRows& others, std::size_t a) {
    if (!others.floats.empty()) floats.push_back(others.floats[a]);
    if (!others.doubles.empty()) doubles.push_back(others.doubles[a]);
    if (!others.fractions.empty()) fractions.push_back(others.fractions[a]);
  }

  // sums_j += sum_a weights_a row_a[first + j]
  void add(const std::vector<double>& weights, std::size_t first, double* sums, std::size_t count) const {
    add_weighted_rows(floats.data(), weights.data(), floats.size(), first, sums, count);
    add_weighted_rows(doubles.data(), weights.data(), doubles.size(), first, sums, count);
    add_weighted_rows(fractions.data(), weights.data(), fractions.size(), first, sums, count);
  }
};

}  // namespace medlar

// Rows of a Gram matrix where they are kept, in single or in double precision: what a solver asks of them.
#pragma once

#include <span>
#include <vector>

#include "medlar/simd/gram_loops.hpp"

namespace medlar {

struct GramRows {
  std::vector<const float*> floats;  // one of the two is empty
  std::vector<const double*> doubles;

  std::size_t size() const { return floats.size() + doubles.size(); }
  void clear() { floats.clear(), doubles.clear(); }
  double value(std::size_t a, Index j) const {
    return doubles.empty() ? static_cast<double>(floats[a][j]) : doubles[a][j];
  }

  // out_b = row a at places[b]
  void gather(std::size_t a, std::span<const Index> places, float* out) const {
    const auto copy = [&](const auto* row) {
      for (std::size_t b = 0; b < places.size(); ++b) out[b] = static_cast<float>(row[places[b]]);
    };
    doubles.empty() ? copy(floats[a]) : copy(doubles[a]);
  }

  // Takes row a of others as its own next one.
  void push_back(const GramRows& others, std::size_t a) {
    if (others.doubles.empty()) {
      floats.push_back(others.floats[a]);
    } else {
      doubles.push_back(others.doubles[a]);
    }
  }

  // sums_j += sum_a weights_a row_a[first + j]
  void add(const std::vector<double>& weights, std::size_t first, double* sums, std::size_t count) const {
    if (doubles.empty()) {
      add_weighted_rows(floats.data(), weights.data(), floats.size(), first, sums, count);
    } else {
      add_weighted_rows(doubles.data(), weights.data(), doubles.size(), first, sums, count);
    }
  }
};

}  // namespace medlar

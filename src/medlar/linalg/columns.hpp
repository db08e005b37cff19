// A sparse matrix seen by columns (CSC), made once from its rows.
#pragma once

#include <span>
#include <vector>

#include "medlar/matrix.hpp"

namespace medlar {

class Columns {
 public:
  explicit Columns(const Matrix& x);
  std::span<const Column> rows(Index i) const { return {rows_.data() + begin(i), size(i)}; }
  std::span<const double> values(Index i) const { return {values_.data() + begin(i), size(i)}; }

 private:
  std::size_t begin(Index i) const { return static_cast<std::size_t>(starts_[static_cast<std::size_t>(i)]); }
  std::size_t size(Index i) const {
    return static_cast<std::size_t>(starts_[static_cast<std::size_t>(i) + 1]) - begin(i);
  }

  std::vector<Index> starts_;
  std::vector<Column> rows_;
  std::vector<double> values_;
};

}  // namespace medlar

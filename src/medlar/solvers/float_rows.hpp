// The rows of the data matrix in single precision, as the sweeps of dual coordinate ascent read them.
#pragma once

#include <vector>

#include "medlar/matrix.hpp"

namespace medlar {

struct FloatRow {
  const float* values;
  const Column* columns;  // null for a dense row
  std::size_t size;
};

class FloatRows {
 public:
  explicit FloatRows(const Matrix& x) : x_(x), values_(static_cast<std::size_t>(x.stored())) {
    std::size_t at = 0;
    for (Index t = 0; t < x.rows(); ++t) {
      for_each(x.row(t), [&](Index, double value) { values_[at++] = static_cast<float>(value); });
    }
  }

  Index rows() const { return x_.rows(); }
  Index columns() const { return x_.columns(); }
  bool sparse() const { return x_.is_sparse(); }

  FloatRow row(std::size_t t) const {
    if (!x_.is_sparse()) {
      const auto n = static_cast<std::size_t>(x_.columns());
      return {values_.data() + t * n, nullptr, n};
    }
    const auto begin = static_cast<std::size_t>(x_.starts()[t]), end = static_cast<std::size_t>(x_.starts()[t + 1]);
    return {values_.data() + begin, x_.column_of().data() + begin, end - begin};
  }

 private:
  const Matrix& x_;
  std::vector<float> values_;
};

}  // namespace medlar

// The rows of the data matrix in single precision, as the sweeps of dual coordinate ascent read them.
#pragma once

#include <algorithm>
#include <type_traits>
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
  explicit FloatRows(const Matrix& x) : x_(x) {
    if (!x.are_floats()) copy_.resize(static_cast<std::size_t>(x.stored()));
    x.values().visit([this](const auto* first) {
      if constexpr (std::is_same_v<decltype(first), const float*>) {
        values_ = first;
      } else {
        std::transform(first, first + copy_.size(), copy_.begin(),
                       [](double value) { return static_cast<float>(value); });
        values_ = copy_.data();
      }
    });
  }
  FloatRows(const FloatRows&) = delete;
  FloatRows& operator=(const FloatRows&) = delete;

  Index rows() const { return x_.rows(); }
  Index columns() const { return x_.columns(); }
  Index stored() const { return x_.stored(); }
  bool sparse() const { return x_.is_sparse(); }

  FloatRow row(std::size_t t) const {
    if (!x_.is_sparse()) {
      const auto n = static_cast<std::size_t>(x_.columns());
      return {values_ + t * n, nullptr, n};
    }
    const auto begin = static_cast<std::size_t>(x_.starts()[t]), end = static_cast<std::size_t>(x_.starts()[t + 1]);
    return {values_ + begin, x_.column_of().data() + begin, end - begin};
  }

 private:
  const Matrix& x_;
  std::vector<float> copy_;  // of a matrix that keeps doubles
  const float* values_ = nullptr;
};

}  // namespace medlar

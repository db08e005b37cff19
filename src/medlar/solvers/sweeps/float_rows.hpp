// The rows of the data matrix in single precision, as the sweeps of dual coordinate ascent read them.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>

#include "medlar/linalg/give_up.hpp"
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
    const auto stored = static_cast<std::size_t>(x.stored());
    if (!x.are_floats()) copy_ = std::make_unique_for_overwrite<float[]>(stored);
    x.values().visit([&](const auto* first) {
      if constexpr (std::is_same_v<decltype(first), const float*>) {
        values_ = first;
      } else {
        for (std::size_t at = 0; at < stored; at += kPiece) {
          const std::size_t end = std::min(at + kPiece, stored);
          for (std::size_t j = at; j < end; ++j) copy_[j] = static_cast<float>(first[j]);
          pause_after(end - at);
        }
        values_ = copy_.get();
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
  static constexpr std::size_t kPiece = std::size_t{1} << 20;

  const Matrix& x_;
  std::unique_ptr<float[]> copy_;  // of a matrix that keeps doubles
  const float* values_ = nullptr;
};

}  // namespace medlar

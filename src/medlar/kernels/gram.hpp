// The Gram matrix of a set of examples, never formed whole: rows over the columns that are still in play, in single or
// in double precision, for a solver to move by, and sums of rows in double over all examples, for what is certified.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "medlar/kernels/kernel.hpp"
#include "medlar/kernels/packed_rows.hpp"
#include "medlar/matrix.hpp"
#include "medlar/simd/gram_loops.hpp"

namespace medlar {

// How rows of the Gram matrix are kept. Fractions, half as long as floats, are for rbf, whose values are from 0 to 1.
enum class GramStorage { floats, doubles, fractions };

// Sums that threads share are taken in so many parts, so that their bits do not depend on how many threads there are.
inline constexpr Index kSumParts = 8;

class Gram {
 public:
  Gram(const Kernel& kernel, const Matrix& x, Index threads, GramStorage storage = GramStorage::floats);

  Index size() const { return x_.rows(); }
  Index threads() const { return threads_; }
  GramStorage storage() const { return storage_; }
  double diagonal(Index t) const { return diagonal_[static_cast<std::size_t>(t)]; }
  // About how wrong a value is even in double, where a distance is the small difference of large squares (rbf).
  double rounding() const;

  // Rows are over these columns from now on; at first over all.
  void set_columns(std::span<const Index> columns);
  Index width() const { return width_; }
  // Products that one value costs, about.
  double work() const { return work_; }

  // out[a] = row batch[a] over the columns, in the precision of the storage
  void rows(std::span<const Index> batch, float* const* out) const;
  void rows(std::span<const Index> batch, double* const* out) const;
  void rows(std::span<const Index> batch, Fraction* const* out) const;

  // scores_t += sum_a weights_a k(x_t, x_{examples[a]}) for every t, in double; several sets of weights, one after the
  // other, make as many sets of scores
  void add_scores(std::span<const Index> examples, std::span<const double> weights, std::span<double> scores) const;

  // scores_j += sum_a weights_a k(column_j, x_{examples[a]}) for the columns of rows, by values in single precision.
  void add_scores_in_play(std::span<const Index> examples, std::span<const double> weights,
                          std::span<double> scores) const {
    add_scores(*floats_, examples, weights, scores);
  }

  // The square block of these examples, row-major, in double.
  std::vector<double> block(std::span<const Index> examples) const;

  // Whether single precision is what was asked for, and bears the kernel.
  bool in_floats() const { return floats_ != nullptr; }
  // Whether its values are from 0 to 1 besides.
  bool has_fractions() const { return in_floats() && kernel_.kind == Kernel::Kind::rbf; }
  // Some examples by themselves, and rows over the first `width` of them, in single precision.
  PackedRows<float> pack(std::span<const Index> examples) const { return {kernel_, x_, examples}; }
  void rows(const PackedRows<float>& packed, std::span<const Index> batch, Index width, float* const* out) const;
  // scores_j += sum_a weights_a k(packed_j, x_{examples[a]}), by values in single precision
  void add_scores(const PackedRows<float>& packed, std::span<const Index> examples, std::span<const double> weights,
                  std::span<double> scores) const;

 private:
  const Kernel kernel_;
  const Matrix& x_;
  Index threads_, width_ = 0;
  double work_;
  GramStorage storage_;
  std::vector<double> diagonal_;
  std::unique_ptr<PackedRows<float>> floats_;
  // doubles_ instead of floats_ where rows are kept so, or floats would lose too much
  std::unique_ptr<PackedRows<double>> doubles_, all_;
};

// scores[t] = sum_a weights_a k(x_t, support_a) for the rows of x, for each set of weights in turn; diagonal[t] =
// k(x_t, x_t) (not for precomputed).
struct KernelScores {
  std::vector<double> scores, diagonal;
};
KernelScores kernel_scores(const Kernel& kernel, const Matrix& support, std::span<const Index> rows,
                           std::span<const double> weights, const Matrix& x, Index threads);

// k(x, x)
double kernel_diagonal(const Kernel& kernel, const RowView& row);

// The least eigenvalue of the block of at most `most` examples (drawn by the seed), and the largest; a negative one
// shows that the kernel is indefinite.
struct Spectrum {
  double least, largest;
  Index examples;
};
Spectrum sampled_spectrum(const Gram& gram, Index most, std::uint64_t seed);

}  // namespace medlar

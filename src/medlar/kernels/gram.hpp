// The Gram matrix of a set of examples, never formed whole. A solver moves by rows over the columns still in play, in
// single or double precision. Certificates use sums of rows in double over all examples.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "medlar/kernels/kernel.hpp"
#include "medlar/kernels/packed_rows.hpp"
#include "medlar/matrix.hpp"
#include "medlar/simd/gram_loops.hpp"

namespace medlar {

// How rows of the Gram matrix are kept. Fractions take half the memory of floats. They are for rbf, whose values lie
// between 0 and 1.
enum class GramStorage { floats, doubles, fractions };

// Sums shared by threads are always taken in this many parts, so that their bits do not depend on the number of
// threads.
inline constexpr Index kSumParts = 8;

class Gram {
 public:
  Gram(const Kernel& kernel, const Matrix& x, Index threads, GramStorage storage = GramStorage::floats);

  Index size() const { return x_.rows(); }
  Index threads() const { return threads_; }
  GramStorage storage() const { return storage_; }
  double diagonal(Index t) const { return diagonal_[static_cast<std::size_t>(t)]; }
  // The approximate error of a value even in double: for rbf, a distance is the small difference of large squares.
  double rounding() const;

  // From now on rows are over these columns; at first they are over all.
  void set_columns(std::span<const Index> columns);
  Index width() const { return width_; }
  // Roughly how many products one value costs.
  double work() const { return work_; }

  // out[a] = row batch[a] over the columns, in the precision of the storage
  void rows(std::span<const Index> batch, float* const* out) const;
  void rows(std::span<const Index> batch, double* const* out) const;
  void rows(std::span<const Index> batch, Fraction* const* out) const;

  // scores_t += sum_a weights_a k(x_t, x_{examples[a]}) for every t, in double. Several sets of weights, one after the
  // other, give as many sets of scores.
  void add_scores(std::span<const Index> examples, std::span<const double> weights, std::span<double> scores) const;

  // scores_j += sum_a weights_a k(column_j, x_{examples[a]}) for the columns of rows, from values in single precision.
  void add_scores_in_play(std::span<const Index> examples, std::span<const double> weights,
                          std::span<double> scores) const {
    add_scores(*floats_, examples, weights, scores);
  }

  // The square block of these examples, row-major, in double.
  std::vector<double> block(std::span<const Index> examples) const;

  // Whether rows are in single precision: it was asked for, and the kernel tolerates it.
  bool in_floats() const { return floats_ != nullptr; }
  // Whether its values can also be kept as fractions, because they lie between 0 and 1.
  bool has_fractions() const { return in_floats() && kernel_.kind == Kernel::Kind::rbf; }
  // Packs some examples by themselves. rows() then gives rows over the first `width` of them, in single precision.
  PackedRows<float> pack(std::span<const Index> examples) const { return {kernel_, x_, examples}; }
  void rows(const PackedRows<float>& packed, std::span<const Index> batch, Index width, float* const* out) const;
  // scores_j += sum_a weights_a k(packed_j, x_{examples[a]}), from values in single precision.
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
  // doubles_ is used instead of floats_ where rows are kept in double, or where floats would lose too much.
  std::unique_ptr<PackedRows<double>> doubles_, all_;
};

// scores[t] = sum_a weights_a k(x_t, support_a) for the rows of x, for each set of weights in turn. diagonal[t] =
// k(x_t, x_t), but is empty for precomputed kernels.
struct KernelScores {
  std::vector<double> scores, diagonal;
};
KernelScores kernel_scores(const Kernel& kernel, const Matrix& support, std::span<const Index> rows,
                           std::span<const double> weights, const Matrix& x, Index threads);

// k(x, x)
double kernel_diagonal(const Kernel& kernel, const RowView& row);

// The smallest and the largest eigenvalue of the block of at most `most` examples, drawn by the seed. A negative one
// shows that the kernel is indefinite.
struct Spectrum {
  double least, largest;
  Index examples;
};
Spectrum sampled_spectrum(const Gram& gram, Index most, std::uint64_t seed);

}  // namespace medlar

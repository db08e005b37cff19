// A tile is read from memory once and used twice, for its own rows and transposed for the columns, while it is in the
// cache. Its products may stay in floats; sums over many tiles cancel, so they are kept in double.
#include "medlar/kernels/gram_triangle.hpp"

#include <Eigen/Dense>
#include <algorithm>

#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/one_blas_thread.hpp"
#include "medlar/linalg/threads.hpp"

namespace medlar {

namespace {

constexpr Index kHigh = 64;    // rows of a strip
constexpr Index kWide = 1024;  // columns of a tile, which is multiplied both ways while it is in the cache

}  // namespace

double GramTriangle::megabytes(Index examples) {
  const auto side = static_cast<double>(examples);
  return 0.5e-6 * sizeof(float) * side * (side + static_cast<double>(kHigh));
}

void GramTriangle::grow(std::span<const Index> examples) {
  const Index before = size();
  examples_.insert(examples_.end(), examples.begin(), examples.end());
  const std::size_t old_strips = strips_.size();
  for (Index first = before; first < size(); first += kHigh) {
    const Index last = std::min(first + kHigh, size());
    strips_.push_back(
        {first, last, std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>((last - first) * last))});
  }
  const PackedRows<float> packed = gram_.pack(examples_);
  for (std::size_t s = old_strips; s < strips_.size(); ++s) {
    Strip& strip = strips_[s];
    const std::span<const Index> batch(examples_.data() + strip.first,
                                       static_cast<std::size_t>(strip.last - strip.first));
    std::vector<float*> rows;
    for (Index a = 0; a < std::ssize(batch); ++a) rows.push_back(strip.values.get() + a * strip.last);
    gram_.rows(packed, batch, strip.last, rows.data());
  }
}

void GramTriangle::add_product(std::span<const double> x, double scale, std::span<double> out) const {
  using Tile =
      Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0, Eigen::OuterStride<>>;
  const Eigen::VectorXf from = (scale * Eigen::Map<const Eigen::VectorXd>(x.data(), size())).cast<float>();
  const OneBlasThread single(gram_.threads());
  // Sums over several tiles are in double, because they cancel.
  std::vector<Eigen::VectorXd> sums(kSumParts, Eigen::VectorXd::Zero(size()));
  side_by_side(gram_.threads(), kSumParts, 1, [&](Index begin, Index end) {
    Eigen::VectorXf part;
    for (Index slot = begin; slot < end; ++slot) {
      Eigen::VectorXd& own = sums[static_cast<std::size_t>(slot)];
      for (Index s = slot; s < std::ssize(strips_); s += kSumParts) {
        const Strip& strip = strips_[static_cast<std::size_t>(s)];
        const Index high = strip.last - strip.first;
        for (Index first = 0; first < strip.last; first += kWide) {
          const Index stop = std::min(first + kWide, strip.last), below = std::min(stop, strip.first);
          const Tile tile(strip.values.get() + first, high, stop - first, Eigen::OuterStride<>(strip.last));
          part.noalias() = tile * from.segment(first, stop - first);
          own.segment(strip.first, high) += part.cast<double>();
          if (below <= first) continue;  // the square at the end of a strip has both its halves
          part.noalias() = tile.leftCols(below - first).transpose() * from.segment(strip.first, high);
          own.segment(first, below - first) += part.cast<double>();
        }
      }
    }
  });
  for (const Eigen::VectorXd& own : sums) Eigen::Map<Eigen::VectorXd>(out.data(), size()) += own;
  pause_after(static_cast<std::size_t>(size()) * static_cast<std::size_t>(size()) / 4);
}

}  // namespace medlar

// Floats halve the memory traffic, which is what an application costs. Long sums of floats would lose too many digits,
// so the small matrix is summed in floats over strips and in doubles between them.
#include "medlar/linalg/systems/low_rank_inverse.hpp"

#include <cmath>

#include "medlar/linalg/give_up.hpp"

namespace medlar {

void LowRankInverse::assemble(std::span<const float> values, Index height, Index rank, std::span<const Index> members,
                              std::span<const double> h, double scale, double sigma2) {
  const auto size = std::ssize(members);
  root_ = Eigen::Map<const Eigen::VectorXd>(h.data(), size).cwiseSqrt().cwiseInverse();
  rows_.resize(size, rank + (sigma2 > 0 ? 1 : 0));
  const Eigen::VectorXf by = (std::sqrt(scale) * root_).cast<float>();
  for (Index j = 0; j < rank; ++j) {
    const float* const column = values.data() + j * height;
    for (Index a = 0; a < size; ++a) rows_(a, j) = by[a] * column[members[static_cast<std::size_t>(a)]];
    pause_after(static_cast<std::size_t>(size));
  }
  if (sigma2 > 0) rows_.col(rank) = (std::sqrt(sigma2) * root_).cast<float>();
  const Index side = rows_.cols();
  Eigen::MatrixXd small = Eigen::MatrixXd::Identity(side, side);
  constexpr Index strip = 2048;  // rows; keeps sums in single precision short
  Eigen::MatrixXf part(side, side);
  for (Index first = 0; first < size; first += strip) {
    const auto rows = rows_.middleRows(first, std::min(strip, size - first));
    part.setZero();
    part.selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose());
    small += part.cast<double>();
    pause();
  }
  factor_.factor(std::move(small));
}

void LowRankInverse::solve(std::span<const double> r, std::span<double> z) const {
  const auto size = std::ssize(r);
  const Eigen::VectorXd scaled = root_.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(r.data(), size));
  const Eigen::VectorXf inner = rows_.transpose() * scaled.cast<float>();
  const Eigen::VectorXf solved = factor_.solve(inner.cast<double>()).cast<float>();
  const Eigen::VectorXf drawn = rows_ * solved;
  Eigen::Map<Eigen::VectorXd>(z.data(), size) = root_.cwiseProduct(scaled - drawn.cast<double>());
}

}  // namespace medlar

// Drawing one pivot at a time would read the whole factor for every column. Pivots are drawn in batches, so that the
// update is a matrix product; the price is that pivots of one batch may be nearly dependent. A dependent pivot would
// divide by rounding, so it is dropped.
#include "medlar/kernels/low_rank.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <random>

#include "medlar/linalg/give_up.hpp"

namespace medlar {

namespace {

using FloatColumns = Eigen::Map<Eigen::MatrixXf>;

constexpr Index kTogether = 48;    // pivots drawn before the diagonal is updated
constexpr double kNothing = 1e-4;  // of the diagonal: below this, single precision cannot tell the rest from 0

// Draws different examples, each with a probability proportional to the rest of its diagonal.
std::vector<Index> draw(std::vector<double> left, Index count, std::mt19937_64& random) {
  std::vector<Index> drawn;
  while (std::ssize(drawn) < count) {
    double total = 0;
    for (const double each : left) total += each;
    if (!(total > 0)) break;
    std::vector<double> marks;
    for (Index a = std::ssize(drawn); a < count; ++a) {
      marks.push_back(total * static_cast<double>(random() >> 11) * 0x1p-53);
    }
    std::sort(marks.begin(), marks.end());
    double sum = 0;
    std::size_t next = 0;
    for (std::size_t t = 0; t < left.size() && next < marks.size(); ++t) {
      sum += left[t];
      if (!(sum > marks[next])) continue;
      if (left[t] > 0) drawn.push_back(static_cast<Index>(t));
      left[t] = 0;
      while (next < marks.size() && sum > marks[next]) ++next;
    }
    if (next < marks.size()) break;
  }
  return drawn;
}

// The Cholesky factor of the rest of K between the pivots, row by row. A pivot without a rest gets an empty column, and
// false in `whole`.
Eigen::MatrixXd factor(const Eigen::MatrixXd& left, const std::vector<double>& diagonal, std::vector<char>& whole) {
  const Eigen::Index size = left.rows();
  Eigen::MatrixXd root = Eigen::MatrixXd::Zero(size, size);
  whole.assign(static_cast<std::size_t>(size), 1);
  for (Eigen::Index j = 0; j < size; ++j) {
    const double rest = left(j, j) - root.row(j).head(j).squaredNorm();
    if (!(rest > kNothing * diagonal[static_cast<std::size_t>(j)])) {
      whole[static_cast<std::size_t>(j)] = 0;
      continue;
    }
    root(j, j) = std::sqrt(rest);
    for (Eigen::Index i = j + 1; i < size; ++i) {
      root(i, j) = (left(i, j) - root.row(i).head(j).dot(root.row(j).head(j))) / root(j, j);
    }
  }
  return root;
}

}  // namespace

LowRank::LowRank(const Gram& gram, Index rank, std::uint64_t seed) : size_(gram.size()) {
  std::mt19937_64 random(seed);
  const auto count = static_cast<std::size_t>(size_);
  std::vector<double> left;
  for (Index t = 0; t < size_; ++t) left.push_back(gram.diagonal(t));
  values_.resize(count * static_cast<std::size_t>(rank));
  while (rank_ < rank) {
    const std::vector<Index> pivots = draw(left, std::min(kTogether, rank - rank_), random);
    if (pivots.empty()) break;
    const auto many = std::ssize(pivots);
    std::vector<float*> rows;
    for (Index a = 0; a < many; ++a) rows.push_back(values_.data() + static_cast<std::size_t>(rank_ + a) * count);
    gram.rows(pivots, rows.data());
    const FloatColumns before(values_.data(), size_, rank_);
    FloatColumns fresh(values_.data() + static_cast<std::size_t>(rank_) * count, size_, many);
    Eigen::MatrixXf at_pivots(many, rank_);
    for (Index a = 0; a < many; ++a) at_pivots.row(a) = before.row(pivots[static_cast<std::size_t>(a)]);
    if (rank_ > 0) {
      constexpr Index strip = 4096;
      for (Index first = 0; first < size_; first += strip) {
        const Index length = std::min(strip, size_ - first);
        fresh.middleRows(first, length).noalias() -= before.middleRows(first, length) * at_pivots.transpose();
        pause();
      }
    }
    Eigen::MatrixXd block(many, many);
    std::vector<double> diagonal;
    for (Index a = 0; a < many; ++a) {
      block.row(a) = fresh.row(pivots[static_cast<std::size_t>(a)]).cast<double>();
      diagonal.push_back(gram.diagonal(pivots[static_cast<std::size_t>(a)]));
    }
    std::vector<char> whole;
    const Eigen::MatrixXd root = factor(block, diagonal, whole);
    // fresh = rest / root^T, column by column, skipping pivots without a rest.
    Index kept = 0;
    std::vector<Index> at;  // where each whole column went
    for (Index j = 0; j < many; ++j) {
      if (!whole[static_cast<std::size_t>(j)]) {
        at.push_back(-1);
        continue;
      }
      Eigen::VectorXf column = fresh.col(j);
      for (Index i = 0; i < j; ++i) {
        const Index place = at[static_cast<std::size_t>(i)];
        if (place >= 0) column -= static_cast<float>(root(j, i)) * fresh.col(place);
      }
      fresh.col(kept) = column / static_cast<float>(root(j, j));
      for (std::size_t t = 0; t < count; ++t) {
        const auto value = static_cast<double>(fresh(static_cast<Index>(t), kept));
        left[t] = std::max(0.0, left[t] - value * value);
      }
      at.push_back(kept++);
      pause_after(count * static_cast<std::size_t>(j + 2));
    }
    for (const Index t : pivots) left[static_cast<std::size_t>(t)] = 0;
    for (std::size_t t = 0; t < count; ++t) {
      if (left[t] < kNothing * gram.diagonal(static_cast<Index>(t))) left[t] = 0;
    }
    rank_ += kept;
  }
  values_.resize(count * static_cast<std::size_t>(rank_));
  for (const double each : left) left_ += each / static_cast<double>(count);
}

void LowRank::add_product(std::span<const double> x, double scale, std::span<double> out) const {
  const Eigen::Map<const Eigen::MatrixXf> columns(values_.data(), size_, rank_);
  const Eigen::Map<const Eigen::VectorXd> wide(x.data(), size_);
  const Eigen::VectorXf inner = columns.transpose() * wide.cast<float>();
  const Eigen::VectorXf product = columns * (static_cast<float>(scale) * inner);
  Eigen::Map<Eigen::VectorXd>(out.data(), size_) += product.cast<double>();
}

}  // namespace medlar

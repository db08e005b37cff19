// Single linkage from the strongest pair down would need all n^2 correlations sorted. Three rounds with falling
// thresholds approximate that order and never store the n x n matrix: each tile of products is used and forgotten.
#include "medlar/linalg/correlated_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace medlar {
namespace {

constexpr Eigen::Index kColumnsAtOnce = 512;

// Disjoint sets of at most `most` members.
class Joined {
 public:
  Joined(Eigen::Index count, Eigen::Index most) : parent_(static_cast<std::size_t>(count)), most_(most) {
    std::iota(parent_.begin(), parent_.end(), Eigen::Index{0});
    size_.assign(parent_.size(), 1);
  }

  Eigen::Index root(Eigen::Index i) {
    while (parent(i) != i) i = parent(i) = parent(parent(i));
    return i;
  }

  void join(Eigen::Index i, Eigen::Index j) {
    Eigen::Index a = root(i), b = root(j);
    if (a == b || size(a) + size(b) > most_) return;
    if (size(a) < size(b)) std::swap(a, b);
    parent(b) = a;
    size(a) += size(b);
  }

 private:
  Eigen::Index& parent(Eigen::Index i) { return parent_[static_cast<std::size_t>(i)]; }
  Eigen::Index& size(Eigen::Index i) { return size_[static_cast<std::size_t>(i)]; }

  std::vector<Eigen::Index> parent_, size_;
  Eigen::Index most_;
};

void join_above(const RowMatrix& z, double level, Joined& joined) {
  const auto T = static_cast<double>(z.rows());
  Eigen::MatrixXd product;
  for (Eigen::Index a = 0; a < z.cols(); a += kColumnsAtOnce) {
    const Eigen::Index wide = std::min(kColumnsAtOnce, z.cols() - a);
    for (Eigen::Index b = a; b < z.cols(); b += kColumnsAtOnce) {
      product.noalias() = z.middleCols(a, wide).transpose() * z.middleCols(b, std::min(kColumnsAtOnce, z.cols() - b));
      for (Eigen::Index j = 0; j < product.cols(); ++j) {
        for (Eigen::Index i = 0; i < product.rows(); ++i) {
          if (std::abs(product(i, j)) >= level * T && a + i < b + j) joined.join(a + i, b + j);
        }
      }
    }
  }
}

}  // namespace

std::vector<std::vector<Eigen::Index>> correlated_blocks(const RowMatrix& z, double least, Eigen::Index most) {
  Joined joined(z.cols(), most);
  for (const double level : {0.7, 0.5, 0.0}) join_above(z, std::max(level, least), joined);
  std::map<Eigen::Index, std::vector<Eigen::Index>> by_root;
  for (Eigen::Index i = 0; i < z.cols(); ++i) by_root[joined.root(i)].push_back(i);
  std::vector<std::vector<Eigen::Index>> blocks;
  for (const auto& [root, members] : by_root) {
    if (blocks.empty() || std::ssize(blocks.back()) + std::ssize(members) > most) blocks.emplace_back();
    blocks.back().insert(blocks.back().end(), members.begin(), members.end());
  }
  for (auto& block : blocks) std::sort(block.begin(), block.end());
  return blocks;
}

}  // namespace medlar

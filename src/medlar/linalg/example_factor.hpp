// Factor of diag(h) + X C X^T + sigma2 1 1^T over chosen examples; the others count by their diagonal.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "medlar/linalg/cholesky.hpp"
#include "medlar/linalg/columns.hpp"
#include "medlar/linalg/newton_system.hpp"

namespace medlar {

class ExampleFactor {
 public:
  explicit ExampleFactor(const Matrix& x) : x_(x) {}
  void assemble(std::span<const double> h, const Curvature& curvature, std::span<const Index> rows);
  void solve(std::span<const double> r, std::span<double> z) const;

 private:
  void add_features(const Curvature& curvature, Eigen::MatrixXd& m);
  void add_sparse_features(const Curvature& curvature, Eigen::MatrixXd& m);
  void add_groups(const Curvature& curvature, Eigen::MatrixXd& m) const;

  const Matrix& x_;
  std::unique_ptr<Columns> columns_;  // sparse only, made at the first assembly
  std::vector<Index> rows_;           // in the factor
  std::vector<Index> place_;          // of each example in rows_, -1 for those left to the diagonal
  std::vector<double> inverse_;       // 1 / diagonal for those
  Cholesky factor_;
};

}  // namespace medlar

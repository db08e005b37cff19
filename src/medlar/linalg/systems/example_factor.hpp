// Factor of diag(h) + X C X^T + sigma2 1 1^T over chosen examples. The other examples count by their diagonal only.
//
// Under a flat bias the sum of the solution is given, so adding a multiple of 1 1^T to the matrix only shifts b. A
// multiple of the size of a row's mean curvature keeps 1 well away from the null space of X. Without it the solution
// would be a difference of two vectors of size 1/h, and gaps below 1e-7 would be out of reach for hinge and svr.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "medlar/linalg/cholesky.hpp"
#include "medlar/linalg/column_sums.hpp"
#include "medlar/linalg/curved_gram.hpp"
#include "medlar/linalg/systems/newton_system.hpp"

namespace medlar {

class ExampleFactor {
 public:
  // With few examples, `kept` keeps X C X^T in floats from one assembly to the next. It follows C up to a share of its
  // trace (leave_out).
  explicit ExampleFactor(const Matrix& x, std::shared_ptr<CurvedGram> kept = nullptr)
      : x_(x), columns_(x), kept_(std::move(kept)) {}
  bool is_rough() const { return kept_ != nullptr; }
  void leave_out(double share) { left_out_ = share; }
  void be_exact() { kept_.reset(); }
  void assemble(std::span<const double> h, const Curvature& curvature, std::span<const Index> rows);
  double solve(std::span<const double> r, double total, std::span<double> z) const;

 private:
  void apply_inverse(std::span<const double> r, std::span<double> z) const;
  void add_features(const Curvature& curvature, Eigen::MatrixXd& m);
  void add_groups(const Curvature& curvature, Eigen::MatrixXd& m) const;

  const Matrix& x_;
  ColumnSums<double> columns_;
  std::shared_ptr<CurvedGram> kept_;
  double left_out_ = 0;
  std::vector<Index> rows_;         // in the factor
  std::vector<Index> place_;        // of each example in rows_, -1 for those left to the diagonal
  std::vector<double> inverse_;     // 1 / diagonal for those
  std::vector<double> along_ones_;  // the inverse applied to 1; empty unless the bias is flat
  double sum_along_ones_ = 0;
  Cholesky factor_;
};

}  // namespace medlar

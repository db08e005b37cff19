// The system of a Newton step over features, for F as a function of w and b. With H = diag(1/h) over the rows that take
// part and D = diag(d),
//
//   (D^-1 + X^T H X) dw + X^T H 1 db = g,     1^T H X dw + (1^T H 1 + 1/sigma2) db = g_b
//
// It is solved for D^-1 dw through I + D^1/2 X^T H X D^1/2, so that no 1/p0 appears. A flat bias has no 1/sigma2.
// Without a bias the second line is missing.
#pragma once

#include <span>
#include <vector>

#include "medlar/linalg/cholesky.hpp"
#include "medlar/matrix.hpp"

namespace medlar {

class FeatureSystem {
 public:
  explicit FeatureSystem(const Matrix& x) : x_(x) {}

  // Sums X^T H X with the lines of the bias, and X^T beta, in one pass. Rows with an infinite h are left out. There is
  // no bias if sigma2 = 0 and it is not flat.
  void assemble(std::span<const double> h, std::span<const double> beta, double sigma2, bool flat);
  // The lower triangle of what was assembled, the bias last.
  const Eigen::MatrixXd& gram() const { return gram_; }
  bool has_bias() const { return has_bias_; }
  // X^T beta in plain sums: accurate enough for a search direction, not for the point itself.
  const std::vector<double>& statistics() const { return statistics_; }
  // X^T H (X dw + db)
  std::vector<double> times(std::span<const double> dw, double db) const;

  void factor(std::span<const double> d);

  struct Step {
    std::vector<double> v;  // D^-1 dw
    double bias = 0;        // db
  };
  Step solve(std::span<const double> g, double g_bias) const;

 private:
  void add_blocks(std::span<const double> h, std::span<const double> beta);
  void add_pairs(std::span<const double> h, std::span<const double> beta);

  const Matrix& x_;
  Eigen::MatrixXd gram_;
  std::vector<double> statistics_, root_d_;
  bool has_bias_ = false;
  Cholesky factor_;
};

}  // namespace medlar

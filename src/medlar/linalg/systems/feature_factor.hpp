// The inverse of diag(h) + B B^T by the small side, N = I + B^T diag(1/h) B. The columns of B are the chosen features
// (x_i sqrt d_i), one column X v_g sqrt kappa_g per group, and sigma 1 for a Gaussian bias. This form contains no 1/p0.
// Features left out of B enlarge h by their diagonal.
//
// A flat bias has a column 1 without its 1 on the diagonal; its unknown is b. If there are tight rows, they may hold
// all that carries this column. It is then anchored instead, as in ExampleFactor.
//
// A row is tight if its h is tiny against its curvature: a support vector between the ends of its domain, late in a
// solve. Tight rows would make N as ill-conditioned as 1/h, so they are kept apart. N is summed over the other rows,
// and the tight ones solve (diag(h) + B_tight N^-1 B_tight^T) z = r_tight - B_tight N^-1 g, where g = B^T diag(1/h) r.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "medlar/linalg/cholesky.hpp"
#include "medlar/linalg/systems/newton_system.hpp"

namespace medlar {

class FeatureFactor {
 public:
  explicit FeatureFactor(const Matrix& x) : x_(x) {}
  void assemble(std::span<const double> h, const Curvature& curvature, std::span<const Index> columns);
  double solve(std::span<const double> r, double total, std::span<double> z) const;

 private:
  double apply_inverse(std::span<const double> r, double total, std::span<double> z) const;
  using Entries = std::vector<std::pair<Eigen::Index, double>>;
  // Row t of B. `along` holds one number per group. The diagonal of the features that are not in B is added to
  // `left_out`.
  void row_of_b(Index t, Entries& entries, std::vector<double>& along, double& left_out) const;
  // Returns the mean curvature of a row.
  double find_tight_rows(std::span<const double> h, const Curvature& curvature);

  const Matrix& x_;
  std::vector<Index> place_;          // of each feature in B, -1 for those left out
  std::vector<double> root_d_;        // sqrt d_i
  std::vector<double> v_root_kappa_;  // v_i sqrt kappa_g; empty without groups
  std::vector<Index> group_of_;
  Eigen::Index first_group_ = 0, bias_ = -1, size_ = 0;
  double sigma_ = 0;  // entry of the bias column
  bool flat_ = false;
  std::vector<double> along_ones_;  // the inverse applied to 1; empty unless a flat bias is anchored
  double sum_along_ones_ = 0;
  std::vector<double> inverse_h_;  // 0 for tight rows
  Cholesky factor_;                // of N
  std::vector<Index> tight_;
  Eigen::MatrixXd b_tight_;  // their rows of B, as columns
  Cholesky tight_factor_;
};

}  // namespace medlar

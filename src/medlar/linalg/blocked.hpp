// The large products and factors of Newton's systems, strip by strip with a pause() in between.
#pragma once

#include <Eigen/Dense>

namespace medlar {

// Adds b b^T to the lower triangle of m.
void add_outer(Eigen::MatrixXd& m, const Eigen::Ref<const Eigen::MatrixXd>& b);

// The Cholesky factor of the lower triangle of m in its place; false if m is not positive definite.
bool factor_in_place(Eigen::MatrixXd& m);

// r becomes L^-1 r, L the lower triangle of l.
void solve_lower(const Eigen::MatrixXd& l, Eigen::MatrixXd& r);

}  // namespace medlar

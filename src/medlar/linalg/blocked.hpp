// The large products and factors of Newton's systems, strip by strip with a pause() in between.
#pragma once

#include <Eigen/Dense>
#include <type_traits>

namespace medlar {

template <class Real>
using Square = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

// Adds sign * b b^T to the lower triangle of m, in double or in float.
template <class Real>
void add_outer(Square<Real>& m, const Eigen::Ref<const Square<std::type_identity_t<Real>>>& b,
               std::type_identity_t<Real> sign = 1);

// The Cholesky factor of the lower triangle of m in its place; false if m is not positive definite.
bool factor_in_place(Eigen::MatrixXd& m);

// r becomes L^-1 r, L the lower triangle of l.
void solve_lower(const Eigen::MatrixXd& l, Eigen::MatrixXd& r);

}  // namespace medlar

// Eigenvalues and eigenvectors of a symmetric matrix: one place, for the solver behind it takes long to compile.
#pragma once

#include <Eigen/Dense>

namespace medlar {

struct SymmetricEigen {
  Eigen::VectorXd values;   // ascending
  Eigen::MatrixXd vectors;  // as columns
};

// Of the lower triangle.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix);

}  // namespace medlar

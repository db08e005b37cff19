// Eigenvalues and eigenvectors of a symmetric matrix. They have a file of their own because Eigen's solver takes long
// to compile.
#pragma once

#include <Eigen/Dense>

namespace medlar {

struct SymmetricEigen {
  Eigen::VectorXd values;   // ascending
  Eigen::MatrixXd vectors;  // as columns
};

// Both read the lower triangle only.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix);

}  // namespace medlar

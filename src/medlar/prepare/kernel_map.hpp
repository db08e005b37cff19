// Feature maps whose inner products approximate a kernel. They are made once from the training data and replayed at
// prediction:
//
//   fourier:D   z_j(x) = sqrt(2/D) cos(w_j.x + phase_j),  w_j ~ N(0, 2 gamma I), phase_j uniform: rbf kernels
//               (Rahimi & Recht, NIPS 2007)
//   nystrom:D   z(x) = U^T (k(x, x_1), ..., k(x, x_D)),  U U^T the inverse of the kernel of D training examples:
//               any kernel (Williams & Seeger, NIPS 2000); z(x).z(y) = k(x, y) wherever x or y is one of the D
//
// So a linear model, switches included, handles many examples at linear cost.
#pragma once

#include <span>

#include "medlar/kernels/kernel.hpp"
#include "medlar/matrix.hpp"
#include "medlar/model.hpp"

namespace medlar {

// fourier and nystrom; the others are no map.
bool is_kernel_map(ExpansionKind expand);

// x is the scaled data. The seed draws the frequencies or examples.
Transform make_kernel_map(const Matrix& x, const ExpansionChoice& expand, const KernelOfMap& kernel,
                          std::uint64_t seed);

// z of each row.
Matrix apply_kernel_map(const Transform& map, const Matrix& x);

}  // namespace medlar

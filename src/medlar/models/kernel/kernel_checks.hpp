// What the fits of kernel models refuse, and the Gram matrix that a user gives.
#pragma once

#include <span>

#include "medlar/dataset.hpp"
#include "medlar/kernels/gram.hpp"
#include "medlar/settings.hpp"

namespace medlar {

// Switches, prior means and groups belong to features, which a kernel does not have. Resolves p0 and, for a precomputed
// kernel, the scale.
void require_kernel_settings(Settings& settings);

// A square matrix that says the same of (t, u) as of (u, t).
void require_gram(const Dataset& data);

// An indefinite kernel has no Gaussian process, and its problem no certificate.
void require_convex(const Kernel& kernel, const Gram& gram, const Settings& settings);

// Rows and columns of these examples.
Matrix selected_gram(const Matrix& x, std::span<const Index> rows);

}  // namespace medlar

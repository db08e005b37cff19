// The part of a model file that only kernel models have, and the kernel that their settings name.
#pragma once

#include <span>

#include "medlar/kernels/gram.hpp"
#include "medlar/kernels/kernel.hpp"
#include "medlar/model.hpp"
#include "medlar/modelfile/json_field.hpp"

namespace medlar {

// Settings must be resolved: gamma given.
Kernel kernel_of(const Settings& settings);
GramStorage gram_storage(const Settings& settings);

// Rows of x that are kept as support vectors, still without weights; none for a precomputed kernel.
KernelPart kept_vectors(const Matrix& x, const Kernel& kernel, std::span<const Index> support);

// Of k(x_t, x_t).
double mean_diagonal(const Gram& gram);

Json kernel_json(const KernelPart& part);

// Checked against the support and the settings of the model.
KernelPart kernel_part_from(const JsonField& field, const Model& model);

}  // namespace medlar

// The part of a model file that only kernel models have, and the kernel that their settings name.
#pragma once

#include "medlar/kernels/kernel.hpp"
#include "medlar/model.hpp"
#include "medlar/model/json_field.hpp"

namespace medlar {

// Settings must be resolved: gamma given.
Kernel kernel_of(const Settings& settings);

Json kernel_json(const KernelPart& part);

// Checked against the support and the settings of the model.
KernelPart kernel_part_from(const JsonField& field, const Model& model);

}  // namespace medlar

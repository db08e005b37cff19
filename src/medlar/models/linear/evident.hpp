// The features that stand out in one fit, by a rule that does not hang on p0: correlated with the target beyond chance,
// and with a coefficient that is large among the others. Inclusion cannot serve: with small p0 all features near the
// transition have the same V, and with p0 = 1 none has any say.
#pragma once

#include <vector>

#include "medlar/model.hpp"
#include "medlar/prepare/prepare.hpp"

namespace medlar {

// `inputs` are the rows that were fitted, as the model's coefficients take them, with weights or none. `targets` holds
// what each output is told of each row. In increasing order.
std::vector<Index> evident_features(const Matrix& inputs, std::span<const double> weights,
                                    const std::vector<std::vector<double>>& targets, const Model& model);

}  // namespace medlar

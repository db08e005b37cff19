// The features that stand out in one fit, by a rule that does not hang on p0: correlated with the target beyond chance,
// and with a coefficient that is large among the others. Inclusion cannot serve: with small p0 all features near the
// transition have the same V, and with p0 = 1 none has any say.
#pragma once

#include <vector>

#include "medlar/model.hpp"
#include "medlar/prepare/prepare.hpp"

namespace medlar {

// What the data alone say of each feature, whatever is fitted.
struct Standing {
  std::vector<bool> beyond_chance;
  std::vector<double> spread;  // sqrt of the weighted squares about the mean
};

// `inputs` are the rows that are fitted, as coefficients take them, with weights or none. `targets` holds what each
// output is told of each row.
Standing standing_of(const Matrix& inputs, std::span<const double> weights,
                     const std::vector<std::vector<double>>& targets, bool numbers);

// In increasing order.
std::vector<Index> evident_features(const Standing& standing, const std::vector<Feature>& features);

}  // namespace medlar

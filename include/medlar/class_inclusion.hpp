// Which features matter for which class.
#pragma once

#include <vector>

#include "medlar/model.hpp"

namespace medlar {

// With a switch per class (switches = per-class): the probability of inclusion of each feature, label by label. Empty
// for every other model.
std::vector<std::vector<double>> inclusion_by_class(const Model& model);

}  // namespace medlar

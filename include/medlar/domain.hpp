// Whether a model can be asked about the values of a dataset.
#pragma once

#include "medlar/model.hpp"

namespace medlar {

// Refuses with DataError, by file, line and column, a value that the family of its column in a generative model cannot
// have: a count below 0, a bit that is 3. Model::predict refuses it too, but knows the row only.
void check_values(const Model& model, const Dataset& data);

}  // namespace medlar

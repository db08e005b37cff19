// Checks whether a model can predict the values of a dataset.
#pragma once

#include "medlar/model.hpp"

namespace medlar {

// Throws DataError, with file, line and column, for a value that the family of its column in a generative model cannot
// have: a count below 0, a bit that is 3. Model::predict also refuses it, but knows only the row.
void check_values(const Model& model, const Dataset& data);

}  // namespace medlar

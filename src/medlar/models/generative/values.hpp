// Checks that values are possible under the family of their column, at training and at prediction.
#pragma once

#include <functional>

#include "medlar/domain.hpp"
#include "medlar/models/generative/generative_columns.hpp"

namespace medlar {

// Throws DataError, with its place, for a value that its family cannot have.
void check_values(const Dataset& data, const Prepared& prepared, const Examples& examples,
                  const std::vector<SourceColumn>& columns);

// The same for rows to be predicted by a generative model, after its transforms. Other models take any value.
void require_values(const Model& model, const Matrix& x);

}  // namespace medlar

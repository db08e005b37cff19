// Whether values are such as the family of their column can have: one check for training and for prediction.
#pragma once

#include <functional>

#include "medlar/domain.hpp"
#include "medlar/models/generative/generative_columns.hpp"

namespace medlar {

// A value that its family cannot have is a DataError with its place.
void check_values(const Dataset& data, const Prepared& prepared, const Examples& examples,
                  const std::vector<SourceColumn>& columns);

// The same of rows that a generative model is asked about, as its transforms leave them. Other models take any value.
void require_values(const Model& model, const Matrix& x);

}  // namespace medlar

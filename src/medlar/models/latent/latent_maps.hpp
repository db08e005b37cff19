// The transformations of a latent model: from the option --latent shifts:R, matrices:FILE or translation:FILE to maps,
// and from the part that the model keeps to the rows that its discriminant sees.
#pragma once

#include <vector>

#include "medlar/models/kinds.hpp"
#include "medlar/models/latent/variables/mean_template.hpp"

namespace medlar {

// What the settings ask for, checked against the features of the data; no template yet.
TransformationPart transformation_of(const Settings& settings, const Dataset& data);

Maps maps_of(const TransformationPart& part, Index features);

// E[phi] under P0(U | x). For a translation, the rows with its directions projected out.
Matrix expected_rows(const TransformationPart& part, const Matrix& x);

// The directions of a translation, one after the other.
std::vector<std::vector<double>> directions_of(const TransformationPart& part, Index features);

}  // namespace medlar

// Some rows of a matrix, as a matrix of its own.
#pragma once

#include <span>

#include "medlar/matrix.hpp"

namespace medlar {

Matrix select_rows(const Matrix& x, std::span<const Index> rows);

}  // namespace medlar

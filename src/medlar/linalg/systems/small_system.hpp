// A symmetric system of a few unknowns that may be singular along some directions, where the step is then 0.
#pragma once

#include <span>
#include <vector>

namespace medlar {

// The matrix row by row; the least solution of matrix x = r.
std::vector<double> solve_semidefinite(std::span<const double> matrix, std::span<const double> r);

}  // namespace medlar

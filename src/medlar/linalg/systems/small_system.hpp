// A symmetric system of a few unknowns that may be singular along some directions; the step along those is 0.
#pragma once

#include <span>
#include <vector>

namespace medlar {

// Takes the matrix row by row, and returns the shortest solution of matrix x = r.
std::vector<double> solve_semidefinite(std::span<const double> matrix, std::span<const double> r);

}  // namespace medlar

// Loops over one dense row of the data matrix, in double: vectorised by Highway, which compiles them for each
// instruction set and picks one at run time. Each function serves rows kept as doubles and rows kept as floats.
#pragma once

#include <cstddef>

#include "medlar/types.hpp"

namespace medlar {

// sum_i x_i w_i
double dot_dense(const double* x, const double* w, std::size_t size);
double dot_dense(const float* x, const double* w, std::size_t size);

// v += scale x
void add_scaled_dense(const double* x, double scale, double* v, std::size_t size);
void add_scaled_dense(const float* x, double scale, double* v, std::size_t size);

// v += scale x, with what each sum loses to rounding added up in `lost` (Knuth's two-sum)
void add_compensated_dense(const double* x, double scale, double* v, double* lost, std::size_t size);
void add_compensated_dense(const float* x, double scale, double* v, double* lost, std::size_t size);

// to_j = scale_j x_{at_j}
void gather_scaled(const double* x, const Index* at, const float* scale, float* to, std::size_t size);
void gather_scaled(const double* x, const Index* at, const double* scale, double* to, std::size_t size);
void gather_scaled(const float* x, const Index* at, const float* scale, float* to, std::size_t size);
void gather_scaled(const float* x, const Index* at, const double* scale, double* to, std::size_t size);

}  // namespace medlar

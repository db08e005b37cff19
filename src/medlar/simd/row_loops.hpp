// Loops over one dense row of the data matrix, or over a few together, in double. Rows may be kept as doubles or
// floats. Highway compiles them for each instruction set and picks one at run time.
#pragma once

#include <cstddef>

#include "medlar/types.hpp"

namespace medlar {

// sum_i x_i w_i
double dot_dense(const double* x, const double* w, std::size_t size);
double dot_dense(const float* x, const double* w, std::size_t size);

// sum_i x_i^2 a_i
double dot_squares_dense(const double* x, const double* a, std::size_t size);
double dot_squares_dense(const float* x, const double* a, std::size_t size);

// v += scale x
void add_scaled_dense(const double* x, double scale, double* v, std::size_t size);
void add_scaled_dense(const float* x, double scale, double* v, std::size_t size);

// Rows that are handled together; what they share is read once for all of them.
inline constexpr std::size_t kRowsTogether = 8;
template <class Value>
struct RowsTogether {
  const Value* x[kRowsTogether];
  double scale[kRowsTogether];
  std::size_t count = 0;
};

// v += sum_r scale_r x_r, row by row. The rounding errors of the sums are added up in `lost` (Knuth's two-sum).
void add_compensated_rows(const RowsTogether<double>& rows, double* v, double* lost, std::size_t size);
void add_compensated_rows(const RowsTogether<float>& rows, double* v, double* lost, std::size_t size);

// v += sum_r scale_r x_r
void add_scaled_rows(const RowsTogether<double>& rows, double* v, std::size_t size);
void add_scaled_rows(const RowsTogether<float>& rows, double* v, std::size_t size);

// products_r = sum_i x_ri w_i
void dot_rows(const RowsTogether<double>& rows, const double* w, double* products, std::size_t size);
void dot_rows(const RowsTogether<float>& rows, const double* w, double* products, std::size_t size);

// to_j = scale_j x_{at_j}
void gather_scaled(const double* x, const Index* at, const float* scale, float* to, std::size_t size);
void gather_scaled(const double* x, const Index* at, const double* scale, double* to, std::size_t size);
void gather_scaled(const float* x, const Index* at, const float* scale, float* to, std::size_t size);
void gather_scaled(const float* x, const Index* at, const double* scale, double* to, std::size_t size);

}  // namespace medlar

// Loops over rows of a Gram matrix: kernels of inner products, inner products of sparse rows, and sums of rows, in
// single and double precision. Highway compiles them for each instruction set and picks one at run time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "medlar/types.hpp"

namespace medlar {

// A number between 0 and 1 in sixteen bits, to half a step of 1 / kFractions.
using Fraction = std::uint16_t;
inline constexpr float kFractions = 65535;

// out_j = exp(-gamma max(0, norm + norms_j - 2 products_j)): squared distances from inner products.
void rbf_of_products(const float* products, const float* norms, float norm, float gamma, float* out, std::size_t size);
void rbf_of_products(const double* products, const double* norms, double norm, double gamma, double* out,
                     std::size_t size);
void rbf_of_products(const float* products, const float* norms, float norm, float gamma, Fraction* out,
                     std::size_t size);

// out_j = (gamma products_j + coef0)^degree
void power_of_products(const float* products, float gamma, float coef0, int degree, float* out, std::size_t size);
void power_of_products(const double* products, double gamma, double coef0, int degree, double* out, std::size_t size);

// out_j = tanh(gamma products_j + coef0)
void tanh_of_products(const float* products, float gamma, float coef0, float* out, std::size_t size);
void tanh_of_products(const double* products, double gamma, double coef0, double* out, std::size_t size);

// How many rows one call of sparse_products multiplies by: 64 bytes, one cache line.
template <class Value>
inline constexpr std::size_t kSparseLanes = 64 / sizeof(Value);

// Multiplies rows `first` to `last` of a sparse matrix by the kSparseLanes rows that stand side by side in `block` (one
// line per column). Results go to out[a * stride + t - first].
void sparse_products(const float* block, const float* values, const Column* columns, const Index* starts,
                     std::size_t first, std::size_t last, float* out, std::size_t stride);
void sparse_products(const double* block, const double* values, const Column* columns, const Index* starts,
                     std::size_t first, std::size_t last, double* out, std::size_t stride);

// sums_j += sum_a weights_a rows_a[first + j]
void add_weighted_rows(const float* const* rows, const double* weights, std::size_t count, std::size_t first,
                       double* sums, std::size_t size);
void add_weighted_rows(const double* const* rows, const double* weights, std::size_t count, std::size_t first,
                       double* sums, std::size_t size);
void add_weighted_rows(const Fraction* const* rows, const double* weights, std::size_t count, std::size_t first,
                       double* sums, std::size_t size);

}  // namespace medlar

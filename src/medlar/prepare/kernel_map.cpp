// A map must be the same on every machine and standard library, so random numbers are made from raw bits here.
// Eigenvalues of a kernel block fall to rounding, and their inverse roots would be noise; they are dropped. A kernel
// that is truly indefinite is refused.
#include "medlar/prepare/kernel_map.hpp"
#include "medlar/options/vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "medlar/data/bytes/memory.hpp"
#include "medlar/error.hpp"
#include "medlar/kernels/packed_rows.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/symmetric_eigen.hpp"

namespace medlar {

namespace {

using DenseRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr Index kMappedRows = 128;  // rows that are mapped at once

Index size_of(const ExpansionChoice& expand) {
  if (expand.argument < 1 || expand.argument > 100000) {
    throw OptionError(fmt::format("expand = {}, but D must be a whole number from 1 to 100000", expand));
  }
  return expand.argument;
}

// Uniform in (0, 1) and normal numbers from raw bits, so that every standard library draws the same ones.
double uniform(std::mt19937_64& random) {
  return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53;
}
double normal(std::mt19937_64& random) {
  const double radius = std::sqrt(-2 * std::log(uniform(random)));
  return radius * std::cos(2 * std::numbers::pi * uniform(random));
}

Kernel kernel_of(const Transform& map) {
  Kernel kernel;
  kernel.kind = map.kernel.kind;
  kernel.gamma = map.kernel.gamma;
  kernel.coef0 = map.kernel.coef0;
  kernel.degree = static_cast<int>(map.kernel.degree);
  if (map.kind == TransformKind::fourier) kernel.kind = Kernel::Kind::linear;  // w_j.x
  return kernel;
}

void draw_frequencies(Transform& map, Index columns, Index size, std::mt19937_64& random) {
  const double sd = std::sqrt(2 * map.kernel.gamma);
  for (Index j = 0; j < size; ++j) {
    for (Index i = 0; i < columns; ++i) map.basis.push_back(sd * normal(random));
    map.phase.push_back(2 * std::numbers::pi * uniform(random));
  }
}

// U = eigenvectors / sqrt(eigenvalues) of the kernel of the drawn examples, without those that are only rounding.
void whiten(Transform& map, Index size) {
  const Matrix basis = Matrix::dense(size, map.inputs, map.basis);
  std::vector<Index> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), Index{0});
  const PackedRows<double> packed(kernel_of(map), basis, all);
  DenseRows block(size, size);
  std::vector<double*> out;
  for (Index a = 0; a < size; ++a) out.push_back(block.data() + a * size);
  packed.evaluate(basis, all, 0, size, out.data());
  const SymmetricEigen eigen = symmetric_eigen(block);
  const double largest = eigen.values.maxCoeff(), least = eigen.values.minCoeff();
  if (!(largest > 0) || least < -1e-7 * largest) {
    throw OptionError(
        fmt::format("expand = nystrom: the kernel {} is indefinite on the drawn examples (least eigenvalue {:.3g}, "
                    "largest {:.3g}); "
                    "use --kernel rbf, or another --gamma and --coef0",
                    map.kernel.kind, least, largest));
  }
  for (Index r = size - 1; r >= 0; --r) {  // the largest first
    const double value = eigen.values[r];
    if (value < 1e-10 * largest) break;
    for (Index j = 0; j < size; ++j) map.whitening.push_back(eigen.vectors(j, r) / std::sqrt(value));
  }
}

}  // namespace

bool is_kernel_map(ExpansionKind expand) {
  return expand == ExpansionKind::fourier || expand == ExpansionKind::nystrom;
}

Transform make_kernel_map(const Matrix& x, const ExpansionChoice& expand, const KernelOfMap& kernel,
                          std::uint64_t seed) {
  Transform map;
  map.kind = expand == ExpansionKind::fourier ? TransformKind::fourier : TransformKind::nystrom;
  map.kernel = kernel;
  map.inputs = x.columns();
  Index size = size_of(expand);
  if (map.kind == TransformKind::nystrom) size = std::min(size, x.rows());
  const double n = static_cast<double>(x.columns()), d = static_cast<double>(size),
               rows = static_cast<double>(x.rows());
  require_memory(sizeof(double) * (d * n + rows * d + (map.kind == TransformKind::nystrom ? 3 * d * d : 0)),
                 fmt::format("expand = {} of {} features and {} examples", expand, x.columns(), x.rows()),
                 "choose a smaller D");
  std::mt19937_64 random(seed);
  if (map.kind == TransformKind::fourier) {
    if (kernel.kind != KernelKind::rbf) {
      throw OptionError(
          fmt::format("expand = {} draws the frequencies of an rbf kernel, but kernel = {}; use nystrom:{}", expand,
                      kernel.kind, size));
    }
    draw_frequencies(map, x.columns(), size, random);
    return map;
  }
  std::vector<Index> order(static_cast<std::size_t>(x.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t t = 0; t < static_cast<std::size_t>(size); ++t) {  // the first of a shuffle
    std::swap(order[t], order[t + random() % (order.size() - t)]);
    std::vector<double> row(static_cast<std::size_t>(x.columns()), 0.0);
    for_each(x.row(order[t]), [&](Index i, double value) { row[static_cast<std::size_t>(i)] = value; });
    map.basis.insert(map.basis.end(), row.begin(), row.end());
  }
  whiten(map, size);
  return map;
}

Matrix apply_kernel_map(const Transform& map, const Matrix& x) {
  if (x.columns() != map.inputs) {
    throw DataError(
        fmt::format("the {} map was made for {} features, but the data has {}", map.kind, map.inputs, x.columns()));
  }
  const Index size = static_cast<Index>(map.basis.size()) / std::max<Index>(map.inputs, 1), outputs = map.outputs();
  const Matrix basis = Matrix::dense(size, map.inputs, map.basis);
  std::vector<Index> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), Index{0});
  const PackedRows<double> packed(kernel_of(map), basis, all);
  std::vector<double> values(static_cast<std::size_t>(x.rows() * outputs));
  DenseRows block(kMappedRows, size);
  for (Index begin = 0; begin < x.rows(); begin += kMappedRows) {
    const Index rows = std::min(kMappedRows, x.rows() - begin);
    std::vector<Index> batch(static_cast<std::size_t>(rows));
    std::iota(batch.begin(), batch.end(), begin);
    std::vector<double*> out;
    for (Index a = 0; a < rows; ++a) out.push_back(block.data() + a * size);
    packed.evaluate(x, batch, 0, size, out.data());
    pause();
    Eigen::Map<DenseRows> target(values.data() + begin * outputs, rows, outputs);
    if (map.kind == TransformKind::fourier) {
      const double height = std::sqrt(2 / static_cast<double>(size));
      for (Index a = 0; a < rows; ++a) {
        for (Index j = 0; j < size; ++j) {
          target(a, j) = height * std::cos(block(a, j) + map.phase[static_cast<std::size_t>(j)]);
        }
      }
    } else {
      const Eigen::Map<const DenseRows> whitening(map.whitening.data(), outputs, size);
      target.noalias() = block.topRows(rows) * whitening.transpose();
    }
  }
  Matrix mapped = Matrix::dense(x.rows(), outputs, std::move(values));
  return x.are_floats() ? mapped.as_floats() : mapped;
}

}  // namespace medlar

// A kernel is an inner product and a cheap function of it. Inner products are computed in chunks that stay in the cache
// until that function has been applied. Sparse rows are multiplied by a whole cache line of other rows at a time, so
// that each stored entry is read once per line.
#include "medlar/kernels/packed_rows.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <type_traits>

#include "medlar/linalg/give_up.hpp"
#include "medlar/simd/gram_loops.hpp"
#include "medlar/thresholds/nearly_full.hpp"

namespace medlar {

namespace {

constexpr Index kChunk = 256;  // columns whose inner products stay in the cache until the kernel is applied

double filled(const Matrix& x) {
  return static_cast<double>(x.stored()) / (static_cast<double>(x.rows()) * static_cast<double>(x.columns()));
}

template <class Value>
void scatter(const RowView& row, Value* out, std::size_t stride) {
  for_each(row, [&](Index i, double value) { out[static_cast<std::size_t>(i) * stride] = static_cast<Value>(value); });
}

bool are_all_in_order(std::span<const Index> rows, const Matrix& x) {
  Index next = 0;
  return std::ssize(rows) == x.rows() && std::all_of(rows.begin(), rows.end(), [&](Index t) { return t == next++; });
}

}  // namespace

double squared_norm(const RowView& row) {
  double sum = 0;
  for_each(row, [&](Index, double value) { sum += value * value; });
  return sum;
}

template <class Value>
PackedRows<Value>::PackedRows(const Kernel& kernel, const Matrix& x, std::span<const Index> rows)
    : kernel_(kernel), rows_(rows.begin(), rows.end()), columns_(x.columns()) {
  if (kernel.kind == Kernel::Kind::precomputed) return;
  const auto n = static_cast<std::size_t>(columns_);
  sparse_ = x.is_sparse() && !is_nearly_full_for_kernels(filled(x));
  if (sparse_) {
    starts_.push_back(0);
    for (const Index t : rows_) {
      for_each(x.row(t), [&](Index i, double value) {
        column_of_.push_back(static_cast<Column>(i));
        kept_.push_back(static_cast<Value>(value));
      });
      starts_.push_back(static_cast<Index>(kept_.size()));
      pause_after(x.row(t).values.size());
    }
  } else {
    const bool as_it_is =
        !x.is_sparse() && x.are_floats() == std::is_same_v<Value, float> && are_all_in_order(rows_, x);
    if (as_it_is) {
      x.values().visit([this](const auto* first) {
        if constexpr (std::is_same_v<decltype(first), const Value*>) values_ = first;
      });
    } else {
      kept_.assign(rows_.size() * n, Value{0});
      for (std::size_t j = 0; j < rows_.size(); ++j) {
        scatter(x.row(rows_[j]), kept_.data() + j * n, 1);
        pause_after(n);
      }
    }
  }
  if (values_ == nullptr) values_ = kept_.data();
  if (kernel.kind == Kernel::Kind::rbf) {
    for (const Index t : rows_) norms_.push_back(static_cast<Value>(squared_norm(x.row(t))));
  }
}

template <class Value>
double PackedRows<Value>::largest_norm() const {
  return norms_.empty() ? 0.0 : static_cast<double>(*std::max_element(norms_.begin(), norms_.end()));
}

template <class Value>
template <class Out>
void PackedRows<Value>::evaluate(const Matrix& other, std::span<const Index> batch, Index first, Index last,
                                 Out* const* out) const {
  if (kernel_.kind == Kernel::Kind::precomputed) {
    std::vector<Out> row(static_cast<std::size_t>(other.columns()));
    for (std::size_t a = 0; a < batch.size(); ++a) {
      std::fill(row.begin(), row.end(), Out{0});
      scatter(other.row(batch[a]), row.data(), 1);
      for (Index j = first; j < last; ++j)
        out[a][j] = row[static_cast<std::size_t>(rows_[static_cast<std::size_t>(j)])];
    }
  } else if (sparse_) {
    sparse_rows(other, batch, first, last, out);
  } else {
    dense_products(other, batch, first, last, out);
  }
}

template <class Value>
template <class Out>
void PackedRows<Value>::dense_products(const Matrix& other, std::span<const Index> batch, Index first, Index last,
                                       Out* const* out) const {
  using Rows = Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto count = static_cast<Index>(batch.size());
  Rows block = Rows::Zero(count, columns_);
  std::vector<Value> norm(batch.size(), Value{0});
  for (std::size_t a = 0; a < batch.size(); ++a) {
    scatter(other.row(batch[a]), block.data() + a * static_cast<std::size_t>(columns_), 1);
    if (kernel_.kind == Kernel::Kind::rbf) norm[a] = static_cast<Value>(squared_norm(other.row(batch[a])));
  }
  Rows products(count, kChunk);
  for (Index begin = first; begin < last; begin += kChunk) {
    const Index width = std::min(kChunk, last - begin);
    const Eigen::Map<const Rows> mine(values_ + begin * columns_, width, columns_);
    products.leftCols(width).noalias() = block * mine.transpose();
    for (Index a = 0; a < count; ++a) {
      apply_kernel(products.data() + a * kChunk, begin, static_cast<std::size_t>(width),
                   norm[static_cast<std::size_t>(a)], out[a] + begin);
    }
  }
}

template <class Value>
template <class Out>
void PackedRows<Value>::sparse_rows(const Matrix& other, std::span<const Index> batch, Index first, Index last,
                                    Out* const* out) const {
  constexpr std::size_t lanes = kSparseLanes<Value>;
  std::vector<Value> block(static_cast<std::size_t>(columns_) * lanes, Value{0}), products(lanes * kChunk);
  for (std::size_t group = 0; group < batch.size(); group += lanes) {
    const std::size_t width = std::min(lanes, batch.size() - group);
    for (std::size_t a = 0; a < width; ++a) scatter(other.row(batch[group + a]), block.data() + a, lanes);
    for (Index begin = first; begin < last; begin += kChunk) {
      const Index end = std::min(begin + kChunk, last);
      sparse_products(block.data(), values_, column_of_.data(), starts_.data(), static_cast<std::size_t>(begin),
                      static_cast<std::size_t>(end), products.data(), kChunk);
      for (std::size_t a = 0; a < width; ++a) {
        const auto norm =
            static_cast<Value>(kernel_.kind == Kernel::Kind::rbf ? squared_norm(other.row(batch[group + a])) : 0.0);
        apply_kernel(products.data() + a * kChunk, begin, static_cast<std::size_t>(end - begin), norm,
                     out[group + a] + begin);
      }
    }
    for (std::size_t a = 0; a < width; ++a) {
      for_each(other.row(batch[group + a]),
               [&](Index i, double) { block[static_cast<std::size_t>(i) * lanes + a] = Value{0}; });
    }
  }
}

template <class Value>
template <class Out>
void PackedRows<Value>::apply_kernel(const Value* products, Index first, std::size_t size, Value norm, Out* out) const {
  const auto gamma = static_cast<Value>(kernel_.gamma), coef0 = static_cast<Value>(kernel_.coef0);
  if constexpr (!std::is_same_v<Out, Value>)
    return rbf_of_products(products, norms_.data() + first, norm, gamma, out, size);
  else
    switch (kernel_.kind) {
      case Kernel::Kind::rbf:
        return rbf_of_products(products, norms_.data() + first, norm, gamma, out, size);
      case Kernel::Kind::poly:
        return power_of_products(products, gamma, coef0, kernel_.degree, out, size);
      case Kernel::Kind::sigmoid:
        return tanh_of_products(products, gamma, coef0, out, size);
      default:
        std::copy(products, products + size, out);
    }
}

template class PackedRows<float>;
template class PackedRows<double>;
template void PackedRows<float>::evaluate(const Matrix&, std::span<const Index>, Index, Index, float* const*) const;
template void PackedRows<float>::evaluate(const Matrix&, std::span<const Index>, Index, Index, Fraction* const*) const;
template void PackedRows<double>::evaluate(const Matrix&, std::span<const Index>, Index, Index, double* const*) const;

}  // namespace medlar

// Replays a recorded transform on a matrix, dense or sparse, and names what comes out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/data/bytes/memory.hpp"
#include "medlar/error.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/kernel_map.hpp"
#include "medlar/prepare/products.hpp"
#include "medlar/prepare/transforms.hpp"

namespace medlar {
namespace {

std::string product_name(const std::vector<Index>& factors, std::span<const std::string> names) {
  std::string text;
  for (std::size_t f = 0; f < factors.size();) {
    const auto run = static_cast<std::size_t>(std::find_if(factors.begin() + static_cast<std::ptrdiff_t>(f),
                                                           factors.end(), [&](Index i) { return i != factors[f]; }) -
                                              factors.begin() - static_cast<std::ptrdiff_t>(f));
    if (f > 0) text += '*';
    text += names.empty() ? fmt::format("feature {}", factors[f] + 1) : names[static_cast<std::size_t>(factors[f])];
    if (run > 1) text += fmt::format("^{}", run);
    f += run;
  }
  return text;
}

[[noreturn]] void overflow(const std::string& feature, Index row, std::string_view remedy) {
  throw DataError(fmt::format("{} is too large for a double in example {}; {}", feature, row + 1, remedy));
}

// Values computed in double are stored as they are, or rounded once to floats.
template <class Value>
Matrix scaled(const Transform& scale, const Matrix& x, std::span<const std::string> names) {
  const auto n = static_cast<std::size_t>(x.columns());
  if (scale.factor.size() != n || (!scale.shift.empty() && scale.shift.size() != n)) {
    throw DataError(
        fmt::format("the scaling was recorded for {} features, but the data has {}", scale.factor.size(), n));
  }
  const auto stored = [&](double value, Index i, Index t) {
    const auto rounded = static_cast<Value>(value);
    if (!std::isfinite(rounded) && !std::isnan(value)) {  // a missing cell stays one
      const auto feature = static_cast<std::size_t>(i);
      overflow(fmt::format("{}, scaled,", names.empty() ? fmt::format("feature {}", i + 1) : names[feature]), t,
               "check the value, or use --scale none");
    }
    return rounded;
  };
  const bool in_place = scale.shift.empty() && std::all_of(scale.factor.begin(), scale.factor.end(),
                                                           [](double factor) { return factor == 1; });
  if (in_place) return x;  // as binary data are: a copy of a large expansion would be as large again
  if (x.is_sparse() && scale.shift.empty()) {
    std::vector<Value> values;
    values.reserve(static_cast<std::size_t>(x.stored()));
    for (Index t = 0; t < x.rows(); ++t) {
      pause_after(x.row(t).values.size());
      for_each(x.row(t), [&](Index i, double value) {
        values.push_back(stored(value * scale.factor[static_cast<std::size_t>(i)], i, t));
      });
    }
    return x.with_values(std::move(values));
  }
  require_memory(static_cast<double>(x.rows()) * static_cast<double>(n) * sizeof(Value), "the centred matrix",
                 "use --scale maxabs, which keeps zeros zero");
  std::vector<Value> values(static_cast<std::size_t>(x.rows()) * n);
  std::vector<double> row(n);
  for (Index t = 0; t < x.rows(); ++t) {
    pause_after(n);
    std::fill(row.begin(), row.end(), 0.0);
    for_each(x.row(t), [&](Index i, double value) { row[static_cast<std::size_t>(i)] = value; });
    Value* out = values.data() + static_cast<std::size_t>(t) * n;
    for (std::size_t i = 0; i < n; ++i) {
      const double centred = row[i] - (scale.shift.empty() ? 0 : scale.shift[i]);
      out[i] = stored(centred * scale.factor[i], static_cast<Index>(i), t);
    }
  }
  return Matrix::dense(x.rows(), x.columns(), std::move(values));
}

// An upper estimate: are fewer than a third of the products non-zero?
bool mostly_zero(const Transform& expansion, const Matrix& x) {
  if (x.is_sparse()) return true;
  const auto pure = static_cast<double>(std::count_if(expansion.factors.begin(), expansion.factors.end(),
                                                      [](const auto& f) { return f.front() == f.back(); }));
  const auto outputs = static_cast<double>(expansion.factors.size());
  const auto n = static_cast<double>(std::max<Index>(x.columns(), 1));
  double nonzeros = 0;
  for (Index t = 0; t < x.rows(); ++t) {
    double count = 0;
    for_each(x.row(t), [&](Index, double value) { count += value != 0; });
    nonzeros += count * pure / n + std::min(outputs - pure, count * (count - 1) / 2);
  }
  return nonzeros < outputs * static_cast<double>(x.rows()) / 3;
}

template <class Check>
Matrix dense_products(const Products& products, const Matrix& x, Check&& check) {
  const auto n = static_cast<std::size_t>(products.outputs());
  require_memory(static_cast<double>(x.rows()) * static_cast<double>(n) * sizeof(double), "the expanded matrix",
                 "leave features out with --ignore");
  std::vector<double> values(static_cast<std::size_t>(x.rows()) * n);
  for (Index t = 0; t < x.rows(); ++t) {
    const std::span<double> out(values.data() + static_cast<std::size_t>(t) * n, n);
    products.dense(x.row(t).values, out);
    pause_after(n);
    for (std::size_t j = 0; j < n; ++j) check(out[j], j, t);
  }
  return Matrix::dense(x.rows(), products.outputs(), std::move(values));
}

// The most products of one or two factors that are not zero; 0 (unknown) if some are longer.
std::size_t most_nonzeros(const Transform& expansion, const Matrix& x) {
  const auto short_one = [](const auto& factors) { return factors.size() <= 2; };
  if (!std::all_of(expansion.factors.begin(), expansion.factors.end(), short_one)) return 0;
  std::size_t most = 0;
  for (Index t = 0; t < x.rows(); ++t) {
    std::size_t count = 0;
    for_each(x.row(t), [&](Index, double value) { count += value != 0; });
    most += std::min(expansion.factors.size(), count + count * (count + 1) / 2);
  }
  return most;
}

template <class Check>
Matrix sparse_products(Products& products, const Matrix& x, std::size_t most, Check&& check) {
  std::vector<Index> starts{0};
  std::vector<Column> columns;
  std::vector<double> values;
  columns.reserve(most);  // vectors that grow would hold all of it twice for a moment
  values.reserve(most);
  Products::Entries row, out;
  for (Index t = 0; t < x.rows(); ++t) {
    row.clear();
    for_each(x.row(t), [&](Index i, double value) {
      if (value != 0) row.emplace_back(static_cast<Column>(i), value);
    });
    products.sparse(row, out);
    pause_after(10 * out.size());
    for (const auto& [column, value] : out) {
      check(value, static_cast<std::size_t>(column), t);
      columns.push_back(column);
      values.push_back(value);
    }
    starts.push_back(static_cast<Index>(values.size()));
  }
  return Matrix::sparse(x.rows(), products.outputs(), std::move(starts), std::move(columns), std::move(values));
}

}  // namespace

Replay::Replay(const Transform& transform, std::span<const std::string> names) : transform_(transform), names_(names) {}

Replay::~Replay() = default;

Matrix Replay::operator()(const Matrix& x) {
  if (transform_.kind == TransformKind::scale) {
    return x.are_floats() ? scaled<float>(transform_, x, names_) : scaled<double>(transform_, x, names_);
  }
  if (transform_.kind != TransformKind::expand) return apply_kernel_map(transform_, x);
  if (!products_ || products_->inputs() != x.columns()) {
    products_ = std::make_unique<Products>(transform_.factors, x.columns());
  }
  const auto check = [&](double value, std::size_t j, Index t) {
    if (!std::isfinite(value) || (x.are_floats() && std::isinf(static_cast<float>(value)))) {
      overflow(product_name(transform_.factors[j], names_), t, "scale the data before expanding it");
    }
  };
  const Matrix expanded = mostly_zero(transform_, x)
                              ? sparse_products(*products_, x, most_nonzeros(transform_, x), check)
                              : dense_products(*products_, x, check);
  return x.are_floats() ? expanded.as_floats() : expanded;
}

Matrix apply(const Transform& transform, const Matrix& x, std::span<const std::string> names) {
  return Replay(transform, names)(x);
}

std::vector<std::string> names_after(const Transform& transform, std::span<const std::string> names) {
  std::vector<std::string> after;
  if (transform.inputs > 0) {
    for (Index j = 0; j < transform.outputs(); ++j) after.push_back(fmt::format("{}{}", transform.kind, j + 1));
    return after;
  }
  if (transform.kind != TransformKind::expand) return {names.begin(), names.end()};
  after.reserve(transform.factors.size());
  for (const auto& factors : transform.factors) after.push_back(product_name(factors, names));
  return after;
}

}  // namespace medlar

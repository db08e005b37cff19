// Which products an expansion holds: quadratic (x_i, then x_i x_j for i <= j) and powers:D (x_i^d, d = 1..D). When most
// products are zero, only pairs that occur together in some row are kept. They are found feature by feature from the
// rows that hold it, so work and memory grow with the non-zeros of the result and never with n^2.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/data/bytes/memory.hpp"
#include "medlar/error.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/transforms.hpp"

namespace medlar {
namespace {

constexpr double bytes_per_product = 80;  // a small vector of factors, its share of the index, its name
constexpr double bytes_per_nonzero = sizeof(double) + sizeof(Column);
constexpr const char* remedy = "leave features out with --ignore, or use --expand powers:2";

int degree_of(const ExpansionChoice& expand) {
  if (expand != ExpansionKind::powers || expand.argument < 1 || expand.argument > 20) {
    throw OptionError(fmt::format("expand = {}, but must be none, quadratic or powers:D with D from 1 to 20", expand));
  }
  return static_cast<int>(expand.argument);
}

// The rows of x by feature: those where it is not zero.
struct EntriesByFeature {
  std::vector<Index> starts, rows;
  std::vector<double> largest;  // max |x_i|
};

EntriesByFeature by_feature(const Matrix& x) {
  const auto n = static_cast<std::size_t>(x.columns());
  EntriesByFeature at{std::vector<Index>(n + 1, 0), {}, std::vector<double>(n, 0.0)};
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) {
      const auto k = static_cast<std::size_t>(i);
      if (value != 0) ++at.starts[k + 1];
      at.largest[k] = std::max(at.largest[k], std::abs(value));
    });
  }
  for (std::size_t i = 0; i < n; ++i) at.starts[i + 1] += at.starts[i];
  at.rows.resize(static_cast<std::size_t>(at.starts[n]));
  std::vector<Index> next = at.starts;
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) {
      if (value != 0) at.rows[static_cast<std::size_t>(next[static_cast<std::size_t>(i)]++)] = t;
    });
  }
  return at;
}

// A product that vanishes though its factors do not would be a feature lost without a word.
[[noreturn]] void refuse_underflow(const std::string& which) {
  throw DataError(fmt::format("{} is too small for a double in every row; scale the data before expanding it", which));
}

using Pair = std::pair<Column, Column>;

// Pairs i <= j that meet in some row, sorted.
std::vector<Pair> meeting_pairs(const Matrix& x, const EntriesByFeature& at) {
  std::vector<Pair> pairs;
  std::vector<Index> met_with(static_cast<std::size_t>(x.columns()), -1);
  std::vector<Column> partners;
  for (Index i = 0; i < x.columns(); ++i) {
    partners.clear();
    const auto all = static_cast<std::size_t>(x.columns() - i);
    const Index end = at.starts[static_cast<std::size_t>(i) + 1];
    for (Index r = at.starts[static_cast<std::size_t>(i)]; r < end && partners.size() < all; ++r) {
      for_each(x.row(at.rows[static_cast<std::size_t>(r)]), [&](Index j, double value) {
        if (j < i || value == 0 || met_with[static_cast<std::size_t>(j)] == i) return;
        met_with[static_cast<std::size_t>(j)] = i;
        partners.push_back(static_cast<Column>(j));
      });
    }
    std::sort(partners.begin(), partners.end());
    if (i % 16 == 0) pause();
    for (Column j : partners) pairs.emplace_back(static_cast<Column>(i), j);
  }
  return pairs;
}

std::vector<Pair> all_pairs(Index n) {
  std::vector<Pair> pairs;
  pairs.reserve(static_cast<std::size_t>(n * (n + 1) / 2));
  for (Index i = 0; i < n; ++i) {
    for (Index j = i; j < n; ++j) pairs.emplace_back(static_cast<Column>(i), static_cast<Column>(j));
  }
  return pairs;
}

Transform quadratic(const Matrix& x) {
  const auto n = static_cast<double>(x.columns());
  double nonzeros = 0;  // of the result
  for (Index t = 0; t < x.rows(); ++t) {
    double count = 0;
    for_each(x.row(t), [&](Index, double value) { count += value != 0; });
    nonzeros += count + count * (count + 1) / 2;
  }
  const double every = n + n * (n + 1) / 2;
  const double cells = every * static_cast<double>(x.rows());
  const bool sparse = x.is_sparse() || nonzeros < cells / 3;
  const auto require = [&](double columns) {
    const double matrix = sparse ? nonzeros * bytes_per_nonzero : cells * sizeof(double);
    require_memory(matrix + columns * bytes_per_product,
                   fmt::format("the quadratic expansion of {} features, {:.3g} non-zeros in {}{:.3g} columns,",
                               x.columns(), sparse ? nonzeros : cells, sparse && columns == 0 ? "up to " : "",
                               sparse && columns == 0 ? std::min(every, nonzeros + n) : columns),
                   remedy);
  };
  require(sparse ? 0 : every);
  const EntriesByFeature at = by_feature(x);
  const std::vector<Pair> pairs = sparse ? meeting_pairs(x, at) : all_pairs(x.columns());
  require(n + static_cast<double>(pairs.size()));

  Transform expansion;
  expansion.kind = TransformKind::expand;
  expansion.factors.reserve(static_cast<std::size_t>(x.columns()) + pairs.size());
  for (Index i = 0; i < x.columns(); ++i) expansion.factors.push_back({i});
  for (const auto& [i, j] : pairs) {
    const double a = at.largest[static_cast<std::size_t>(i)], b = at.largest[static_cast<std::size_t>(j)];
    if (a > 0 && b > 0 && a * b == 0) refuse_underflow(fmt::format("the product of features {} and {}", i + 1, j + 1));
    expansion.factors.push_back({i, j});
  }
  return expansion;
}

Transform powers(const Matrix& x, int degree) {
  const double columns = static_cast<double>(x.columns()) * degree;
  const double values = x.is_sparse() ? static_cast<double>(x.stored()) * bytes_per_nonzero
                                      : static_cast<double>(x.stored()) * sizeof(double);
  require_memory(values * degree + columns * bytes_per_product,
                 fmt::format("the expansion of {} features into powers up to {}", x.columns(), degree),
                 "leave features out with --ignore, or choose a smaller degree");
  const EntriesByFeature at = by_feature(x);
  Transform expansion;
  expansion.kind = TransformKind::expand;
  expansion.factors.reserve(static_cast<std::size_t>(x.columns()) * static_cast<std::size_t>(degree));
  for (Index i = 0; i < x.columns(); ++i) {
    const double largest = at.largest[static_cast<std::size_t>(i)];
    double power = 1;
    for (int d = 1; d <= degree; ++d) {
      power *= largest;
      if (largest > 0 && power == 0) refuse_underflow(fmt::format("feature {} to the power {}", i + 1, d));
      expansion.factors.emplace_back(static_cast<std::size_t>(d), i);
    }
  }
  return expansion;
}

}  // namespace

Transform make_expansion(const Matrix& x, const ExpansionChoice& expand) {
  return expand == ExpansionKind::quadratic ? quadratic(x) : powers(x, degree_of(expand));
}

}  // namespace medlar

// Comparing all pairs of columns would cost n^2 T. Instead a column is identified by random projections, sum_t w_t (x_t
// - mean) / sd, which do not depend on its unit and change sign with it. For different columns, three such sums agree
// by chance about as often as random numbers of 21 digits do.
#include "medlar/trust/twins.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "medlar/linalg/give_up.hpp"

namespace medlar {
namespace {

constexpr std::size_t kSums = 3;
constexpr double kSame = 1e-7;          // tolerance for sums near 1
constexpr double kLeastSpread = 1e-12;  // relative to the mean: less is rounding

using Sums = std::array<double, kSums>;

struct NormSums {
  double unit = 0, mean = 0, squares = 0;  // the largest |value|; in its units the mean, and squares about it
  std::size_t stored = 0;
  Sums sums{}, weights{};  // of the values that are stored, and of their weights
};

std::vector<Sums> weights_of(Index examples) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<Sums> weights(static_cast<std::size_t>(examples));
  for (Sums& each : weights) {
    for (double& weight : each) weight = normal(random) / std::sqrt(static_cast<double>(examples));
  }
  return weights;
}

template <class Visit>
void for_each_entry(const Matrix& x, Visit&& visit) {
  for (Index t = 0; t < x.rows(); ++t) {
    pause_after(x.row(t).values.size());
    for_each(x.row(t), [&](Index i, double value) { visit(t, static_cast<std::size_t>(i), value); });
  }
}

// One entry per column. The first number is not negative, and NaN if the column never varies.
std::vector<Sums> told_by(const Matrix& x) {
  const auto T = static_cast<double>(x.rows());
  std::vector<NormSums> columns(static_cast<std::size_t>(x.columns()));
  for_each_entry(
      x, [&](Index, std::size_t i, double value) { columns[i].unit = std::max(columns[i].unit, std::abs(value)); });
  for_each_entry(x, [&](Index, std::size_t i, double value) {
    if (columns[i].unit > 0) columns[i].mean += value / columns[i].unit;  // a constant adds up exactly
  });
  for (NormSums& column : columns) column.mean /= T;
  const std::vector<Sums> weights = weights_of(x.rows());
  for_each_entry(x, [&](Index t, std::size_t i, double value) {
    NormSums& column = columns[i];
    if (!(column.unit > 0)) return;
    const double z = value / column.unit - column.mean;
    column.squares += z * z;
    column.stored += 1;
    for (std::size_t k = 0; k < kSums; ++k) {
      column.sums[k] += weights[static_cast<std::size_t>(t)][k] * z;
      column.weights[k] += weights[static_cast<std::size_t>(t)][k];
    }
  });
  Sums total{};
  for (const Sums& each : weights) {
    for (std::size_t k = 0; k < kSums; ++k) total[k] += each[k];
  }
  std::vector<Sums> told(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const NormSums& column = columns[i];
    const double left_out = T - static_cast<double>(column.stored);
    const double sd = std::sqrt((column.squares + left_out * column.mean * column.mean) / T);
    if (!(sd > kLeastSpread * (1 + std::abs(column.mean)))) {
      told[i][0] = std::nan("");
      continue;
    }
    for (std::size_t k = 0; k < kSums; ++k) {
      told[i][k] = (column.sums[k] - column.mean * (total[k] - column.weights[k])) / sd;
    }
    if (told[i][0] < 0) {
      for (double& sum : told[i]) sum = -sum;
    }
  }
  return told;
}

bool agree(const Sums& a, const Sums& b) {
  for (std::size_t k = 0; k < kSums; ++k) {
    if (!(std::abs(a[k] - b[k]) <= kSame)) return false;
  }
  return true;
}

}  // namespace

std::vector<Index> twins_of(const Matrix& x) {
  const std::vector<Sums> told = told_by(x);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (!std::isnan(told[i][0])) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return told[i][0] < told[j][0]; });
  std::vector<Index> first(told.size(), kConstant);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    first[i] = static_cast<Index>(i);
    for (std::size_t back = k; back-- > 0 && told[i][0] - told[order[back]][0] <= kSame;) {
      if (!agree(told[i], told[order[back]])) continue;
      first[i] = first[order[back]];
      break;
    }
  }
  std::vector<Index> least(told.size(), kConstant);  // of each family
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (first[i] == kConstant) continue;
    Index& of_family = least[static_cast<std::size_t>(first[i])];
    if (of_family == kConstant) of_family = static_cast<Index>(i);
    first[i] = of_family;
  }
  return first;
}

Index distinct_columns(const std::vector<Index>& twins) {
  Index count = 0;
  for (std::size_t i = 0; i < twins.size(); ++i) count += twins[i] == static_cast<Index>(i) ? 1 : 0;
  return count;
}

}  // namespace medlar

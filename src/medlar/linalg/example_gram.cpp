// Whether K pays is decided before it is made, by counting its multiplications. For sparse rows the hard part is
// memory: the columns of a row lie far apart, and each visit would miss the cache.
#include "medlar/linalg/example_gram.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "medlar/linalg/give_up.hpp"
#include "medlar/thresholds/gram_pays.hpp"

namespace medlar {

namespace {

constexpr Index kBlock = 1024;  // columns per rank update: some hundred rows of them stay near the cache

// The number of products of two entries in one column.
double pairs(const Matrix& x) {
  std::vector<float> count(static_cast<std::size_t>(x.columns()), 0.0f);
  for (const Column i : x.column_of()) ++count[static_cast<std::size_t>(i)];
  double sum = 0;
  for (const float each : count) sum += 0.5 * static_cast<double>(each) * static_cast<double>(each);
  return sum;
}

}  // namespace

bool ExampleGram::pays(const Matrix& x) {
  const auto stored = static_cast<double>(x.stored());
  if (!may_gram_pay(x.rows(), stored) || stored > std::numeric_limits<std::uint32_t>::max()) return false;
  return x.is_sparse() ? gram_pays_for_sparse_rows(pairs(x), stored) : gram_pays_for_dense_rows(x.rows());
}

ExampleGram::ExampleGram(const Matrix& x)
    : size_(static_cast<std::size_t>(x.rows())),
      values_(size_ * size_, 0.0f),
      squares_(static_cast<std::size_t>(x.columns()), 0.0f) {
  x.is_sparse() ? add_sparse(x) : add_dense(x);
  for (std::size_t t = 0; t < size_; ++t) {
    for (std::size_t u = 0; u < t; ++u) values_[u * size_ + t] = values_[t * size_ + u];
  }
}

std::vector<double> ExampleGram::block(std::span<const Index> examples) const {
  std::vector<double> values;
  values.reserve(examples.size() * examples.size());
  for (const Index t : examples) {
    const float* const from = row(static_cast<std::size_t>(t));
    for (const Index u : examples) values.push_back(static_cast<double>(from[u]));
  }
  return values;
}

// Works by blocks of columns, which are converted to floats while they are in the cache.
void ExampleGram::add_dense(const Matrix& x) {
  const Index n = x.columns(), T = x.rows();
  std::vector<float> block(static_cast<std::size_t>(T * std::min(kBlock, n)));
  // Eigen stores columns, so its upper triangle is the lower one of our rows.
  Eigen::Map<Eigen::MatrixXf> sum(values_.data(), T, T);
  for (Index first = 0; first < n; first += kBlock) {
    const Index width = std::min(kBlock, n - first);
    for (Index t = 0; t < T; ++t) {
      x.row(t).values.visit([&](const auto* value) {
        float* const to = block.data() + t * width;
        float* const square = squares_.data() + first;
        for (Index j = 0; j < width; ++j) {
          to[j] = static_cast<float>(value[first + j]);
          square[j] += to[j] * to[j];
        }
      });
    }
    const Eigen::Map<const Eigen::MatrixXf> columns(block.data(), width, T);
    sum.selfadjointView<Eigen::Upper>().rankUpdate(columns.transpose());
    pause();
  }
}

// Each row meets the earlier rows in the columns that both fill. These columns lie far apart in memory, so those of the
// next entries are prefetched.
void ExampleGram::add_sparse(const Matrix& x) {
  struct Range {
    std::uint32_t begin = 0, end = 0;  // of a column in `met`: the rows so far
  };
  struct Met {
    Column row;
    float value;
  };
  constexpr std::size_t ahead = 8;
  std::vector<Range> columns(static_cast<std::size_t>(x.columns()));
  for (const Column i : x.column_of()) ++columns[static_cast<std::size_t>(i)].end;
  std::uint32_t begin = 0;
  for (Range& range : columns) {
    range.begin = begin;
    begin += std::exchange(range.end, begin);
  }
  std::vector<Met> met(static_cast<std::size_t>(x.stored()));
  for (std::size_t t = 0; t < size_; ++t) {
    const RowView row = x.row(static_cast<Index>(t));
    float* const to = values_.data() + t * size_;
    if (t % kRowsBetweenPauses == 0) pause();
    for (std::size_t j = 0; j < row.values.size(); ++j) {
      if (j + 2 * ahead < row.values.size()) {
        __builtin_prefetch(&columns[static_cast<std::size_t>(row.columns[j + 2 * ahead])]);
        __builtin_prefetch(&met[columns[static_cast<std::size_t>(row.columns[j + ahead])].begin]);
      }
      Range& range = columns[static_cast<std::size_t>(row.columns[j])];
      const auto value = static_cast<float>(row.values[j]);
      met[range.end++] = {static_cast<Column>(t), value};
      squares_[static_cast<std::size_t>(row.columns[j])] += value * value;
      for (std::uint32_t e = range.begin; e < range.end; ++e) {
        to[static_cast<std::size_t>(met[e].row)] += value * met[e].value;
      }
    }
  }
}

}  // namespace medlar

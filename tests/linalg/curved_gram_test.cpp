// X diag(d) X^T over examples: sums of columns against plain loops, and the sum that is kept from one d to the next
// against one made anew.
#include "medlar/linalg/curved_gram.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "medlar/linalg/give_up.hpp"
#include "models/fit_data.hpp"
#include "reference/random_problem.hpp"

namespace medlar::test {
namespace {

using Rows = std::vector<std::vector<double>>;

Rows some_rows(std::size_t T, std::size_t n, double filled, unsigned seed) {
  RandomProblem random(seed);
  Rows rows(T, std::vector<double>(n, 0.0));
  for (auto& row : rows) {
    for (double& each : row) {
      if (random.uniform(0, 1) < filled) each = random.normal();
    }
  }
  return rows;
}

// sum_i d_i x_ti x_ui over these columns, and the sum of its terms' sizes.
struct Entry {
  double value = 0, size = 0;
};
Entry entry(const Rows& rows, std::span<const double> d, std::span<const Index> columns, Index t, Index u) {
  Entry sum;
  for (const Index i : columns) {
    const auto at = static_cast<std::size_t>(i);
    const double term = d[at] * rows[static_cast<std::size_t>(t)][at] * rows[static_cast<std::size_t>(u)][at];
    sum.value += term;
    sum.size += std::abs(term);
  }
  return sum;
}

template <class Real>
void expect_sums(const Matrix& x, const Rows& rows, double accuracy, Index stride = 2) {
  RandomProblem random(8);
  std::vector<double> d(rows.front().size());
  for (double& each : d) each = random.below(4) == 0 ? 0.0 : random.normal();  // of either sign
  std::vector<Index> columns, examples;
  for (Index i = 0; i < std::ssize(d); ++i) {
    if (random.below(3) > 0) columns.push_back(i);
  }
  for (Index t = 0; t < std::ssize(rows); t += stride) examples.push_back(t);
  const auto size = std::ssize(examples);
  Square<Real> m = Square<Real>::Constant(size, size, Real{3});
  ColumnSums<Real> sums(x);
  for (int twice = 0; twice < 2; ++twice) sums.add(columns, d, examples, m);
  for (Index a = 0; a < size; ++a) {
    for (Index b = 0; b < a; ++b) {
      const Entry exact =
          entry(rows, d, columns, examples[static_cast<std::size_t>(a)], examples[static_cast<std::size_t>(b)]);
      EXPECT_NEAR(static_cast<double>(m(a, b)), 3 + 2 * exact.value, accuracy * (3 + 2 * exact.size)) << a << ' ' << b;
      EXPECT_EQ(m(b, a), Real{3});  // the upper triangle stays
    }
  }
}

TEST(ColumnSums, AreThoseOfPlainLoops) {
  const Rows wide = some_rows(23, 1300, 1, 1), thin = some_rows(60, 700, 0.05, 2), half = some_rows(20, 900, 0.4, 3);
  expect_sums<double>(dense(wide), wide, 1e-14);
  expect_sums<float>(dense(wide), wide, 3e-6);
  expect_sums<float>(dense(wide).as_floats(), wide, 3e-6);
  expect_sums<float>(dense(wide), wide, 3e-6, 1);  // all examples: from columns that are turned to lie together
  expect_sums<float>(dense(wide).as_floats(), wide, 3e-6, 1);
  for (const Rows& rows : {thin, half}) {  // columns of few entries, and of many
    expect_sums<double>(sparse(rows), rows, 1e-14);
    expect_sums<float>(sparse(rows), rows, 3e-6);
  }
}

Eigen::MatrixXd whole(const CurvedGram& gram, Index size) {
  std::vector<Index> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), Index{0});
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(size, size);
  gram.add_to(m, all);
  return m;
}

// d begins nearly alike, then few columns rise by far, then all fall by one factor, then some rise again.
std::vector<std::vector<double>> path_of_d(std::size_t n) {
  RandomProblem random(9);
  std::vector<std::vector<double>> path(1, std::vector<double>(n));
  for (double& each : path[0]) each = 1e-3 * random.uniform(0.9, 1.1);
  path.push_back(path.back());
  for (std::size_t i = 0; i < n; i += 17) path.back()[i] = random.uniform(0.5, 3);
  path.push_back(path.back());
  for (double& each : path.back()) each *= 0.3;
  path.push_back(path.back());
  for (std::size_t i = 0; i < n; i += 11) path.back()[i] = random.uniform(0, 2);
  return path;
}

void expect_follows(const Matrix& x, const Rows& rows, double left_out) {
  const std::size_t n = rows.front().size();
  const Index T = std::ssize(rows);
  CurvedGram gram(x, std::make_shared<const ExampleGram>(x));
  Eigen::MatrixXd plain(T, static_cast<Index>(n));
  for (Index t = 0; t < T; ++t) {
    for (std::size_t i = 0; i < n; ++i) plain(t, static_cast<Index>(i)) = rows[static_cast<std::size_t>(t)][i];
  }
  for (const std::vector<double>& d : path_of_d(n)) {
    gram.follow(d, left_out);
    const Eigen::MatrixXd exact =
        plain * Eigen::Map<const Eigen::VectorXd>(d.data(), std::ssize(d)).asDiagonal() * plain.transpose();
    const Eigen::MatrixXd lower = whole(gram, T);
    const Eigen::MatrixXd off = (exact - lower.selfadjointView<Eigen::Lower>().toDenseMatrix());
    // What is left out is a sum of columns whose sizes add up to that share; single precision has six digits.
    const double eigen = off.selfadjointView<Eigen::Lower>().eigenvalues().cwiseAbs().sum();
    EXPECT_LE(eigen, (left_out + 2e-5) * exact.trace());
  }
}

TEST(CurvedGram, FollowsACurvatureThatChanges) {
  const Rows wide = some_rows(30, 2000, 1, 4), thin = some_rows(50, 1500, 0.05, 5);
  for (const double left_out : {0.0, 0.02, 0.2}) {
    expect_follows(dense(wide), wide, left_out);
    expect_follows(sparse(thin), thin, left_out);
  }
}

TEST(CurvedGram, BeginsAnewWhenItWasGivenUpHalfWay) {
  const Rows rows = some_rows(30, 2000, 1, 6);
  const Matrix x = dense(rows);
  const auto path = path_of_d(2000);
  CurvedGram gram(x, std::make_shared<const ExampleGram>(x)), other(x, std::make_shared<const ExampleGram>(x));
  gram.follow(path[0], 0);
  int questions = 0;
  EXPECT_FALSE(unless_given_up([&] { return ++questions > 1; }, [&] { gram.follow(path[1], 0); }));
  gram.follow(path[3], 0);
  other.follow(path[3], 0);
  EXPECT_EQ(whole(gram, 30), whole(other, 30));
}

}  // namespace
}  // namespace medlar::test

// Knockoffs: any feature may change places with its copy; the threshold by hand; the rate of false discoveries.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <random>

#include "medlar/error.hpp"
#include "medlar/linalg/correlated_blocks.hpp"
#include "medlar/selection.hpp"
#include "medlar/trust/copies.hpp"
#include "medlar/trust/correlation_model.hpp"
#include "models/fit_data.hpp"

namespace medlar {
namespace {

using test::dataset;
using test::dense;
using test::Rows;

// Correlated normal features with means and scales of their own.
Rows chain_of_normals(std::size_t examples, std::size_t features, double rho, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Rows x(examples, std::vector<double>(features));
  for (auto& row : x) {
    for (std::size_t i = 0; i < features; ++i) {
      row[i] = normal(random) * std::sqrt(i == 0 ? 1 : 1 - rho * rho) + (i == 0 ? 0 : rho * row[i - 1]);
    }
  }
  return x;
}

// Second moments of (x, copy) do not change under a swap: cov(x_i, copy_j) = cov(x_i, x_j), i != j, and
// cov(copy_i, copy_j) = cov(x_i, x_j). 20,000 examples: a moment errs by 0.007 (one sd), so 0.05 is 7 sd.
TEST(GaussianKnockoffs, HaveTheMomentsThatNoSwapChanges) {
  constexpr std::size_t T = 20000, n = 4;
  Rows x = chain_of_normals(T, n, 0.6, 3);
  for (auto& row : x) row[2] = 5 + 3 * row[2];
  const Knockoffs made = gaussian_knockoffs(dense(x), 11);
  EXPECT_EQ(made.construction, KnockoffKind::gaussian);
  const auto value = [&](std::size_t t, std::size_t i) {
    const double raw = i < n ? x[t][i] : made.copy[t * n + i - n];
    return i % n == 2 ? (raw - 5) / 3 : raw;
  };
  std::array<std::array<double, 2 * n>, 2 * n> moment{};
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t i = 0; i < 2 * n; ++i) {
      for (std::size_t j = 0; j < 2 * n; ++j) moment[i][j] += value(t, i) * value(t, j) / T;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_NEAR(moment[n + i][n + j], moment[i][j], 0.05) << i << " " << j;
      if (i == j) continue;
      EXPECT_NEAR(moment[i][n + j], moment[i][j], 0.05) << i << " " << j;
    }
    EXPECT_LT(moment[i][n + i], 0.75);  // a copy is no duplicate: s = 2 min eig = 0.56 for this chain
  }
}

// More features than examples: the scale of the copies.
TEST(GaussianKnockoffs, OfMoreFeaturesThanExamples) {
  const Rows x = chain_of_normals(40, 200, 0, 4);
  const Knockoffs made = gaussian_knockoffs(dense(x), 1);
  double squares = 0, products = 0;
  for (std::size_t t = 0; t < 40; ++t) {
    for (std::size_t i = 0; i < 200; ++i) {
      squares += made.copy[t * 200 + i] * made.copy[t * 200 + i] / 8000;
      products += made.copy[t * 200 + i] * x[t][i] / 8000;
    }
  }
  EXPECT_NEAR(squares, 1, 0.1);  // 6 sd of a mean of 8,000 squares
  EXPECT_LT(std::abs(products), 0.2);
}

// Of many features, blocks: a copy has variance 1 and is no double of its feature, and neighbours that correlate by 0.9
// correlate with each other's copies too. Thresholding by 0.37 takes that much of every correlation, so that the
// variance is off by 0.2 and the neighbours' correlation falls to a half of it or more.
TEST(GaussianKnockoffs, OfManyFeaturesComeInBlocks) {
  constexpr std::size_t T = 60, n = 4001;
  for (const double rho : {0.0, 0.9}) {
    const Rows x = chain_of_normals(T, n, rho, 6);
    const Knockoffs made = gaussian_knockoffs(dense(x), 1);
    double squares = 0, doubles = 0, neighbours = 0;
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t i = 1; i < n; ++i) {
        squares += made.copy[t * n + i] * made.copy[t * n + i] / (T * n);
        doubles += made.copy[t * n + i] * x[t][i] / (T * n);
        neighbours += made.copy[t * n + i] * x[t][i - 1] / (T * n);
      }
    }
    EXPECT_NEAR(squares, 1, 0.3);
    EXPECT_LT(std::abs(doubles), rho == 0 ? 0.2 : 0.97);
    EXPECT_GT(neighbours, rho == 0 ? -0.1 : 0.4);
  }
}

// Features 0 .. 2 correlate by 0.9 with each other and by 0.28 with 3: any group may be swapped with its copies, and
// copies of a group differ more from it than copies of single features. Tolerances as above.
TEST(GaussianKnockoffs, OfGroupsMayBeSwappedGroupByGroup) {
  constexpr std::size_t T = 20000, n = 4;
  Rows x = chain_of_normals(T, n + 1, 0, 8);
  for (auto& row : x) {
    for (std::size_t i = 0; i < n; ++i) {
      const double by = i < 3 ? std::sqrt(0.9) : 0.3;
      row[i] = by * row[n] + std::sqrt(1 - by * by) * row[i];
    }
    row.pop_back();
  }
  const Copies grouped = grouped_gaussian_copies(dense(x));
  EXPECT_EQ(grouped.group_of[0], grouped.group_of[1]);
  EXPECT_EQ(grouped.group_of[0], grouped.group_of[2]);
  EXPECT_NE(grouped.group_of[0], grouped.group_of[3]);
  const Knockoffs together = grouped.draw(5), alone = gaussian_knockoffs(dense(x), 5);
  const auto moment = [&](std::size_t i, std::size_t j, const Knockoffs& made) {  // n and above: the copies
    double sum = 0;
    for (std::size_t t = 0; t < T; ++t) {
      const auto value = [&](std::size_t k) { return k < n ? x[t][k] : made.copy[t * n + k - n]; };
      sum += value(i) * value(j) / T;
    }
    return sum;
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_NEAR(moment(n + i, n + j, together), moment(i, j, together), 0.05) << i << " " << j;
      if (grouped.group_of[i] == grouped.group_of[j]) continue;
      EXPECT_NEAR(moment(i, n + j, together), moment(i, j, together), 0.05) << i << " " << j;
    }
    EXPECT_LT(moment(i, n + i, together), i < 3 ? 0.3 : 0.75) << i;
  }
  EXPECT_GT(moment(0, n, alone), 0.7);  // s = 2 min eig = 0.2
}

RowMatrix standard_chain(std::size_t T, std::size_t n, double rho, unsigned seed) {
  const Rows chain = chain_of_normals(T, n, rho, seed);
  RowMatrix z(static_cast<Eigen::Index>(T), static_cast<Eigen::Index>(n));
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t i = 0; i < n; ++i) z(static_cast<Eigen::Index>(t), static_cast<Eigen::Index>(i)) = chain[t][i];
  }
  for (Eigen::Index i = 0; i < z.cols(); ++i) z.col(i) *= std::sqrt(static_cast<double>(T)) / z.col(i).norm();
  return z;
}

// Strong ones are moved less: 0.9 by 0.44 of what a weak one is.
TEST(ThresholdedCorrelations, AreMovedByTheirErrors) {
  const RowMatrix z = standard_chain(200, 60, 0.9, 5);
  const Eigen::MatrixXd R = z.transpose() * z / 200.0, S = thresholded_correlations(z, 0.15);
  Index moved = 0, gone = 0;
  for (Eigen::Index i = 0; i < 60; ++i) {
    EXPECT_EQ(S(i, i), 1);
    for (Eigen::Index j = 0; j < i; ++j) {
      const double by = 0.15 * std::sqrt(1 - R(i, j) * R(i, j));
      EXPECT_EQ(S(i, j), S(j, i));
      if (std::abs(R(i, j)) > by) {
        EXPECT_NEAR(std::abs(S(i, j)), std::abs(R(i, j)) - by, 1e-12);
        EXPECT_GT(S(i, j) * R(i, j), 0);
        ++moved;
      } else {
        EXPECT_EQ(S(i, j), 0);
        ++gone;
      }
    }
  }
  EXPECT_GT(moved, 300);
  EXPECT_GT(gone, 300);
}

// A chain of 300 features and 100 examples: a sample correlation errs by 0.1, those of the model by less, for pairs far
// apart get theirs from their neighbours'. With nothing to find there is hardly a parent.
TEST(CorrelationsByParents, AreThoseOfTheChain) {
  const RowMatrix z = standard_chain(100, 300, 0.9, 9);
  const Eigen::MatrixXd S = correlations_by_parents(z), R = z.transpose() * z / 100.0;
  EXPECT_EQ(Eigen::LLT<Eigen::MatrixXd>(S).info(), Eigen::Success);
  double of_model = 0, of_sample = 0;
  for (Eigen::Index i = 0; i < 300; ++i) {
    EXPECT_EQ(S(i, i), 1);
    for (Eigen::Index j = 0; j < 300; ++j) {
      const double right = std::pow(0.9, std::abs(static_cast<double>(i - j)));
      of_model += std::pow(S(i, j) - right, 2) / 90000;
      of_sample += std::pow(R(i, j) - right, 2) / 90000;
      EXPECT_EQ(S(i, j), S(j, i));
    }
  }
  EXPECT_LT(std::sqrt(of_model), 0.03);
  EXPECT_GT(std::sqrt(of_sample), 0.09);
  const Eigen::MatrixXd none = correlations_by_parents(standard_chain(100, 300, 0, 10));
  EXPECT_LT((none - Eigen::MatrixXd::Identity(300, 300)).norm() / std::sqrt(300.0), 0.3);
}

// Two features that are the same, and one that is their sum with another: what is left of a variance stays above 0.
TEST(CorrelationsByParents, OfDependentFeaturesArePositiveDefinite) {
  RowMatrix z = standard_chain(50, 8, 0.3, 11);
  z.col(5) = z.col(2);
  z.col(6) = -z.col(2);
  z.col(7) = z.col(0) + z.col(2);
  z.col(7) *= std::sqrt(50.0) / z.col(7).norm();
  z.col(4).setZero();
  const Eigen::MatrixXd S = correlations_by_parents(z);
  EXPECT_EQ(Eigen::LLT<Eigen::MatrixXd>(S).info(), Eigen::Success);
  EXPECT_NEAR(S(2, 5), 1, 0.01);
  EXPECT_NEAR(S(2, 6), -1, 0.01);
  EXPECT_EQ(S(4, 3), 0);
}

TEST(CorrelatedGroups, CorrelateEachWithEach) {
  Eigen::MatrixXd S = Eigen::MatrixXd::Identity(5, 5);
  const auto set = [&](Eigen::Index i, Eigen::Index j, double r) { S(i, j) = S(j, i) = r; };
  set(0, 3, -0.9);
  set(3, 1, 0.8);
  set(0, 1, -0.75);
  set(1, 4, 0.72);  // but 4 is far from 0 and 3
  const auto group = correlated_groups(S, 0.7);
  EXPECT_EQ(group[0], group[3]);
  EXPECT_EQ(group[0], group[1]);
  EXPECT_NE(group[0], group[4]);
  EXPECT_NE(group[0], group[2]);
  EXPECT_NE(group[2], group[4]);
}

TEST(CorrelatedBlocks, KeepTheStrongestTogetherAndSmall) {
  RowMatrix z = standard_chain(200, 40, 0, 7);
  for (Eigen::Index i = 0; i < 40; i += 2) z.col(39 - i) = z.col(i) + 0.1 * z.col(39 - i);  // i and 39 - i are twins
  for (Eigen::Index i = 0; i < 40; ++i) z.col(i) *= std::sqrt(200.0) / z.col(i).norm();
  const auto blocks = correlated_blocks(z, 0.2, 6);
  std::vector<std::size_t> block_of(40, blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    EXPECT_LE(blocks[b].size(), 6u);
    for (const Eigen::Index i : blocks[b]) {
      EXPECT_EQ(block_of[static_cast<std::size_t>(i)], blocks.size());  // in one block only
      block_of[static_cast<std::size_t>(i)] = b;
    }
  }
  for (std::size_t i = 0; i < 40; i += 2) {
    EXPECT_LT(block_of[i], blocks.size());
    EXPECT_EQ(block_of[i], block_of[39 - i]);
  }
}

TEST(GaussianKnockoffs, AConstantStaysAsItIs) {
  Rows x = chain_of_normals(30, 3, 0, 5);
  for (auto& row : x) row[1] = 7;
  const Knockoffs made = gaussian_knockoffs(dense(x), 1);
  for (std::size_t t = 0; t < 30; ++t) EXPECT_EQ(made.copy[t * 3 + 1], 7);
}

// A chain of three variables with 2, 3 and 2 values. For each variable, (x, copy) and the same with that variable
// swapped are equally frequent: each cell and its mirror cell are compared, sum (a - b)^2 / (a + b), which is
// chi-squared with as many degrees of freedom as pairs of cells, if the rule is right. The bound is at 6 sd.
TEST(MarkovKnockoffs, AnySwapLeavesTheFrequenciesAsTheyAre) {
  constexpr std::size_t T = 60000;
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform;
  CodedChain chain{{2, 3, 2}, {{}, {}, {}}};
  for (std::size_t t = 0; t < T; ++t) {
    const Index a = uniform(random) < 0.3 ? 1 : 0;
    const double u = uniform(random);
    const Index b = a == 1 ? (u < 0.7 ? 0 : u < 0.9 ? 1 : 2) : (u < 0.1 ? 0 : u < 0.5 ? 1 : 2);
    const Index c = uniform(random) < 0.2 + 0.3 * static_cast<double>(b) ? 1 : 0;
    chain.codes[0].push_back(a);
    chain.codes[1].push_back(b);
    chain.codes[2].push_back(c);
  }
  const auto copy = markov_knockoffs(chain, 9);
  for (std::size_t swapped = 0; swapped < 3; ++swapped) {
    std::map<std::array<Index, 6>, double> count;
    for (std::size_t t = 0; t < T; ++t) {
      std::array<Index, 6> cell{};
      for (std::size_t j = 0; j < 3; ++j) cell[j] = chain.codes[j][t], cell[j + 3] = copy[j][t];
      ++count[cell];
    }
    double statistic = 0, pairs = 0;
    for (const auto& [cell, frequency] : count) {
      auto mirror = cell;
      std::swap(mirror[swapped], mirror[swapped + 3]);
      if (!(cell < mirror) && count.contains(mirror)) continue;
      if (mirror == cell) continue;
      const double other = count.contains(mirror) ? count[mirror] : 0;
      statistic += (frequency - other) * (frequency - other) / (frequency + other);
      pairs += 1;
    }
    ASSERT_GT(pairs, 10);
    EXPECT_LT(statistic, pairs + 6 * std::sqrt(2 * pairs)) << swapped;
  }
  // They are no duplicates.
  std::size_t same = 0;
  for (std::size_t t = 0; t < T; ++t) same += copy[1][t] == chain.codes[1][t] ? 1 : 0;
  EXPECT_LT(static_cast<double>(same) / T, 0.8);
}

TEST(KnockoffThreshold, ByHand) {
  // t = 1: (1 + 2) / 6; t = 2: (1 + 1) / 5 = 0.4; t = 3: 1 / 4.
  const std::vector<double> w{5, 4, 3, 3.5, 2, -2, 1, -1, 0};
  EXPECT_EQ(knockoff_threshold(w, 0.5), 1);
  EXPECT_EQ(knockoff_threshold(w, 0.4), 2);
  EXPECT_EQ(knockoff_threshold(w, 0.25), 3);
  EXPECT_EQ(knockoff_threshold(w, 0.2), HUGE_VAL);
  EXPECT_EQ(knockoff_threshold(std::vector<double>{0, 0}, 0.5), HUGE_VAL);
}

// 12 draws of 200 examples with 40 features, 12 of them true, neighbours correlated by 0.3. The false-discovery rate
// asked for is 0.2. The mean proportion over 12 draws errs by about 0.12 / sqrt(12) = 0.035; a right rule exceeds 0.2 +
// 4 of these in fewer than 1 of 10,000 runs.
TEST(Discover, KeepsTheRateOfFalseDiscoveries) {
  double proportion = 0, power = 0, probability_of_true = 0, probability_of_false = 0;
  constexpr unsigned draws = 12;
  for (unsigned seed = 0; seed < draws; ++seed) {
    Rows x = chain_of_normals(200, 40, 0.3, 50 + seed);
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> y;
    for (const auto& row : x) {
      double f = normal(random);
      for (std::size_t i = 0; i < 36; i += 3) f += (i % 2 == 0 ? 0.7 : -0.7) * row[i];
      y.push_back(f);
    }
    Settings settings;
    settings.task = Task::regress;
    settings.seed = 1 + seed;
    const auto found = discover(dataset(x, std::move(y)), settings, {0.2});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->report.status, Status::converged);
    EXPECT_EQ(found->draws, 5);
    double wrong = 0, right = 0;
    for (std::size_t i = 0; i < 40; ++i) {
      (i % 3 == 0 && i < 36 ? probability_of_true : probability_of_false) += found->probability[i] / draws;
      if (found->statistic[i] < found->threshold) continue;
      (i % 3 == 0 && i < 36 ? right : wrong) += 1;
    }
    proportion += wrong / std::max(1.0, wrong + right) / draws;
    power += right / 12 / draws;
  }
  EXPECT_LT(proportion, 0.34);
  EXPECT_GT(power, 0.7);
  EXPECT_GT(probability_of_true / 12, 0.7);   // of 12 true features
  EXPECT_LT(probability_of_false / 28, 0.2);  // of 28 others
}

TEST(Discover, SwapsTheLevelsOfACategoryTogether) {
  std::mt19937_64 random(4);
  Rows x;
  std::vector<double> y;
  for (int t = 0; t < 150; ++t) {
    std::vector<double> row(30, 0.0);
    const std::size_t letter = random() % 3;
    for (std::size_t column = 0; column < 10; ++column) row[3 * column + (column == 0 ? letter : random() % 3)] = 1;
    x.push_back(std::move(row));
    y.push_back(letter == 2 ? 1 : -1);
  }
  Dataset data = dataset(x, std::move(y));
  for (Index i = 0; i < 30; ++i) data.group_of.push_back(i / 3);
  for (int g = 0; g < 10; ++g) data.group_names.push_back(fmt::format("g{}", g));
  const auto found = discover(data, {}, {0.9});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->construction, KnockoffKind::markov);
  for (std::size_t i = 0; i < 30; i += 3) {
    EXPECT_EQ(found->statistic[i], found->statistic[i + 1]);
    EXPECT_EQ(found->statistic[i], found->statistic[i + 2]);
    EXPECT_LE(found->statistic[i], found->statistic[0]);
  }
  EXPECT_GT(found->statistic[0], 0.1);
}

// Ten copies of one true column, some in other units, are one discovery, and one is not enough for a rate of 0.1.
TEST(Discover, ColumnsThatAreTheSameCountOnce) {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  test::Rows rows;
  std::vector<double> y;
  for (int t = 0; t < 150; ++t) {
    const double z = normal(random);
    rows.emplace_back();
    for (int i = 0; i < 10; ++i) rows.back().push_back(i % 3 == 0 ? z : i % 3 == 1 ? -2 * z : 3 * z + 1);
    for (int i = 0; i < 30; ++i) rows.back().push_back(normal(random));
    y.push_back(z + 0.5 * normal(random) > 0 ? 1 : -1);
  }
  DiscoveryOptions how;
  how.fdr = 0.1;
  for (const Index seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    Settings settings;
    settings.seed = seed;
    EXPECT_EQ(discover(test::dataset(rows, y), settings, how)->discovered(), 0) << seed;
  }
}

TEST(Discover, StopsWhenAsked) {
  struct Stop : Observer {
    bool stop_requested() override { return true; }
  } stop;
  std::vector<double> y(40, 1.0);
  for (std::size_t t = 0; t < 40; t += 2) y[t] = -1;
  EXPECT_FALSE(discover(dataset(chain_of_normals(40, 3, 0, 1), std::move(y)), {}, {0.2}, &stop));
}

TEST(Discover, Refuses) {
  const Dataset data = dataset(chain_of_normals(20, 3, 0, 1), std::vector<double>(20, 1.0));
  EXPECT_THROW(discover(data, {}, {0}), OptionError);
  EXPECT_THROW(discover(data, {}, {1}), OptionError);
  EXPECT_THROW(discover(data, {}, {0.1, 0}), OptionError);
  EXPECT_THROW(discover(data, {}, {0.1, 1, 1.0}), OptionError);
  Settings settings;
  settings.expand = ExpansionKind::quadratic;
  EXPECT_THROW(discover(data, settings, {0.1}), OptionError);
  settings = {};
  settings.feature_p0 = {"", {{"f0", 0.5}}};
  EXPECT_THROW(discover(data, settings, {0.1}), OptionError);
}

}  // namespace
}  // namespace medlar

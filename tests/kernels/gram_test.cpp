// Rows of the Gram matrix, and the cache that keeps them, against kernels computed pair by pair.
#include <gtest/gtest.h>

#include <numeric>

#include "medlar/kernels/gram_cache.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/symmetric_eigen.hpp"
#include "models/fit_data.hpp"
#include "models/kernel/naive_kernel.hpp"

namespace medlar::test {
namespace {

const std::vector<Kernel> kKernels{{Kernel::Kind::linear, 1, 0, 1},
                                   {Kernel::Kind::poly, 0.3, 0.5, 3},
                                   {Kernel::Kind::poly, 0.3, 1, 8},
                                   {Kernel::Kind::rbf, 0.2, 0, 3},
                                   {Kernel::Kind::sigmoid, 0.1, -0.2, 3}};

std::vector<Index> counted(Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

// Shapes beyond one chunk of columns and one line of sparse rows; dense, sparse, and sparse enough to be made dense.
template <class Check>
void for_each_gram(Check check) {
  for (const double zeros : {0.0, 0.5, 0.9}) {
    const Sample s = sample(true, 300, 7, 5, zeros);
    for (const bool packed : {false, true}) {
      const Matrix x = packed ? sparse(s.x) : dense(s.x);
      for (const Kernel& kernel : kKernels) {
        SCOPED_TRACE(fmt::format("zeros {}, sparse {}, kernel {}", zeros, packed, static_cast<int>(kernel.kind)));
        check(s.x, x, kernel);
      }
    }
  }
}

TEST(Gram, RowsAreTheKernelToSinglePrecision) {
  for_each_gram([](const Rows& rows, const Matrix& x, const Kernel& kernel) {
    const Gram gram(kernel, x, 2);
    const std::vector<Index> batch = {0, 17, 299, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1, 2, 3};
    std::vector<std::vector<float>> out(batch.size(), std::vector<float>(300));
    std::vector<float*> pointers;
    for (auto& row : out) pointers.push_back(row.data());
    gram.rows(batch, pointers.data());
    for (std::size_t a = 0; a < batch.size(); ++a) {
      for (std::size_t t = 0; t < 300; ++t) {
        const double exact = naive_kernel(kernel, rows[static_cast<std::size_t>(batch[a])], rows[t]);
        // a few roundings of the inner product, raised to the degree
        ASSERT_NEAR(out[a][t], exact, 2e-5 * (1 + std::abs(exact))) << batch[a] << ", " << t;
      }
    }
  });
}

TEST(Gram, ScoresBlocksAndDiagonalAreTheKernelToDoublePrecision) {
  for_each_gram([](const Rows& rows, const Matrix& x, const Kernel& kernel) {
    const Gram gram(kernel, x, 2);
    std::vector<Index> some;
    std::vector<double> weights;
    for (Index t = 0; t < 300; t += 3) some.push_back(t), weights.push_back(std::sin(static_cast<double>(t)));
    std::vector<double> scores(300, 0.25);
    gram.add_scores(some, weights, scores);
    const std::vector<double> block = gram.block(some);
    for (std::size_t t = 0; t < 300; ++t) {
      double sum = 0.25, size = 0.25;
      for (std::size_t a = 0; a < some.size(); ++a) {
        const double value = naive_kernel(kernel, rows[static_cast<std::size_t>(some[a])], rows[t]);
        sum += weights[a] * value;
        size += std::abs(value);
      }
      ASSERT_NEAR(scores[t], sum, 1e-13 * size);
      ASSERT_NEAR(gram.diagonal(static_cast<Index>(t)), naive_kernel(kernel, rows[t], rows[t]),
                  1e-12 * std::abs(naive_kernel(kernel, rows[t], rows[t])));
    }
    for (std::size_t a = 0; a < some.size(); a += 7) {
      for (std::size_t b = 0; b < some.size(); ++b) {
        const double exact =
            naive_kernel(kernel, rows[static_cast<std::size_t>(some[a])], rows[static_cast<std::size_t>(some[b])]);
        ASSERT_NEAR(block[a * some.size() + b], exact, 1e-12 * (1 + std::abs(exact)));
      }
    }
  });
}

// Far from the origin the squares of distances by inner products have no digits left in single precision.
// What is between many examples is computed once; the sums are those of one example at a time, whatever the threads.
TEST(Gram, ScoresOfManyExamplesAreThoseOfEach) {
  for_each_gram([](const Rows&, const Matrix& x, const Kernel& kernel) {
    std::vector<Index> many;
    std::vector<double> weights;
    for (Index t = 0; t < 300; ++t) {
      if (t % 3 == 1) continue;
      many.push_back((7 * t) % 300);
      weights.push_back(std::sin(static_cast<double>(t)));
    }
    std::vector<std::vector<double>> scores;
    for (const Index threads : {1, 2}) {
      const Gram gram(kernel, x, threads);
      std::vector<double> at_once(300, 0.25), each(300, 0.25), sets(600, 0.25);
      gram.add_scores(many, weights, at_once);
      for (std::size_t a = 0; a < many.size(); ++a) {
        gram.add_scores(std::span(many).subspan(a, 1), std::span(weights).subspan(a, 1), each);
      }
      std::vector<double> both = weights;
      for (const double weight : weights) both.push_back(2 * weight);
      gram.add_scores(many, both, sets);
      for (std::size_t t = 0; t < 300; ++t) {
        ASSERT_NEAR(at_once[t], each[t], 1e-9 * (1 + std::abs(each[t]))) << t;
        ASSERT_NEAR(sets[t], each[t], 1e-9 * (1 + std::abs(each[t]))) << t;
        ASSERT_NEAR(sets[300 + t], 2 * each[t] - 0.25, 1e-9 * (1 + std::abs(each[t]))) << t;
      }
      scores.push_back(at_once);
    }
    EXPECT_EQ(scores[0], scores[1]);
  });
}

TEST(Gram, RowsStayRightFarFromTheOrigin) {
  Sample s = sample(true, 40, 3, 9);
  for (auto& row : s.x) {
    for (double& value : row) value += 1e5;
  }
  const Kernel kernel{Kernel::Kind::rbf, 1, 0, 3};
  const Matrix x = dense(s.x);
  const Gram gram(kernel, x, 1);
  std::vector<float> out(40);
  float* pointer = out.data();
  gram.rows(std::vector<Index>{4}, &pointer);
  for (std::size_t t = 0; t < 40; ++t) EXPECT_NEAR(out[t], naive_kernel(kernel, s.x[4], s.x[t]), 1e-4);
}

class Cache : public ::testing::TestWithParam<std::tuple<double, GramStorage>> {};

// 12 examples, rows of 24, 48 or 96 bytes: room for 2 (the least), 10, 5 or 2, and all of them.
TEST_P(Cache, GivesTheRowsThatWereAskedFor) {
  const Sample s = sample(true, 12, 3, 2);
  const Matrix x = dense(s.x);
  const Kernel kernel{Kernel::Kind::rbf, 0.2, 0, 3};
  const auto [megabytes, storage] = GetParam();
  Gram gram(kernel, x, 1, storage == GramStorage::doubles ? storage : GramStorage::floats);
  GramCache cache(gram, megabytes, storage);
  const double close = storage == GramStorage::doubles ? 1e-14 : storage == GramStorage::floats ? 1e-6 : 0.51 / 65535;
  std::vector<Index> columns = counted(12);
  GramRows rows;
  std::mt19937_64 random(4);
  for (int round = 0; round < 200; ++round) {
    if (round == 100) {  // three columns leave: what is kept stays right
      const std::vector<Index> places = {0, 1, 3, 4, 6, 7, 8, 10, 11};
      cache.set_columns(places, places);
      columns = places;
    }
    if (round == 150) cache.set_columns(columns = counted(12));
    if (round == 170) cache.release();
    std::vector<Index> batch = counted(12);
    std::shuffle(batch.begin(), batch.end(), random);
    batch.resize(static_cast<std::size_t>(std::min<Index>(cache.capacity(), 1 + static_cast<Index>(random() % 4))));
    cache.fetch(batch, rows);
    ASSERT_EQ(rows.size(), batch.size());
    for (std::size_t a = 0; a < batch.size(); ++a) {
      for (std::size_t j = 0; j < columns.size(); ++j) {
        const double exact =
            naive_kernel(kernel, s.x[static_cast<std::size_t>(batch[a])], s.x[static_cast<std::size_t>(columns[j])]);
        ASSERT_NEAR(rows.value(a, static_cast<Index>(j)), exact, close) << "round " << round;
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Sizes, Cache,
                         ::testing::Combine(::testing::Values(1e-9, 5 * 48e-6, 1.0),
                                            ::testing::Values(GramStorage::floats, GramStorage::doubles,
                                                              GramStorage::fractions)));

TEST(Gram, ACacheWithRoomComputesEachRowOnce) {
  const Sample s = sample(true, 30, 3, 2);
  const Matrix x = dense(s.x);
  Gram gram({Kernel::Kind::rbf, 0.2, 0, 3}, x, 1);
  GramCache cache(gram, 1);
  GramRows rows;
  for (int round = 0; round < 3; ++round) cache.fetch(counted(20), rows);
  EXPECT_EQ(cache.computed(), 20);
  GramCache small(gram, 10 * 30 * 4e-6);  // of ten rows the oldest goes
  small.fetch(counted(10), rows);
  small.fetch(std::vector<Index>{0, 1, 2, 3, 4, 20}, rows);
  EXPECT_EQ(small.computed(), 11);
  small.fetch(std::vector<Index>{0, 20}, rows);
  EXPECT_EQ(small.computed(), 11);
}

TEST(Gram, ACacheOfDoublesHoldsHalfAsManyRowsAndOneOfFractionsTwiceAsMany) {
  const Matrix x = dense(sample(true, 100, 3, 2).x);
  Gram floats({Kernel::Kind::rbf, 0.2, 0, 3}, x, 1),
      doubles({Kernel::Kind::rbf, 0.2, 0, 3}, x, 1, GramStorage::doubles);
  EXPECT_EQ(GramCache(floats, 40 * 100 * 4e-6).capacity(), 40);
  EXPECT_EQ(GramCache(doubles, 40 * 100 * 4e-6).capacity(), 20);
  EXPECT_EQ(GramCache(floats, 40 * 100 * 4e-6, GramStorage::fractions).capacity(), 80);
  EXPECT_TRUE(floats.has_fractions());
  EXPECT_FALSE(doubles.has_fractions());
  EXPECT_FALSE(Gram({Kernel::Kind::poly, 0.2, 0, 3}, x, 1).has_fractions());
}

TEST(Gram, ASampleShowsAnIndefiniteKernel) {
  const Sample s = sample(true, 60, 4, 3);
  const Matrix x = dense(s.x);
  EXPECT_LT(sampled_spectrum(Gram({Kernel::Kind::sigmoid, 1, -1, 3}, x, 1), 50, 1).least, -0.1);
  EXPECT_GT(sampled_spectrum(Gram({Kernel::Kind::rbf, 1, 0, 3}, x, 1), 50, 1).least, 0);
}

// A sample of all of them is a shuffled one.
TEST(Gram, ExamplesMayComeInAnyOrder) {
  for_each_gram([](const Rows& rows, const Matrix& x, const Kernel& kernel) {
    const Gram gram(kernel, x, 1);
    std::vector<Index> backwards = counted(300);
    std::reverse(backwards.begin(), backwards.end());
    const std::vector<double> block = gram.block(backwards);
    const Spectrum spectrum = sampled_spectrum(gram, 300, 1);
    Eigen::MatrixXd exact(300, 300);
    for (std::size_t a = 0; a < 300; ++a) {
      for (std::size_t b = 0; b < 300; ++b) {
        const double value = naive_kernel(kernel, rows[299 - a], rows[299 - b]);
        exact(static_cast<Index>(a), static_cast<Index>(b)) = value;
        ASSERT_NEAR(block[a * 300 + b], value, 1e-12 * (1 + std::abs(value)));
      }
    }
    const Eigen::VectorXd values = symmetric_eigenvalues(exact);
    EXPECT_NEAR(spectrum.least, values.minCoeff(), 1e-9 * values.maxCoeff());
    EXPECT_NEAR(spectrum.largest, values.maxCoeff(), 1e-9 * values.maxCoeff());
  });
}

// Wide rows, so that both sides of a product are cut into pieces.
TEST(Gram, PiecesMakeUpTheWholeAndMayBeGivenUpBetween) {
  const Sample s = sample(true, 600, 3000, 21);
  const Matrix x = dense(s.x);
  const Kernel kernel{Kernel::Kind::rbf, 1e-3, 0, 3};
  const Gram gram(kernel, x, 2);
  std::vector<Index> some;
  for (Index t = 0; t < 600; t += 2) some.push_back(t);
  std::vector<double> weights(some.size()), scores(600, 0.5);
  for (std::size_t a = 0; a < some.size(); ++a) weights[a] = std::sin(static_cast<double>(a));
  int asked = 0;
  ASSERT_TRUE(unless_given_up([&] { return ++asked < 0; }, [&] { gram.add_scores(some, weights, scores); }));
  EXPECT_GE(asked, 5);
  std::vector<std::vector<float>> rows(some.size(), std::vector<float>(600));
  std::vector<float*> out;
  for (auto& row : rows) out.push_back(row.data());
  gram.rows(some, out.data());
  const std::vector<double> block = gram.block(some);
  for (std::size_t t = 0; t < 600; t += 7) {
    double sum = 0.5;
    for (std::size_t a = 0; a < some.size(); ++a) {
      const double value = naive_kernel(kernel, s.x[static_cast<std::size_t>(some[a])], s.x[t]);
      sum += weights[a] * value;
      EXPECT_NEAR(rows[a][t], value, 2e-5);
      if (t % 2 != 0) continue;
      EXPECT_NEAR(block[a * some.size() + t / 2], value, 1e-12);
    }
    EXPECT_NEAR(scores[t], sum, 1e-11);
  }
  int questions = 0;
  EXPECT_FALSE(unless_given_up([&] { return ++questions == 3; }, [&] { gram.add_scores(some, weights, scores); }));
  EXPECT_EQ(questions, 3);
}

}  // namespace
}  // namespace medlar::test

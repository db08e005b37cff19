// The loops under kernels and SMO, under every instruction set, against plain loops.
#include "medlar/simd/gram_loops.hpp"

#include <gtest/gtest.h>

#include "medlar/simd/pair_loops.hpp"
#include "simd/instruction_sets.hpp"

namespace medlar::test {
namespace {

template <class T>
std::vector<T> uniform(std::size_t size, double low, double high, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> draw(low, high);
  std::vector<T> values(size);
  for (T& value : values) value = static_cast<T>(draw(random));
  return values;
}

template <class T>
void check_kernels() {
  for (const std::size_t size : loop_sizes()) {
    ArrayAtTheEdge<T> products(uniform<T>(size, -1, 1, 1)), norms(uniform<T>(size, 0, 3, 2)),
        out(std::vector<T>(size, T{0}));
    const T norm = T{1.5}, gamma = static_cast<T>(0.7), coef0 = T{0.25};
    const double close = 16 * kRounding<T>;
    rbf_of_products(products.data(), norms.data(), norm, gamma, out.data(), size);
    for (std::size_t j = 0; j < size; ++j) {
      const double distance = std::max(0.0, 1.5 + static_cast<double>(norms[j]) - 2 * static_cast<double>(products[j]));
      ASSERT_NEAR(out[j], std::exp(-static_cast<double>(gamma) * distance), close);
    }
    power_of_products(products.data(), gamma, coef0, 5, out.data(), size);
    for (std::size_t j = 0; j < size; ++j) {
      const double base = static_cast<double>(gamma) * static_cast<double>(products[j]) + 0.25;
      ASSERT_NEAR(out[j], std::pow(base, 5), close);
    }
    tanh_of_products(products.data(), gamma, coef0, out.data(), size);
    for (std::size_t j = 0; j < size; ++j) {
      const double base = static_cast<double>(gamma) * static_cast<double>(products[j]) + 0.25;
      ASSERT_NEAR(out[j], std::tanh(base), close);
    }
  }
}

TEST(GramLoops, KernelsAreThoseOfTheStandardLibrary) {
  with_every_instruction_set([] {
    check_kernels<float>();
    check_kernels<double>();
  });
}

template <class T>
void check_sparse() {
  constexpr std::size_t lanes = kSparseLanes<T>, columns = 9, rows = 21;
  const std::vector<T> block = uniform<T>(columns * lanes, -1, 1, 3);
  std::vector<T> values;
  std::vector<Column> column_of;
  std::vector<Index> starts{0};
  std::mt19937_64 random(5);
  for (std::size_t t = 0; t < rows; ++t) {  // the first row is empty
    for (std::size_t i = 0; i < columns && t > 0; ++i) {
      if (random() % 2 == 0) continue;
      column_of.push_back(static_cast<Column>(i));
      values.push_back(static_cast<T>(0.1 * static_cast<double>(random() % 20)));
    }
    starts.push_back(static_cast<Index>(values.size()));
  }
  std::vector<T> out(lanes * rows, T{7});
  sparse_products(block.data(), values.data(), column_of.data(), starts.data(), 2, rows, out.data(), rows);
  for (std::size_t t = 2; t < rows; ++t) {
    for (std::size_t a = 0; a < lanes; ++a) {
      double sum = 0;
      for (auto e = static_cast<std::size_t>(starts[t]); e < static_cast<std::size_t>(starts[t + 1]); ++e) {
        sum += static_cast<double>(values[e]) *
               static_cast<double>(block[static_cast<std::size_t>(column_of[e]) * lanes + a]);
      }
      ASSERT_NEAR(out[a * rows + t - 2], sum, 40 * kRounding<T>);
    }
  }
}

TEST(GramLoops, SparseRowsAreMultipliedByALineOfOthers) {
  with_every_instruction_set([] {
    check_sparse<float>();
    check_sparse<double>();
  });
}

template <class T>
void check_sums() {
  for (const std::size_t size : loop_sizes()) {
    for (const std::size_t count : {0u, 1u, 7u, 8u, 19u}) {
      std::vector<std::vector<T>> rows;
      std::vector<const T*> pointers;
      for (std::size_t a = 0; a < count; ++a) rows.push_back(uniform<T>(size + 3, -1, 1, static_cast<unsigned>(a)));
      for (const auto& row : rows) pointers.push_back(row.data());
      const std::vector<double> weights = uniform<double>(count, -2, 2, 77);
      ArrayAtTheEdge<double> sums(uniform<double>(size, -1, 1, 78));
      const std::vector<double> before(sums.data(), sums.data() + size);
      add_weighted_rows(pointers.data(), weights.data(), count, 3, sums.data(), size);
      for (std::size_t j = 0; j < size; ++j) {
        double sum = before[j];
        for (std::size_t a = 0; a < count; ++a) sum += weights[a] * static_cast<double>(rows[a][3 + j]);
        ASSERT_NEAR(sums[j], sum, 1e-14 * 40);
      }
    }
  }
}

TEST(GramLoops, SumsOfRowsAreInDouble) {
  with_every_instruction_set([] {
    check_sums<float>();
    check_sums<double>();
  });
}

TEST(GramLoops, FractionsAreTheNearestAndTheirSumsAreInSinglePrecision) {
  with_every_instruction_set([] {
    for (const std::size_t size : loop_sizes()) {
      ArrayAtTheEdge<float> products(uniform<float>(size, -1, 1, 1)), norms(uniform<float>(size, 0, 3, 2));
      ArrayAtTheEdge<Fraction> out(std::vector<Fraction>(size, Fraction{0}));
      rbf_of_products(products.data(), norms.data(), 1.5f, 0.7f, out.data(), size);
      for (std::size_t j = 0; j < size; ++j) {
        const double distance = std::max(0.0, 1.5 + static_cast<double>(norms[j]) - 2.0 * products[j]);
        ASSERT_NEAR(out[j], 65535 * std::exp(-0.7 * distance), 0.6);
      }
      for (const std::size_t count : {0u, 1u, 7u, 8u, 19u}) {
        std::vector<std::vector<Fraction>> rows;
        std::vector<const Fraction*> pointers;
        for (std::size_t a = 0; a < count; ++a) {
          rows.push_back(uniform<Fraction>(size + 3, 0, 65536, static_cast<unsigned>(a)));
        }
        for (const auto& row : rows) pointers.push_back(row.data());
        const std::vector<double> weights = uniform<double>(count, -2, 2, 77);
        ArrayAtTheEdge<double> sums(uniform<double>(size, -1, 1, 78));
        const std::vector<double> before(sums.data(), sums.data() + size);
        add_weighted_rows(pointers.data(), weights.data(), count, 3, sums.data(), size);
        for (std::size_t j = 0; j < size; ++j) {
          double sum = before[j];
          for (std::size_t a = 0; a < count; ++a) sum += weights[a] * rows[a][3 + j] / 65535.0;
          ASSERT_NEAR(sums[j], sum, 40 * kRounding<float>);
        }
      }
    }
  });
}

TEST(GramLoops, BothEndsOfAFractionAreExact) {
  with_every_instruction_set([] {
    const std::vector<float> products(17, 2.0f), norms(17, 2.0f);
    std::vector<Fraction> out(17);
    rbf_of_products(products.data(), norms.data(), 2.0f, 3.0f, out.data(), 17);  // no distance
    for (const Fraction each : out) ASSERT_EQ(each, 65535);
    rbf_of_products(products.data(), norms.data(), 2e4f, 3.0f, out.data(), 17);  // far away
    for (const Fraction each : out) ASSERT_EQ(each, 0);
  });
}

struct Slopes {
  std::vector<double> f, up, down, own, inverse;
  std::vector<float> a, b;
  explicit Slopes(unsigned seed, std::size_t size = 48)
      : f(uniform<double>(size, -1, 1, seed)),
        up(uniform<double>(size, -2, 2, seed + 1)),
        down(uniform<double>(size, -2, 2, seed + 2)),
        own(uniform<double>(size, 1, 3, seed + 3)),
        inverse(uniform<double>(size, 0.3, 1, seed + 4)),
        a(uniform<float>(size, -0.4, 0.4, seed + 5)),
        b(uniform<float>(size, -0.4, 0.4, seed + 6)) {
    for (std::size_t j = 0; j < size; j += 5) up[j] = -HUGE_VAL;
    for (std::size_t j = 2; j < size; j += 5) down[j] = HUGE_VAL;
  }
};

TEST(PairLoops, MovesAndFindsTheSteepestPair) {
  with_every_instruction_set([] {
    for (unsigned seed = 0; seed < 50; ++seed) {
      Slopes s(10 * seed);
      std::vector<double> f = s.f;
      const Extremes found = move_pair(f.data(), s.a.data(), s.b.data(), 0.3, s.up.data(), s.down.data(), 48);
      double highest = -HUGE_VAL, lowest = HUGE_VAL;
      std::size_t at = 0;
      for (std::size_t j = 0; j < 48; ++j) {
        ASSERT_NEAR(f[j], s.f[j] + 0.3 * (static_cast<double>(s.a[j]) - static_cast<double>(s.b[j])), 1e-15);
        if (s.up[j] - f[j] > highest) highest = s.up[j] - f[j], at = j;
        lowest = std::min(lowest, s.down[j] - f[j]);
      }
      EXPECT_EQ(found.index, at);
      EXPECT_EQ(found.highest, highest);
      EXPECT_EQ(found.lowest, lowest);
      double best = 0;
      std::size_t partner = 48;
      for (std::size_t j = 0; j < 48; ++j) {
        const double excess = highest - (s.down[j] - f[j]);
        const double gain = excess * excess / std::max(1e-12, 2.0 + s.own[j] - 2 * 1.5 * static_cast<double>(s.a[j]));
        if (excess > 0 && gain > best) best = gain, partner = j;
      }
      EXPECT_EQ(best_partner(f.data(), s.down.data(), s.own.data(), s.a.data(), highest, 2.0, 1.5, 1e-12, 48), partner);
      EXPECT_EQ(best_partner(f.data(), s.down.data(), s.own.data(), s.a.data(), -99, 2.0, 1.5, 1e-12, 48), 48u);
    }
  });
}

TEST(PairLoops, MovesAndFindsTheBestSingle) {
  with_every_instruction_set([] {
    for (unsigned seed = 0; seed < 50; ++seed) {
      Slopes s(10 * seed);
      std::vector<double> f = s.f;
      const BestSingle found =
          move_single(f.data(), s.a.data(), 0.3, 0.1, s.up.data(), s.down.data(), s.inverse.data(), 48);
      double best = -1, steepest = 0, slope = 0;
      std::size_t at = 0;
      for (std::size_t j = 0; j < 48; ++j) {
        ASSERT_NEAR(f[j], s.f[j] + 0.1 + 0.3 * static_cast<double>(s.a[j]), 1e-15);
        const double rise = std::max(0.0, s.up[j] - f[j]), fall = std::max(0.0, f[j] - s.down[j]);
        const double here = std::max(rise, fall);
        steepest = std::max(steepest, here);
        if (here * here * s.inverse[j] > best) best = here * here * s.inverse[j], at = j, slope = here;
      }
      EXPECT_EQ(found.index, at);
      EXPECT_EQ(found.steepest, steepest);
      if (s.up[at] < s.down[at]) {  // as it always is: rising slopes lie below falling ones
        EXPECT_EQ(std::abs(found.slope), slope);
      }
    }
  });
}

}  // namespace
}  // namespace medlar::test

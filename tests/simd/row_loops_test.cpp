// Loops over a dense row in double, under every instruction set: each against a plain loop of more digits, to the error
// that its order of operations may have. Two instruction sets therefore agree to twice that error.
#include "medlar/simd/row_loops.hpp"

#include <memory>

#include "simd/instruction_sets.hpp"
#include "support/high_precision.hpp"

namespace medlar::test {
namespace {

constexpr double kU = kRounding<double>;
using Real100 = RealWith<50>;

template <class X>
class RowLoops : public testing::Test {};
using Kept = testing::Types<double, float>;
TYPED_TEST_SUITE(RowLoops, Kept);

// Four accumulators of at least two lanes: an eighth of the terms meet in one, and then a few sums of sums.
TYPED_TEST(RowLoops, DotsAreRoundedOncePerTermOfALane) {
  for (const std::size_t size : loop_sizes()) {
    ArrayAtTheEdge<TypeParam> x(over_decades<TypeParam>(size, 20, 1));
    ArrayAtTheEdge<double> w(over_decades<double>(size, 20, 2));
    long double exact = 0, sizes = 0;
    for (std::size_t i = 0; i < size; ++i) {
      exact += static_cast<long double>(x[i]) * w[i];
      sizes += std::abs(static_cast<long double>(x[i]) * w[i]);
    }
    const auto allowed = static_cast<double>(kU * (static_cast<long double>(size) / 8 + 12) * sizes);
    with_every_instruction_set(
        [&] { EXPECT_NEAR(dot_dense(x.data(), w.data(), size), static_cast<double>(exact), allowed) << size; });
  }
}

// Two products and a sum to each term.
TYPED_TEST(RowLoops, DotsOfSquaresAreThoseOfPlainSums) {
  for (const std::size_t size : loop_sizes()) {
    ArrayAtTheEdge<TypeParam> x(over_decades<TypeParam>(size, 10, 7));
    ArrayAtTheEdge<double> a(over_decades<double>(size, 20, 8));
    long double exact = 0, sizes = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const long double term = static_cast<long double>(x[i]) * x[i] * a[i];
      exact += term;
      sizes += std::abs(term);
    }
    const auto allowed = static_cast<double>(kU * (static_cast<long double>(size) / 8 + 13) * sizes);
    with_every_instruction_set(
        [&] { EXPECT_NEAR(dot_squares_dense(x.data(), a.data(), size), static_cast<double>(exact), allowed) << size; });
  }
}

// A product and a sum, each rounded at most once.
TYPED_TEST(RowLoops, ScaledRowsAreAddedToEveryEntryAndNoOther) {
  const double scale = -0.3;
  for (const std::size_t size : loop_sizes()) {
    ArrayAtTheEdge<TypeParam> x(over_decades<TypeParam>(size, 20, 3));
    std::vector<double> before = over_decades<double>(size + 1, 20, 4);
    with_every_instruction_set([&] {
      ArrayAtTheEdge<double> v(before);  // its first entry is not of the row
      add_scaled_dense(x.data(), scale, v.data() + 1, size);
      EXPECT_EQ(v[0], before[0]);
      for (std::size_t i = 0; i < size; ++i) {
        const long double term = static_cast<long double>(scale) * x[i], sum = before[i + 1] + term;
        ASSERT_LE(std::abs(v[i + 1] - sum), kU * (std::abs(term) + std::abs(sum)) * 1.001L) << i << " of " << size;
      }
    });
  }
}

// Any number of rows together does what one after the other does.
TYPED_TEST(RowLoops, RowsTogetherAreRowsOneByOne) {
  for (const std::size_t size : loop_sizes()) {
    const std::vector<double> w = over_decades<double>(size, 3, 30);
    for (std::size_t count = 0; count <= kRowsTogether; ++count) {
      std::vector<std::unique_ptr<ArrayAtTheEdge<TypeParam>>> kept;
      RowsTogether<TypeParam> rows;
      for (; rows.count < count; ++rows.count) {
        const auto seed = static_cast<unsigned>(40 + rows.count);
        kept.push_back(std::make_unique<ArrayAtTheEdge<TypeParam>>(over_decades<TypeParam>(size, 3, seed)));
        rows.x[rows.count] = kept.back()->data();
        rows.scale[rows.count] = 0.3 * static_cast<double>(rows.count) - 1;
      }
      with_every_instruction_set([&] {
        ArrayAtTheEdge<double> v(std::vector<double>(size, 0.5)), products(std::vector<double>(count, -1));
        add_scaled_rows(rows, v.data(), size);
        dot_rows(rows, w.data(), products.data(), size);
        for (std::size_t i = 0; i < size; ++i) {
          long double sum = 0.5, sizes = 0.5;
          for (std::size_t r = 0; r < count; ++r) {
            const long double term = static_cast<long double>(rows.scale[r]) * rows.x[r][i];
            sum += term, sizes += std::abs(term);
          }
          ASSERT_LE(std::abs(v[i] - sum), 2 * kU * static_cast<long double>(count + 1) * sizes) << i << " of " << size;
        }
        for (std::size_t r = 0; r < count; ++r) {
          long double sum = 0, sizes = 0;
          for (std::size_t i = 0; i < size; ++i) {
            const long double term = static_cast<long double>(rows.x[r][i]) * w[i];
            sum += term, sizes += std::abs(term);
          }
          ASSERT_LE(std::abs(products[r] - sum), kU * (static_cast<long double>(size) / 2 + 8) * sizes) << r;
        }
      });
    }
  }
}

// One rounding of a product, and of a double to a float before it.
template <class X, class Real>
void expect_gathered() {
  for (const std::size_t size : loop_sizes()) {
    ArrayAtTheEdge<X> x(over_decades<X>(2 * size + 1, 5, 7));
    std::vector<Index> at(size);
    for (std::size_t j = 0; j < size; ++j) at[j] = static_cast<Index>((2 * size - j * 3 % (size + 1)));
    ArrayAtTheEdge<Real> scale(over_decades<Real>(size, 5, 8));
    with_every_instruction_set([&] {
      ArrayAtTheEdge<Real> to(std::vector<Real>(size, 0));
      gather_scaled(x.data(), at.data(), scale.data(), to.data(), size);
      for (std::size_t j = 0; j < size; ++j) {
        const double exact = static_cast<double>(x[static_cast<std::size_t>(at[j])]) * static_cast<double>(scale[j]);
        ASSERT_NEAR(static_cast<double>(to[j]), exact, 2.001 * kRounding<Real> * std::abs(exact))
            << j << " of " << size;
      }
    });
  }
}

TYPED_TEST(RowLoops, GatheredEntriesAreScaled) {
  expect_gathered<TypeParam, float>();
  expect_gathered<TypeParam, double>();
}

struct CompensatedRun {
  double worst = 0;  // error of v + lost, in units of what is allowed
  double plain = 0;  // error of v alone, likewise
};

// Adds 60 rows of any size to v = 0, the last of them undoing the first ones: what is left is small against the terms.
template <class X>
CompensatedRun add_rows(std::size_t size, bool exact_products) {
  constexpr int kRows = 60;
  std::vector<std::vector<X>> rows;
  std::vector<double> scales;
  for (unsigned r = 0; r < kRows / 2; ++r) {
    rows.push_back(over_decades<X>(size, 20, 10 + r));
    scales.push_back((exact_products ? 1.0 : 1.1) * std::ldexp(1.0, static_cast<int>(r % 5) - 2));
  }
  for (unsigned r = 0; r < kRows / 2; ++r) {
    rows.push_back(rows[r]);
    for (X& value : rows.back()) value *= static_cast<X>(r % 7 == 0 ? -0.75 : -1);
    scales.push_back(scales[r]);
  }
  ArrayAtTheEdge<double> v(std::vector<double>(size, 0.0)), lost(std::vector<double>(size, 0.0));
  for (std::size_t first = 0, count = 1; first < rows.size(); first += count, count = count % kRowsTogether + 1) {
    std::vector<std::unique_ptr<ArrayAtTheEdge<X>>> kept;
    RowsTogether<X> together;
    for (std::size_t r = first; r < std::min(first + count, rows.size()); ++r) {
      kept.push_back(std::make_unique<ArrayAtTheEdge<X>>(rows[r]));
      together.x[together.count] = kept.back()->data();
      together.scale[together.count++] = scales[r];
    }
    add_compensated_rows(together, v.data(), lost.data(), size);
  }
  CompensatedRun run;
  for (std::size_t i = 0; i < size; ++i) {
    Real100 exact = 0, sizes = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Real100 term = Real100(scales[r]) * Real100(rows[r][i]);
      exact += term;
      sizes += abs(term);
    }
    const double first_order = static_cast<double>(exact_products ? abs(exact) : abs(exact) + sizes);
    const double allowed = kU * first_order + kRows * kRows * kU * kU * static_cast<double>(sizes);
    const Real100 high(v[i]), low(lost[i]);
    run.worst = std::max(run.worst, static_cast<double>(abs(high + low - exact)) / allowed);
    run.plain = std::max(run.plain, static_cast<double>(abs(high - exact)) / allowed);
  }
  return run;
}

// Where the products are exact (a scale that is a power of 2), v + lost has the sum to one rounding of the sum itself
// plus second order; else each product is rounded once as well.
TYPED_TEST(RowLoops, CompensatedSumsLoseNothingOfFirstOrder) {
  for (const std::size_t size : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 70, 600}) {
    with_every_instruction_set([size] {
      EXPECT_LE(add_rows<TypeParam>(size, true).worst, 1) << size;
      EXPECT_LE(add_rows<TypeParam>(size, false).worst, 1) << size;
    });
  }
  EXPECT_GT(add_rows<TypeParam>(600, true).plain, 1000);  // v alone would not do
}

}  // namespace
}  // namespace medlar::test

// Sums that carry their rounding along, under every instruction set: against sums of many digits.
#include "medlar/simd/sum_loops.hpp"

#include "simd/instruction_sets.hpp"
#include "support/high_precision.hpp"

namespace medlar::test {
namespace {

constexpr double kRoundingOfSums = kRounding<double>;
using RealOfSums = RealWith<60>;

// Terms of forty decades and either sign, the second half undoing most of the first: plain sums have no digit left.
std::vector<double> cancelling(std::size_t size, unsigned seed) {
  std::vector<double> terms = over_decades<double>(size, 20, seed);
  for (std::size_t k = size / 2; k < size; ++k) terms[k] = -terms[k - size / 2] * (k % 7 == 0 ? 0.75 : 1);
  return terms;
}

// Products by them are exact, whether or not a processor rounds them before it adds.
std::vector<double> powers_of_2(std::size_t size) {
  std::vector<double> powers(size);
  for (std::size_t k = 0; k < size; ++k) powers[k] = std::ldexp(1.0, static_cast<int>(k % 5) - 2);
  return powers;
}

TEST(SumLoops, AreRightToTheirLastDigitWhateverCancels) {
  for (const std::size_t size : loop_sizes()) {
    ArrayAtTheEdge<double> a(cancelling(size, 1)), b(powers_of_2(size));
    RealOfSums sum = 0, sizes = 0, dot = 0, dot_sizes = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const RealOfSums product(-4 * a[k] * b[k]);
      sum += RealOfSums(a[k]), sizes += abs(RealOfSums(a[k]));
      dot += product, dot_sizes += abs(product);
    }
    const double terms = static_cast<double>(size) + 20,
                 second_order = terms * terms * kRoundingOfSums * kRoundingOfSums;
    with_every_instruction_set([&] {
      const RealOfSums s(compensated_sum(a.data(), size)), d(compensated_dot(-4, a.data(), b.data(), size));
      EXPECT_LE(abs(s - sum), RealOfSums(2 * kRoundingOfSums) * abs(sum) + RealOfSums(second_order) * sizes) << size;
      EXPECT_LE(abs(d - dot), RealOfSums(2 * kRoundingOfSums) * abs(dot) + RealOfSums(second_order) * dot_sizes)
          << size;
    });
  }
}

TEST(SumLoops, InfiniteTermsMakeAnInfiniteSum) {
  std::vector<double> terms(37, 1.0);
  terms[20] = -HUGE_VAL;
  with_every_instruction_set([&] { EXPECT_EQ(compensated_sum(terms.data(), terms.size()), -HUGE_VAL); });
}

}  // namespace
}  // namespace medlar::test

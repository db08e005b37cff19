// Loops over residuals, under every instruction set: against the functions of one residual, which have their own tests
// against many digits.
#include "medlar/simd/tube_loops.hpp"

#include "medlar/priors/margins/tube.hpp"
#include "simd/instruction_sets.hpp"

namespace medlar::test {
namespace {

constexpr double kUnitsOfTubes = 64 * kRounding<double>;

const std::vector<std::pair<double, double>> kTubes{{5, 0.1},    {1, 0},       {1e-3, 0.7}, {30, 10},  {1e4, 0.1},
                                                    {1e6, 1e-3}, {0.5, 1e-12}, {20, 1e3},   {1e3, 0.5}};

// Margins inside the dead zone, at most 1e-9 outside it, and up to a thousand times as far as the middle of the domain.
std::vector<double> margins_of_tube(const TubeMargin& psi, std::size_t size) {
  std::vector<double> margin = over_decades<double>(size, 6, 3);
  const double edge = -psi.slope(0), middle = -psi.slope(0.5 * psi.c);
  for (std::size_t k = 0; k < size; ++k) {
    const double part = std::abs(margin[k]);
    margin[k] = k % 3 == 0   ? -edge * (1 + 1e-3 * margin[k])
                : k % 3 == 1 ? -edge - 1e-3 * part * (middle - edge)
                             : margin[k];
  }
  return margin;
}

TEST(TubeLoops, ResponsesAreThoseOfOneMargin) {
  for (const auto& [c, epsilon] : kTubes) {
    const TubeMargin psi(c, epsilon);
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{7}, std::size_t{8}, std::size_t{300}, std::size_t{3001}}) {
      const std::vector<double> margin = margins_of_tube(psi, size);
      with_every_instruction_set([&] {
        std::vector<double> loss(size, -1), lambda(size, -1), bend(size, -1), lambda2(size, -1), bend2(size, -1);
        psi.respond_all(margin, loss, lambda, bend);
        psi.respond_all(margin, {}, lambda2, bend2);
        for (std::size_t k = 0; k < size; ++k) {
          const Response one = psi.respond(margin[k]);
          // A residual rounded by one unit moves lambda by that over the variance, and c - lambda has what c lost.
          const double unit = kUnitsOfTubes * std::abs(margin[k]),
                       moved = unit * one.bend + kUnitsOfTubes * one.multiplier;
          ASSERT_NEAR(lambda[k], one.multiplier, moved) << c << ' ' << epsilon << ' ' << margin[k];
          ASSERT_NEAR(bend[k], one.bend, 1e-7 * one.bend) << c << ' ' << epsilon << ' ' << margin[k];
          const double terms = one.loss + one.multiplier * std::abs(margin[k]);
          ASSERT_NEAR(loss[k], one.loss, kUnitsOfTubes * terms) << c << ' ' << epsilon << ' ' << margin[k];
          ASSERT_LT(lambda[k], c);
          ASSERT_EQ(lambda2[k], lambda[k]);
          ASSERT_EQ(bend2[k], bend[k]);
        }
      });
    }
  }
}

TEST(TubeLoops, NearlyAllResidualsSettle) {
  const TubeMargin psi(5, 0.1);
  std::vector<double> residual;
  const double edge = -psi.slope(0);
  for (double excess = 1e-6; excess < 1e6; excess *= 1.01) residual.push_back(edge * (1 + excess));
  std::size_t unsettled = 0;
  std::vector<double> lambda(residual.size()), bend(residual.size());
  const TubePrior prior = psi.for_loops();
  tube_responses(prior, residual.data(), nullptr, lambda.data(), bend.data(), residual.size());
  for (const double each : lambda) unsettled += each < 0 ? 1 : 0;
  EXPECT_EQ(unsettled, 0u);
}

TEST(TubeLoops, AMarginThatIsNoNumberIsNotPassedOver) {
  const TubeMargin psi(5, 0.1);
  const std::vector<double> margin(3, std::nan(""));
  with_every_instruction_set([&] {
    std::vector<double> loss(3), lambda(3), bend(3);
    psi.respond_all(margin, loss, lambda, bend);
    EXPECT_TRUE(std::isnan(loss[0]) || std::isnan(lambda[0]) || std::isnan(bend[0]));
  });
}

TEST(TubeLoops, ValuesAreThoseOfOneMultiplier) {
  for (const auto& [c, epsilon] : kTubes) {
    const TubeMargin psi(c, epsilon);
    for (const std::size_t size : loop_sizes()) {
      const std::vector<double> lambda = multipliers_up_to(c, size);
      ArrayAtTheEdge<double> from(lambda);
      with_every_instruction_set([&] {
        ArrayAtTheEdge<double> value(std::vector<double>(size, -1));
        tube_values(psi.for_loops(), from.data(), value.data(), size);
        for (std::size_t k = 0; k < size; ++k) {
          const double one = psi.value(lambda[k]);
          if (std::isinf(one)) {
            ASSERT_EQ(value[k], one) << lambda[k];
          } else {
            ASSERT_NEAR(value[k], one, kUnitsOfTubes * std::abs(one)) << c << ' ' << epsilon << ' ' << lambda[k];
          }
        }
      });
    }
  }
}

}  // namespace
}  // namespace medlar::test

// Loops over margins, under every instruction set: against the functions of one margin, which have their own tests
// against quadrature and many digits.
#include "medlar/simd/margin_loops.hpp"

#include "medlar/priors/margins/exponential.hpp"
#include "medlar/priors/margins/logistic.hpp"
#include "simd/instruction_sets.hpp"

namespace medlar::test {
namespace {

// Log1p is right to 2 units in the last place, and where it is used the defect is at least a sixth of its argument.
constexpr double kUnitsOfMargins = 32 * kRounding<double>;

// Margins on both sides of where the loss begins, from far away to within 1e-12 of it, and beyond.
std::vector<double> some_margins(const ExponentialMargin& psi, std::size_t size, unsigned seed) {
  std::vector<double> margin = over_decades<double>(size, 12, seed);
  for (double& each : margin) each = psi.slope(0) + (std::abs(each) > 1e3 ? 1e-3 * each : each);
  return margin;
}

TEST(MarginLoops, ResponsesAreThoseOfOneMargin) {
  for (const auto& [c, location] : {std::pair{5.0, 1.0}, {1.5, 1.0}, {1e4, 1.0}, {0.3, 40.0}, {2.0, 0.1}}) {
    const ExponentialMargin psi{c, location};
    for (const std::size_t size : loop_sizes()) {
      ArrayAtTheEdge<double> margin(some_margins(psi, size, 1));
      with_every_instruction_set([&] {
        const std::vector<double> unset(size, -1);
        ArrayAtTheEdge<double> loss(unset), lambda(unset), bend(unset), lambda2(unset), bend2(unset);
        exponential_responses({c, location}, margin.data(), loss.data(), lambda.data(), bend.data(), size);
        exponential_responses({c, location}, margin.data(), nullptr, lambda2.data(), bend2.data(), size);
        for (std::size_t k = 0; k < size; ++k) {
          const Response one = respond(psi, margin[k]);
          // Without fused products z is off by a rounding of c m.
          const double dz = 4 * kRounding<double> * c * (std::abs(margin[k]) + location);
          const double gap = std::abs(location - margin[k]), per_z = one.multiplier / c, room = c - one.multiplier;
          ASSERT_NEAR(loss[k], one.loss, kUnitsOfMargins * one.loss + dz * (per_z + dz)) << margin[k];
          ASSERT_NEAR(lambda[k], one.multiplier, kUnitsOfMargins * one.multiplier + dz / gap) << margin[k];
          if (one.multiplier > 0 && lambda[k] > 0) {  // c - lambda has lost what lambda was rounded by
            const double loss_of_room = kUnitsOfMargins * c + dz / gap;
            ASSERT_NEAR(bend[k], one.bend, 3 * room * loss_of_room + loss_of_room * loss_of_room) << margin[k];
          }
          ASSERT_LT(lambda[k], c);
          ASSERT_EQ(lambda2[k], lambda[k]);
          ASSERT_EQ(bend2[k], bend[k]);
        }
      });
    }
  }
}

TEST(MarginLoops, AMarginThatIsNoNumberIsNotPassedOver) {
  const double nan = std::nan("");
  with_every_instruction_set([&] {
    double loss = 0, lambda = 0, bend = 0;
    exponential_responses({5, 1}, &nan, &loss, &lambda, &bend, 1);
    EXPECT_TRUE(std::isnan(loss));
    loss = 0;
    logistic_responses({5, 1, 1e-300}, &nan, &loss, &lambda, &bend, 1);
    EXPECT_TRUE(std::isnan(loss));
  });
}

TEST(MarginLoops, ValuesAreThoseOfOneMultiplier) {
  for (const auto& [c, location] : {std::pair{5.0, 1.0}, {1e4, 1.0}, {0.3, 40.0}}) {
    const ExponentialMargin psi{c, location};
    for (const std::size_t size : loop_sizes()) {
      const std::vector<double> lambda = multipliers_up_to(c, size);
      ArrayAtTheEdge<double> from(lambda);
      with_every_instruction_set([&] {
        ArrayAtTheEdge<double> value(std::vector<double>(size, -1));
        exponential_values({c, location}, from.data(), value.data(), size);
        for (std::size_t k = 0; k < size; ++k) {
          const double one = psi.value(lambda[k]), x = lambda[k] / c;
          if (std::isinf(one)) {
            ASSERT_EQ(value[k], one) << lambda[k];
          } else {  // of the terms that are taken together, not of what they leave
            const double terms = std::abs(one) + x * std::abs(c * location - 1) + std::abs(std::log1p(-x));
            ASSERT_NEAR(value[k], one, kUnitsOfMargins * terms) << lambda[k];
          }
        }
      });
    }
  }
}

// Far margins among them, where e^{-m} has no double.
TEST(MarginLoops, LogisticResponsesAreThoseOfOneMargin) {
  for (const auto& [c, location] : {std::pair{1.0, 0.0}, {1e-3, 0.0}, {1e3, 2.5}}) {
    const LogisticMargin psi{c, location};
    for (const std::size_t size : loop_sizes()) {
      std::vector<double> margins = over_decades<double>(size, 12, 3);
      for (double& each : margins) each = location + (std::abs(each) > 1e4 ? 1e-3 * each : each);
      ArrayAtTheEdge<double> margin(margins);
      with_every_instruction_set([&] {
        const std::vector<double> unset(size, -1);
        ArrayAtTheEdge<double> loss(unset), lambda(unset), bend(unset), lambda2(unset), bend2(unset);
        logistic_responses({c, location, 1e-300}, margin.data(), loss.data(), lambda.data(), bend.data(), size);
        logistic_responses({c, location, 1e-300}, margin.data(), nullptr, lambda2.data(), bend2.data(), size);
        for (std::size_t k = 0; k < size; ++k) {
          const Response one = respond(psi, margin[k]);
          const double exponent = kUnitsOfMargins * (1 + std::min(800.0, std::abs(margin[k] - location)));
          ASSERT_NEAR(loss[k], one.loss, exponent * one.loss + 1e-300) << margin[k];
          ASSERT_NEAR(lambda[k], one.multiplier, exponent * one.multiplier + 1e-300) << margin[k];
          ASSERT_NEAR(bend[k], one.bend, exponent * one.bend + kUnitsOfMargins * c * (margin[k] < location))
              << margin[k];
          ASSERT_GT(lambda[k], 0);
          ASSERT_LT(lambda[k], c);
          ASSERT_EQ(lambda2[k], lambda[k]);
          ASSERT_EQ(bend2[k], bend[k]);
        }
      });
    }
  }
}

TEST(MarginLoops, LogisticValuesAreThoseOfOneMultiplier) {
  for (const auto& [c, location] : {std::pair{1.0, 0.0}, {1e-3, 0.0}, {1e3, 2.5}}) {
    const LogisticMargin psi{c, location};
    std::vector<double> lambdas{0, c, -1e-9, 1.01 * c, 1e-300, std::nextafter(c, 0.0)};
    for (const double share : {1e-9, 1e-3, 0.2, 0.5, 0.7, 0.99, 1 - 1e-9}) lambdas.push_back(share * c);
    ArrayAtTheEdge<double> lambda(lambdas);
    with_every_instruction_set([&] {
      ArrayAtTheEdge<double> value(std::vector<double>(lambdas.size(), -1));
      logistic_values({c, location, 1e-300}, lambda.data(), value.data(), lambdas.size());
      for (std::size_t k = 0; k < lambdas.size(); ++k) {
        const double one = psi.value(lambdas[k]);
        if (std::isinf(one)) {
          ASSERT_EQ(value[k], one) << lambdas[k];
        } else {
          ASSERT_NEAR(value[k], one, kUnitsOfMargins * (std::abs(one) + location * lambdas[k])) << lambdas[k];
        }
      }
    });
  }
}

}  // namespace
}  // namespace medlar::test

// psi.proximal(g, q, guess), the step of dual coordinate ascent: the maximiser of psi(l) + g l - q l^2/2 on the domain,
// against a bisection on the slope of that function, which falls with l, in the plain formulas of the reference.
#include <gtest/gtest.h>

#include "reference/random_problem.hpp"
#include "support/samples.hpp"

namespace medlar::test {
namespace {

template <class P>
const char* name_of();
template <>
const char* name_of<ExponentialMargin>() {
  return "exponential";
}
template <>
const char* name_of<LaplaceMargin>() {
  return "laplace";
}
template <>
const char* name_of<GaussianMargin>() {
  return "gaussian";
}
template <>
const char* name_of<HingeMargin>() {
  return "hinge";
}
template <>
const char* name_of<LogisticMargin>() {
  return "logistic";
}
template <>
const char* name_of<TubeMargin>() {
  return "tube";
}
template <>
const char* name_of<SvrMargin>() {
  return "svr";
}

// One random step. g counts from where the maximiser leaves 0, so that both sides of that edge are met.
template <class P>
struct Step {
  explicit Step(unsigned seed) {
    RandomProblem random(seed);
    constexpr bool kTube = std::is_same_v<P, TubeMargin> || std::is_same_v<P, SvrMargin>;
    psi = P{random.log_uniform(0.5, 1e4), kTube ? random.log_uniform(1e-4, 3) : random.uniform(-1, 2)};
    plain.name = name_of<P>();
    plain.c = psi.c;
    (kTube ? plain.epsilon : plain.location) = second();
    const double pull = random.log_uniform(1e-6, 1e6);
    const Real edge = psi.domain().steep ? Real(second()) : plain.slope(0);
    g = static_cast<double>((random.below(5) == 0 ? -pull : pull) - edge);
    q = random.below(5) == 0 ? 0 : random.log_uniform(1e-12, 1e12);
    const double end = std::min(psi.domain().upper, 1e8);
    const double guesses[] = {0, random.uniform(0, end), random.log_uniform(1e-300, 1e300), end,
                              std::nextafter(end, 0.0)};
    guess = guesses[random.below(5)];
  }

  double second() const { return second_parameter(psi); }
  // Of psi(l) + g l - q l^2/2. The plain formula of the tube is a difference of numbers of size 1/l, which no longer
  // serves for small l; its psi' is held to a hundred digits elsewhere.
  Real slope(Real l) const {
    const Real own = std::is_same_v<P, TubeMargin> ? psi.slope(static_cast<double>(l)) : plain.slope(l);
    return own + g - q * l;
  }

  Real exact() const {
    Real low = 0, high = std::isinf(plain.upper()) ? plain.c * plain.c * (std::abs(g) + 3) : plain.upper();
    if (slope(0) <= 0) return 0;
    if (psi.domain().closed && slope(high) >= 0) return high;
    for (int step = 0; step < 200; ++step) {
      const Real middle = low > 0 || step > 100 ? (low + high) / 2 : high / 1000;
      (slope(middle) > 0 ? low : high) = middle;
    }
    return low;
  }

  P psi;
  PlainMargin plain;
  double g = 0, q = 0, guess = 0;
};

template <class P>
std::ostream& operator<<(std::ostream& out, const Step<P>& step) {
  return out << fmt::format("c {:.17g}, {:.17g}; g {:.17g}, q {:.17g}, guess {:.17g}", step.psi.c, step.second(),
                            step.g, step.q, step.guess);
}

template <class P>
class Proximal : public testing::Test {};
TYPED_TEST_SUITE(Proximal, Potentials);

// Nine digits, and what the rounding of psi'(0) + g moves the maximiser by.
TYPED_TEST(Proximal, IsTheMaximiserFromAnyGuess) {
  for (unsigned seed = 1; seed <= 8000; ++seed) {
    const Step<TypeParam> step(seed);
    const double found = step.psi.proximal(step.g, step.q, step.guess);
    const Domain domain = step.psi.domain();
    ASSERT_GE(found, 0) << step;
    ASSERT_TRUE(domain.closed ? found <= domain.upper : found < domain.upper) << step << ": " << found;
    const Real exact = step.exact(), noise = 1e-15L * (std::abs(step.g) + margin_size(step.psi));
    const Real stiffness = step.q - step.psi.curvature(static_cast<double>(exact));
    const Real blur = exact > 0 && stiffness > 0 ? noise / stiffness : 0;
    const Real least = domain.steep ? 1.01e-300L : 0;  // where a steep domain is taken to begin
    ASSERT_LE(std::abs(found - exact), 1e-9L * exact + blur + least) << step << ": " << found << ", not " << exact;
  }
}

// A guess says where to look, and no more: the answer is the same to nine digits.
TYPED_TEST(Proximal, ForgetsTheGuess) {
  for (unsigned seed = 1; seed <= 500; ++seed) {
    const Step<TypeParam> step(seed);
    const double end = step.psi.domain().upper, from_zero = step.psi.proximal(step.g, step.q, 0);
    for (const double guess : {1e-300, 1e-9 * step.psi.c, 0.5 * step.psi.c, (1 - 1e-9) * step.psi.c,
                               (1 - 1e-12) * step.psi.c, std::nextafter(end, 0.0), 1e300}) {
      ASSERT_NEAR(step.psi.proximal(step.g, step.q, guess), from_zero, 2e-9 * from_zero) << step << ": " << guess;
    }
  }
}

// An open domain is never left, however strong the pull: psi is minus infinity at c.
TYPED_TEST(Proximal, StaysInsideUnderAnyPull) {
  for (unsigned seed = 1; seed <= 500; ++seed) {
    const Step<TypeParam> step(seed);
    const Domain domain = step.psi.domain();
    for (const double pull : {1e8, 1e16, 1e30, 1e100}) {
      const double found = step.psi.proximal(pull, 0, step.guess);
      ASSERT_TRUE(std::isfinite(step.psi.value(found))) << step << " under " << pull << ": " << found;
      ASSERT_GE(found, (1 - 1e-6) * std::min(domain.upper, 0.9 * pull * step.psi.c * step.psi.c))
          << step << " under " << pull;
      const double least = step.psi.proximal(-pull, 0, step.guess);
      ASSERT_TRUE(domain.steep ? least > 0 && least < 1e-290 : least == 0) << step << ": " << least;
    }
  }
}

}  // namespace
}  // namespace medlar::test

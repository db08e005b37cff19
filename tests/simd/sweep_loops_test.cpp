// The inner loops of dual coordinate ascent in single precision, under every instruction set: each against a plain loop
// of more digits, to the error that its order of operations may have. Two instruction sets agree to twice that error.
#include "medlar/simd/sweep_loops.hpp"

#include <fmt/format.h>

#include <string>

#include "medlar/priors/coefficients/switches.hpp"
#include "simd/instruction_sets.hpp"

namespace medlar::test {
namespace {

constexpr double kUlp = kRounding<float>;

// A sum in two accumulators of at least four lanes: an eighth of the terms meet in one, and then a few sums of sums.
double allowed_error(std::size_t size, double sizes) {
  return kUlp * (static_cast<double>(size) / 8 + 12) * sizes;
}

TEST(SweepLoops, EveryInstructionSetIsTried) {
  std::vector<std::string> tried;
  with_every_instruction_set([&] { tried.push_back(kernel_target()); });
  EXPECT_NE(std::find(tried.begin(), tried.end(), kernel_target()), tried.end());  // the best among them
#if defined(__x86_64__)
  EXPECT_GE(tried.size(), 2u);  // this machine's own and the emulated one
#endif
}

// Products stay within the range of floats: 10^-34 to 10^34.
TEST(SweepLoops, DotsAreRoundedOncePerTermOfALane) {
  for (const std::size_t size : loop_sizes()) {
    ArrayAtTheEdge<float> x(over_decades<float>(size, 20, 1)), w(over_decades<float>(size, 14, 2));
    double exact = 0, sizes = 0;
    for (std::size_t i = 0; i < size; ++i) {
      exact += static_cast<double>(x[i]) * w[i];
      sizes += std::abs(static_cast<double>(x[i]) * w[i]);
    }
    with_every_instruction_set(
        [&] { EXPECT_NEAR(dot_floats(x.data(), w.data(), size), exact, allowed_error(size, sizes)) << size; });
  }
}

TEST(SweepLoops, ScaledRowsAreAddedToEveryEntryAndNoOther) {
  const float scale = -0.3f;
  for (const std::size_t size : loop_sizes()) {
    ArrayAtTheEdge<float> x(over_decades<float>(size, 20, 3));
    const std::vector<float> before = over_decades<float>(size + 1, 20, 4);
    with_every_instruction_set([&] {
      ArrayAtTheEdge<float> w(before);  // its first entry is not of the row
      add_scaled_floats(x.data(), scale, w.data() + 1, size);
      EXPECT_EQ(w[0], before[0]);
      for (std::size_t i = 0; i < size; ++i) {
        const double term = static_cast<double>(scale) * x[i], sum = before[i + 1] + term;
        ASSERT_NEAR(w[i + 1], sum, kUlp * (std::abs(term) + std::abs(sum)) * 1.001) << i << " of " << size;
      }
    });
  }
}

TEST(SweepLoops, ScoresAndCurvaturesComeTogether) {
  for (const std::size_t size : loop_sizes()) {
    ArrayAtTheEdge<float> x(over_decades<float>(size, 12, 5)), w(over_decades<float>(size, 20, 6));
    std::vector<float> curvatures = over_decades<float>(size, 12, 7);
    for (float& each : curvatures) each = std::abs(each);
    ArrayAtTheEdge<float> d(curvatures);
    double score = 0, sizes = 0, curvature = 0;
    for (std::size_t i = 0; i < size; ++i) {
      score += static_cast<double>(x[i]) * w[i];
      sizes += std::abs(static_cast<double>(x[i]) * w[i]);
      curvature += static_cast<double>(x[i]) * x[i] * d[i];
    }
    with_every_instruction_set([&] {
      const LocalCurvature local = score_and_curvature(x.data(), w.data(), d.data(), size);
      EXPECT_NEAR(local.score, score, allowed_error(size, sizes)) << size;
      EXPECT_NEAR(local.curvature, curvature, allowed_error(size, curvature)) << size;
    });
  }
}

// Switches of the given prior probabilities at V up to 30 in size, about half of them where they turn on.
struct Switches {
  Switches(std::vector<double> inclusion, double variance, unsigned seed)
      : p(std::move(inclusion)), partition(p, variance) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (const double each : p) {
      logit.push_back(static_cast<float>(std::log(each) - std::log1p(-each)));
      const double middle = std::sqrt(2 / variance * std::max(0.0, -static_cast<double>(logit.back())));
      const bool near = std::isfinite(middle) && random() % 2 == 0;
      v.push_back(static_cast<float>(std::clamp(near ? middle + unit(random) : 30 * unit(random), -30.0, 30.0)));
      x.push_back(static_cast<float>(unit(random)));
    }
  }

  std::vector<double> p;
  SwitchPartition partition;
  std::vector<float> logit, v, x;
};

constexpr double kNever = 1e-30;  // what counts as 0 of a switch that is off for certain

void expect_moved(const Switches& switches, bool same, float scale) {
  const std::size_t size = switches.p.size();
  ArrayAtTheEdge<float> x(switches.x), v(switches.v), w(std::vector<float>(size, NAN)),
      d(std::vector<float>(size, NAN)),
      logit(same ? std::vector<float>{switches.logit.empty() ? 0.0f : switches.logit[0]} : switches.logit);
  const auto variance = static_cast<float>(switches.partition.prior_variance());
  const float score =
      move_switches({variance, logit.data(), same}, x.data(), scale, v.data(), w.data(), d.data(), size);
  double exact = 0, sizes = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double term = static_cast<double>(scale) * x[i], moved = switches.v[i] + term;
    ASSERT_NEAR(v[i], moved, kUlp * (std::abs(term) + std::abs(moved)) * 1.001);
    const auto k = static_cast<Index>(i);
    const double mean = switches.partition.mean_at(k, v[i]), curvature = switches.partition.variance_at(k, v[i]);
    const auto where = [&] { return fmt::format("{} of {}: p {}, V {}", i, size, switches.p[i], v[i]); };
    ASSERT_NEAR(w[i], mean, 1e-5 * std::abs(mean) + kNever) << where();
    ASSERT_NEAR(d[i], curvature, 1e-5 * curvature + 1000 * kNever) << where();
    if (v[i] != 0) {
      const double on = switches.partition.inclusion_at(k, v[i]);
      ASSERT_NEAR(w[i] / (variance * v[i]), on, 1e-5 * on + kNever) << where();
    }
    exact += static_cast<double>(x[i]) * w[i];
    sizes += std::abs(static_cast<double>(x[i]) * w[i]);
  }
  ASSERT_NEAR(score, exact, kUlp * (static_cast<double>(size) / 4 + 12) * sizes) << size;
}

TEST(SweepLoops, SwitchesFollowTheirPartition) {
  for (const std::size_t size : loop_sizes()) {
    for (const double p0 : {1e-8, 1e-3, 0.5, 1.0}) {
      for (const double variance : {0.25, 1.0, 4.0}) {
        const Switches switches(std::vector<double>(size, p0), variance, static_cast<unsigned>(size));
        with_every_instruction_set([&] {
          expect_moved(switches, true, 0.0f);
          expect_moved(switches, true, -0.7f);
        });
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Some are off for certain, some on for certain; the others are spread over decades.
TEST(SweepLoops, EverySwitchMayHaveItsOwnProbability) {
  for (const std::size_t size : loop_sizes()) {
    std::vector<double> p = over_decades<double>(size, 8, 9);
    for (std::size_t i = 0; i < size; ++i) p[i] = i % 5 == 0 ? 0.0 : i % 5 == 1 ? 1.0 : std::min(1.0, std::abs(p[i]));
    const Switches switches(p, 1.0, static_cast<unsigned>(size));
    with_every_instruction_set([&] { expect_moved(switches, false, 0.4f); });
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace medlar::test

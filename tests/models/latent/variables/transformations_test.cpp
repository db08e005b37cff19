// Latent transformations: log-sums against quadrature and plain sums, maps against what they should do to pictures, the
// alternation's total, and a template that finds the shifts it was not told.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "medlar/models/latent/variables/choices.hpp"
#include "medlar/models/latent/variables/drive.hpp"
#include "medlar/models/latent/variables/mean_template.hpp"
#include "medlar/models/latent/variables/transformation_terms.hpp"
#include "medlar/models/latent/variables/witnesses.hpp"
#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/coefficients/switches.hpp"
#include "medlar/priors/margins/margin.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

// log E[e^{lambda y L(x - sum U_j d_j)}] over U_j ~ N(0,1), by the trapezoidal rule over the one projection that
// counts.
TEST(Translation, LogSumIsThatOfTheQuadrature) {
  for (const double margin : {-2.0, 0.3, 1.4}) {
    for (const double spread : {0.0, 0.2, 1.5}) {
      for (const double lambda : {0.0, 0.7, 2.5}) {
        const double step = 0.02, sd = std::sqrt(spread);
        double sum = 0, first = 0;
        for (double u = -14; u <= 14; u += step) {
          const double weight = step * std::exp(-0.5 * u * u + lambda * (margin - u * sd)) / std::sqrt(2 * M_PI);
          sum += weight, first += weight * u;
        }
        const Translation k{margin, spread};
        EXPECT_NEAR(k.value(lambda), std::log(sum), 1e-12 * (1 + std::abs(k.value(lambda))));
        EXPECT_NEAR(first / sum, -lambda * sd, 1e-10);  // E[U] = -lambda y (w.d)
        EXPECT_NEAR(k.slope(lambda), margin + lambda * spread, 1e-14);
      }
    }
  }
}

TEST(Choices, LogSumAndItsSlopesAreThoseOfThePlainSum) {
  const std::vector<double> scores{-1.5, 0.2, 2, 0.7}, prior{0.1, 0.4, 0, 0.5};
  for (const double sign : {1.0, -1.0}) {
    const Choices k{scores, prior, sign};
    for (const double lambda : {0.0, 0.5, 3.0, -2.0}) {
      double sum = 0;
      for (std::size_t u = 0; u < 4; ++u) sum += prior[u] * std::exp(lambda * sign * scores[u]);
      EXPECT_NEAR(k.value(lambda), std::log(sum), 1e-14 * 10);
      double total = 0, mean = 0;
      for (std::size_t u = 0; u < 4; ++u) {
        total += k.posterior(u, lambda), mean += k.posterior(u, lambda) * sign * scores[u];
        EXPECT_NEAR(k.posterior(u, lambda), prior[u] * std::exp(lambda * sign * scores[u]) / sum, 1e-14);
      }
      EXPECT_NEAR(total, 1, 1e-14);
      EXPECT_NEAR(k.slope(lambda), mean, 1e-14);
      const double h = 1e-5;
      EXPECT_NEAR(k.curvature(lambda), (k.slope(lambda + h) - k.slope(lambda - h)) / (2 * h), 1e-8);
    }
    EXPECT_DOUBLE_EQ(k.largest(), sign > 0 ? 0.7 : 1.5);  // the choice of probability 0 does not count
  }
}

TEST(Maps, ShiftASignalAndKeepItsEnds) {
  const Maps maps = Maps::of_signal(4, 1);
  ASSERT_EQ(maps.count(), 3U);
  const std::vector<double> x{1, 2, 3, 4};
  std::vector<double> out(4);
  maps.apply(0, x, out);
  EXPECT_EQ(out, x);
  maps.apply(1, x, out);
  EXPECT_EQ(out, (std::vector<double>{2, 3, 4, 4}));
  maps.apply(2, x, out);
  EXPECT_EQ(out, (std::vector<double>{1, 1, 2, 3}));
}

TEST(Maps, ShiftAndTurnAnImage) {
  const Maps shifts = Maps::of_image(3, 3, 1, 0);
  ASSERT_EQ(shifts.count(), 9U);
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<double> out(9);
  shifts.apply(0, x, out);
  EXPECT_EQ(out, x);
  shifts.apply(1, x, out);  // one to the left
  EXPECT_EQ(out, (std::vector<double>{2, 3, 3, 5, 6, 6, 8, 9, 9}));
  shifts.apply(3, x, out);  // one up
  EXPECT_EQ(out, (std::vector<double>{4, 5, 6, 7, 8, 9, 7, 8, 9}));
  const Maps turns = Maps::of_image(3, 3, 0, 90);
  ASSERT_EQ(turns.count(), 3U);
  turns.apply(1, x, out);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(out[i], (std::vector<double>{7, 4, 1, 8, 5, 2, 9, 6, 3})[i], 1e-12);
  turns.apply(2, x, out);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(out[i], (std::vector<double>{3, 6, 9, 2, 5, 8, 1, 4, 7})[i], 1e-12);
}

TEST(Maps, TakeTheBackgroundOfAnImageThatHasOne) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<double> out(9);
  const Maps shifts = Maps::of_image(3, 3, 1, 0, -1.0);
  shifts.apply(0, x, out);
  EXPECT_EQ(out, x);
  shifts.apply(1, x, out);  // one to the left
  EXPECT_EQ(out, (std::vector<double>{2, 3, -1, 5, 6, -1, 8, 9, -1}));
  const Maps turns = Maps::of_image(3, 3, 0, 45, 0.0);
  turns.apply(1, std::vector<double>(9, 1.0), out);
  EXPECT_NEAR(out[4], 1, 1e-12);
  EXPECT_NEAR(out[0], 2 - std::sqrt(2.0), 1e-12);  // a corner lies sqrt(2) - 1 outside
  EXPECT_EQ(background_of(dense({{7, 7, 7, 7, 1, 2, 7, 7, 3}, {7, 7, 7, 7, 5, 1, 2, 3, 4}}), 3, 3), 7.0);
  EXPECT_EQ(background_of(dense({{7, 7, 7, 7, 7, 1, 2, 3, 4}}), 3, 3), std::nullopt);  // the middle does not count
}

TEST(Maps, GivenMatricesComeAfterTheIdentity) {
  const std::vector<double> swap{0, 1, 1, 0};
  const Maps maps = Maps::of_matrices(2, swap);
  ASSERT_EQ(maps.count(), 2U);
  const Matrix all = maps.apply_all(dense({{3, 4}}));
  EXPECT_EQ(dense_row(all, 0), (std::vector<double>{3, 4}));
  EXPECT_EQ(dense_row(all, 1), (std::vector<double>{4, 3}));
  EXPECT_EQ(Maps::of_matrices(2, std::vector<double>{1, 0, 0, 1}).count(), 1U);
}

// A bump at a random place within reach: the template brings all bumps to one place.
TEST(MeanTemplate, FindsTheShiftsItWasNotTold) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Rows rows;
  for (int t = 0; t < 60; ++t) {
    const int place = 10 + static_cast<int>(random() % 5) - 2;
    std::vector<double> row;
    for (int i = 0; i < 21; ++i) row.push_back(5 * std::exp(-0.5 * (i - place) * (i - place)) + 0.1 * normal(random));
    rows.push_back(row);
  }
  const Maps maps = Maps::of_signal(21, 4);
  const Matrix x = dense(rows);
  const MeanTemplate about = fit_template(maps, x);
  for (const double each : about.variance) EXPECT_LT(each, 0.1);
  const Matrix aligned = expected_rows(maps, about, x);
  const auto peak = [&](Index t) {
    const std::vector<double> row = dense_row(aligned, t);
    return std::max_element(row.begin(), row.end()) - row.begin();
  };
  for (Index t = 1; t < 60; ++t) EXPECT_EQ(peak(t), peak(0));
}

// Figures of random form inside a frame that is empty: no mean figure says where they stand, but the frame does.
TEST(MeanTemplate, IsPlacedByWhatDoesNotVary) {
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal;
  Rows rows, still;
  for (int t = 0; t < 80; ++t) {
    const auto down = static_cast<std::size_t>(random() % 3), right = static_cast<std::size_t>(random() % 3);
    rows.emplace_back(49, 0.0), still.emplace_back(49, 0.0);
    for (std::size_t i = 0; i < 25; ++i) {
      const double value = std::abs(normal(random));
      rows.back()[(down + i / 5) * 7 + right + i % 5] = still.back()[(1 + i / 5) * 7 + 1 + i % 5] = value;
    }
  }
  const Matrix x = dense(rows);
  const Maps maps = Maps::of_image(7, 7, 1, 0, background_of(x, 7, 7));
  const Matrix aligned = expected_rows(maps, fit_template(maps, x), x);
  int there = 0;
  for (Index t = 0; t < 80; ++t) {
    double apart = 0;
    for (std::size_t i = 0; i < 49; ++i) {
      apart = std::max(apart, std::abs(dense_row(aligned, t)[i] - still[static_cast<std::size_t>(t)][i]));
    }
    there += apart < 1e-3;
  }
  EXPECT_GE(there, 76);
}

// Features that are drawn apart are witnesses each; copies of one are one.
TEST(MeanTemplate, CountsFeaturesThatErrTogetherOnce) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  const Maps only = Maps::of_signal(40, 0);
  for (const std::size_t copies : {1U, 4U, 20U}) {
    Rows rows;
    for (int t = 0; t < 150; ++t) {
      rows.emplace_back();
      for (std::size_t i = 0; i < 40; ++i) rows.back().push_back(i % copies == 0 ? normal(random) : rows.back().back());
    }
    const double together =
        features_that_err_together(only, {std::vector<double>(40, 0.0), std::vector<double>(40, 1.0)}, dense(rows));
    EXPECT_NEAR(together, static_cast<double>(copies), 0.1 * static_cast<double>(copies));
  }
}

TEST(MeanTemplate, OfOneMapChangesNothing) {
  const Sample drawn = sample(true, 12, 4, 2);
  const Maps only = Maps::of_signal(4, 0);
  const Matrix x = dense(drawn.x), expected = expected_rows(only, fit_template(only, x), x);
  for (Index t = 0; t < 12; ++t) EXPECT_EQ(dense_row(expected, t), dense_row(x, t));
}

TEST(MeanTemplate, LeavesEmptyWhatOnlyImprobableMapsFill) {
  const Maps maps = Maps::of_signal(5, 1);
  const std::vector<double> figure{0, 0, 4, 0, 0};
  const Matrix x = dense({figure});
  for (const double variance : {0.5, 0.05, 0.022}) {  // the next shift has probability 1e-14, 1e-139, 1e-316
    const MeanTemplate about{figure, std::vector<double>(5, variance)};
    EXPECT_GT(about.posterior(std::vector<double>{0, 0, 4, 0, 0, 0, 4, 0, 0, 0})[1], 0);
    const std::vector<double> row = dense_row(expected_rows(maps, about, x), 0);
    EXPECT_EQ(row[1], 0);
    EXPECT_EQ(row[3], 0);
    EXPECT_NEAR(row[2], 4, 1e-12);
  }
}

template <class Terms_>
void fill(Terms_& terms, const Sample& drawn, const Margin& psi) {
  terms.label = drawn.y;
  terms.label[0] = 1, terms.label[1] = -1;
  terms.weight.assign(drawn.y.size(), 1.0);
  terms.psi = &psi;
}

void expect_monotone_and_right_slope(const TransformationTerms& terms, const PriorView& prior, unsigned seed) {
  LatentDrive drive(prior, {}, {1e-5, 50000}, nullptr);
  const auto freeze = [&](std::span<const double> w, double b) -> std::unique_ptr<Terms> {
    return std::make_unique<FrozenTerms>(terms.frozen(w, b));
  };
  LatentPoint point = drive.alternate(std::make_unique<FrozenTerms>(terms.frozen_prior()), freeze, drive.origin(0));
  const std::vector<double> w = point.w;
  const double b = point.bias;
  const LatentSolution solution = std::move(drive).finished(std::move(point));
  for (std::size_t r = 1; r < solution.kl.size(); ++r) {
    EXPECT_LE(solution.kl[r], solution.kl[r - 1] * (1 + 1e-12)) << "seed " << seed << ", round " << r;
  }
  // Frozen at its own best Q, the value and the slope are those of the terms themselves; and the slope is right.
  const TermSum own = terms.at(w, b), frozen = terms.frozen(w, b).at(w, b);
  EXPECT_NEAR(own.value, frozen.value, 1e-8 * (1 + own.value));
  EXPECT_NEAR(own.s, frozen.s, 1e-6 * (1 + std::abs(own.s)));
  for (std::size_t i = 0; i < w.size(); ++i) {
    EXPECT_NEAR(own.v[i], frozen.v[i], 1e-6 * (1 + std::abs(own.v[i])));
    const double h = 1e-5;
    std::vector<double> up = w, down = w;
    up[i] += h, down[i] -= h;
    const double slope = (terms.at(up, b).value - terms.at(down, b).value) / (2 * h);
    EXPECT_NEAR(slope, -own.v[i], 2e-3 * (1 + std::abs(slope))) << "seed " << seed;
  }
}

TEST(TransformationTerms, TotalNeverRisesAndSlopesAreRight) {
  const Margin psi(ExponentialMargin{3, 1});
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const std::size_t n = 2 + seed % 4;
    const Sample drawn = sample(true, 14, n, seed);
    const GaussianPartition gaussian(static_cast<Index>(n), 0.7);
    const SwitchPartition switches(static_cast<Index>(n), 0.3, 1);
    const PriorViewOf plain(gaussian);
    const PriorViewOf selecting(switches);
    const PriorView& prior = seed % 2 == 0 ? static_cast<const PriorView&>(plain) : selecting;
    FiniteTerms finite;
    finite.x = Maps::of_signal(static_cast<Index>(n), 1).apply_all(dense(drawn.x));
    finite.prior.assign(3, 1.0 / 3);
    fill(finite, drawn, psi);
    expect_monotone_and_right_slope(finite, prior, seed);
    TranslationTerms translation;
    translation.x = dense(drawn.x);
    translation.directions = {std::vector<double>(n, 0.3), std::vector<double>(n, 0.0)};
    translation.directions[1][0] = 0.5;
    fill(translation, drawn, psi);
    expect_monotone_and_right_slope(translation, prior, seed);
    AlignmentTerms alignment;
    for (const auto& row : drawn.x) alignment.sequences.push_back({1, row});
    alignment.chain = Chain::left_to_right(2, static_cast<double>(n));
    fill(alignment, drawn, psi);
    const GaussianPartition two(2, 4);
    expect_monotone_and_right_slope(alignment, PriorViewOf(two), seed);
  }
}

}  // namespace
}  // namespace medlar::test

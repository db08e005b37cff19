// Both sides of each bound that is a function, where a slip of a sign or of a unit would change which solver runs.
#include <gtest/gtest.h>

#include <limits>

#include "medlar/thresholds/certificates.hpp"
#include "medlar/thresholds/digits.hpp"
#include "medlar/thresholds/direct_factor.hpp"
#include "medlar/thresholds/few_columns.hpp"
#include "medlar/thresholds/giving_up.hpp"
#include "medlar/thresholds/gram_pays.hpp"
#include "medlar/thresholds/interior_pays.hpp"
#include "medlar/thresholds/kinked.hpp"
#include "medlar/thresholds/low_rank_pays.hpp"
#include "medlar/thresholds/near.hpp"
#include "medlar/thresholds/nearly_full.hpp"
#include "medlar/thresholds/newton_pays.hpp"
#include "medlar/thresholds/race.hpp"
#include "medlar/thresholds/refits.hpp"
#include "medlar/thresholds/rough_fits.hpp"
#include "medlar/thresholds/rough_matrix.hpp"
#include "medlar/thresholds/single_precision.hpp"
#include "medlar/thresholds/sums.hpp"
#include "medlar/thresholds/tall.hpp"

namespace medlar::test {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

TEST(Thresholds, NewtonOverFeaturesWantsMoreExamplesTheNearerLossesAreToKinks) {
  EXPECT_TRUE(suits_newton_over_features(60, true, 20, 10));
  EXPECT_FALSE(suits_newton_over_features(61, true, 99, 10));
  EXPECT_TRUE(suits_newton_over_features(61, true, 100, 10));
  EXPECT_TRUE(suits_newton_over_features(1000, false, 20, 10));
  EXPECT_FALSE(suits_newton_over_features(1001, false, 1000, 10));
  EXPECT_TRUE(suits_newton_over_features(kForever, true, 20, 10));
}

TEST(Thresholds, APotentialWithoutAnEndHasNoKinksButSlowsSweeps) {
  EXPECT_FALSE(starts_with_all_switches_on(kForever));
  EXPECT_TRUE(starts_with_all_switches_on(21));
  EXPECT_FALSE(starts_with_all_switches_on(20));
  EXPECT_TRUE(slows_sweeps(kForever));
  EXPECT_FALSE(slows_sweeps(20));
}

TEST(Thresholds, ATallProblemHasTwoExamplesForEachFeatureAndNotTooManyFeatures) {
  EXPECT_TRUE(is_tall(4000, 2000));
  EXPECT_FALSE(is_tall(3999, 2000));
  EXPECT_FALSE(is_tall(100000, 2001));
  EXPECT_TRUE(is_square(3, 4));
  EXPECT_FALSE(is_square(2, 3));
  EXPECT_TRUE(is_worth_a_sample(16 * 250, 125));
  EXPECT_FALSE(is_worth_a_sample(16 * 250, 126));
}

TEST(Thresholds, AGramMatrixPaysForFewExamplesOfManyNumbers) {
  EXPECT_TRUE(may_gram_pay(1000, 250000));
  EXPECT_FALSE(may_gram_pay(1000, 249999));
  EXPECT_FALSE(may_gram_pay(1501, 1e9));
  EXPECT_TRUE(gram_pays_for_dense_rows(1000));
  EXPECT_FALSE(gram_pays_for_dense_rows(1001));
  EXPECT_TRUE(gram_pays_for_sparse_rows(50, 1));
  EXPECT_FALSE(gram_pays_for_sparse_rows(51, 1));
}

TEST(Thresholds, FactorsOverFeaturesMayBeLargerWhereConstraintsAreMany) {
  EXPECT_TRUE(is_factored_over_features(3000, 1501, 1, 1));
  EXPECT_FALSE(is_factored_over_features(3000, 1500, 1, 1));
  EXPECT_TRUE(is_factored_over_features(1000, 10, 1, 1));
  EXPECT_FALSE(is_factored_over_features(1000, 10, 5e10, 1));
  EXPECT_FALSE(is_factored_over_features(1000, 10, 1, 5e7));
}

TEST(Thresholds, LooseTolerancesLeaveMoreOutOfNewtonsMatrix) {
  EXPECT_DOUBLE_EQ(may_be_left_out(1e-9), 0.02);
  EXPECT_DOUBLE_EQ(may_be_left_out(1e-6), 0.02);
  EXPECT_GT(may_be_left_out(1e-4), 0.1);
  EXPECT_DOUBLE_EQ(may_be_left_out(1), 0.25);
  EXPECT_DOUBLE_EQ(may_be_left_out_far_away(0.02, 0.6), 0.05);
  EXPECT_DOUBLE_EQ(may_be_left_out_far_away(0.02, 0.5), 0.02);
}

TEST(Thresholds, NothingIsCalledAlmostClosedAboveOnePerCent) {
  EXPECT_TRUE(is_almost_closed(1e-3, 1e-6));
  EXPECT_FALSE(is_almost_closed(1.1e-3, 1e-6));
  EXPECT_FALSE(is_almost_closed(0.011, 1e-2));
}

TEST(Thresholds, SweepsBetweenClassesDoubleUntilTheGapHalves) {
  EXPECT_EQ(sweeps_after(4, 0.6, 1), 8);
  EXPECT_EQ(sweeps_after(4, 0.5, 1), 4);
  EXPECT_EQ(sweeps_after(64, 0.6, 1), 64);
}

TEST(Thresholds, CertificatesToFallBackOnBecomeRarer) {
  EXPECT_DOUBLE_EQ(work_for_certificate(0), 2.5);
  EXPECT_DOUBLE_EQ(work_for_certificate(1), 5);
  EXPECT_DOUBLE_EQ(work_for_certificate(5), 10);
}

TEST(Thresholds, ALowRankIsTriedWhereTheCacheHoldsFewRows) {
  EXPECT_TRUE(may_low_rank_pay(3001, 1000));
  EXPECT_FALSE(may_low_rank_pay(3000, 1000));
  EXPECT_FALSE(may_low_rank_pay(1999, 1));
  EXPECT_EQ(rank_to_try(8000, 500), 200);
  EXPECT_EQ(rank_to_try(800, 500), 100);
  EXPECT_EQ(rank_to_try(8000, 50), 50);
}

TEST(Thresholds, PlainSumsWantALooseToleranceAndASmallC) {
  EXPECT_TRUE(suit_plain_sums(1e-8, 1000));
  EXPECT_FALSE(suit_plain_sums(9e-9, 5));
  EXPECT_FALSE(suit_plain_sums(1e-6, 1001));
}

TEST(Thresholds, EmptyColumnsAreWorthALookWhereThereAreMany) {
  EXPECT_FALSE(may_columns_be_empty(4095));
  EXPECT_TRUE(may_columns_be_empty(4096));
  EXPECT_EQ(most_filled_columns(4096), 3072);
  EXPECT_TRUE(have_few_columns_failed(3, 0));
  EXPECT_TRUE(have_few_columns_failed(0, 14));
  EXPECT_FALSE(have_few_columns_failed(2, 13));
}

}  // namespace
}  // namespace medlar::test

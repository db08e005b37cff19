// The contract of medlar/core/concepts.hpp, held against every built-in prior: what each kind of solver asks for, and
// who has it.
#include <gtest/gtest.h>

#include "medlar/prepare/priors.hpp"
#include "medlar/priors/families/class_partition.hpp"
#include "medlar/priors/families/tree_partition.hpp"
#include "medlar/priors/margins/table.hpp"
#include "medlar/problem/group_curvature.hpp"

namespace medlar::test::contract {
namespace {

static_assert(MarginPotential<ExponentialMargin> && MarginPotential<LaplaceMargin> && MarginPotential<GaussianMargin>);
static_assert(MarginPotential<LogisticMargin>);
static_assert(MarginPotential<HingeMargin> && MarginPotential<TubeMargin> && MarginPotential<SvrMargin>);
static_assert(MarginPotential<SmoothedMargin> && MarginPotential<OwnPotential> && MarginPotential<Margin>);

static_assert(LogPartition<GaussianPartition> && LogPartition<SwitchPartition> && LogPartition<GroupPartition>);
static_assert(LinearPartition<GaussianPartition> && !LinearPartition<SwitchPartition>);
static_assert(PiecewisePartition<GaussianPartition> && PiecewisePartition<SwitchPartition>);
static_assert(SeparablePartition<GaussianPartition> && SeparablePartition<SwitchPartition>);
static_assert(!SeparablePartition<GroupPartition> && GroupedPartition<GroupPartition>);
static_assert(BoundedPartition<GaussianPartition> && BoundedPartition<SwitchPartition>);
static_assert(SwitchedPartition<SwitchPartition> && SwitchedPartition<GroupPartition>);
static_assert(RelaxablePartition<SwitchPartition> && RelaxablePartition<GroupPartition>);
static_assert(!RelaxablePartition<GaussianPartition>);
static_assert(SlabbedPartition<SwitchPartition>);

static_assert(ClassLogPartition<ClassPartition> && ClassLogPartition<TreePartition>);
static_assert(ClassLogPartition<DressedPartition<SwitchPartition>>);

// A margin prior of every word: the same number through Margin, one by one and all at once, as from its own type.
TEST(Contract, MarginAnswersAsThePotentialThatItHolds) {
  const std::vector<double> margins{-3, -0.4, 0, 0.3, 0.99, 1.5}, lambdas{0, 0.1, 0.7, 1.9};
  for (const MarginMaker& kind : margin_makers()) {
    const Margin margin = kind.make({2, 1, 0.2});
    margin.visit([&](const auto& psi) {
      EXPECT_EQ(margin.domain().upper, psi.domain().upper) << word_of(kind.kind);
      EXPECT_EQ(margin.domain().closed, psi.domain().closed) << word_of(kind.kind);
      for (const double m : margins) {
        EXPECT_EQ(margin.loss(m), psi.loss(m)) << word_of(kind.kind);
        EXPECT_EQ(margin.multiplier(m), psi.multiplier(m)) << word_of(kind.kind);
        EXPECT_EQ(margin.proximal(m, 0.5, 0.1), psi.proximal(m, 0.5, 0.1)) << word_of(kind.kind);
        EXPECT_EQ(margin.respond(m).bend, respond(psi, m).bend) << word_of(kind.kind);
      }
      std::vector<double> value(lambdas.size()), other(value), slope(value), curvature(value);
      value_all(margin, std::span(lambdas), std::span(value));
      value_all(psi, std::span(lambdas), std::span(other));
      slope_all(margin, std::span(lambdas), std::span(slope));
      curvature_all(margin, std::span(lambdas), std::span(curvature));
      EXPECT_EQ(value, other) << word_of(kind.kind);
      for (std::size_t k = 0; k < lambdas.size(); ++k) {
        EXPECT_EQ(margin.value(lambdas[k]), psi.value(lambdas[k])) << word_of(kind.kind);
        EXPECT_EQ(slope[k], psi.slope(lambdas[k])) << word_of(kind.kind);
        EXPECT_EQ(curvature[k], psi.curvature(lambdas[k])) << word_of(kind.kind);
      }
      std::vector<double> loss(margins.size()), multiplier(loss), bend(loss), a(loss), b(loss), c(loss);
      respond_all(margin, std::span(margins), std::span(loss), std::span(multiplier), std::span(bend));
      respond_all(psi, std::span(margins), std::span(a), std::span(b), std::span(c));
      EXPECT_EQ(loss, a) << word_of(kind.kind);
      EXPECT_EQ(multiplier, b) << word_of(kind.kind);
      EXPECT_EQ(bend, c) << word_of(kind.kind);
    });
  }
}

TEST(Contract, EveryModelRefusesAMarginThatTheTableDoesNotKnow) {
  Settings settings;
  settings.margin = static_cast<MarginKind>(99), settings.c = 3, settings.epsilon = 0.1;
  EXPECT_THROW(margin_prior(settings), OptionError);
  EXPECT_THROW(margin_at(settings, 2), OptionError);
}

}  // namespace
}  // namespace medlar::test::contract

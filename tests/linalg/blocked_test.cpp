// Strips and pauses of long linear algebra: the same numbers as in one piece, and an end when it is asked for.
#include "medlar/linalg/blocked.hpp"

#include <gtest/gtest.h>

#include "medlar/linalg/cholesky.hpp"
#include "medlar/linalg/give_up.hpp"

namespace medlar {
namespace {

// Positive definite, and large enough for several panels and strips.
Eigen::MatrixXd covariance(Eigen::Index size) {
  std::srand(7);
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(size, 300);
  return Eigen::MatrixXd::Identity(size, size) + b * b.transpose() / 300;
}

TEST(Blocked, OuterProductIsThatOfOnePiece) {
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(1300, 700);
  Eigen::MatrixXd m = Eigen::MatrixXd::Constant(1300, 1300, 2.0);
  add_outer(m, b);
  const Eigen::MatrixXd whole = b * b.transpose() + Eigen::MatrixXd::Constant(1300, 1300, 2.0);
  EXPECT_LT((m - whole).triangularView<Eigen::Lower>().toDenseMatrix().cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_EQ(m(0, 1), 2.0);  // the upper triangle stays
}

TEST(Blocked, FactorTimesItsTransposeIsTheMatrix) {
  for (const Eigen::Index size : {1, 90, 1100}) {
    const Eigen::MatrixXd matrix = covariance(size);
    Eigen::MatrixXd l = matrix;
    ASSERT_TRUE(factor_in_place(l));
    const Eigen::MatrixXd lower = l.triangularView<Eigen::Lower>();
    EXPECT_LT((lower * lower.transpose() - matrix).cwiseAbs().maxCoeff(), 1e-12) << size;
    Eigen::MatrixXd r = Eigen::MatrixXd::Random(size, 400);
    const Eigen::MatrixXd given = r;
    solve_lower(l, r);
    EXPECT_LT((lower * r - given).cwiseAbs().maxCoeff(), 1e-12) << size;
  }
}

TEST(Blocked, AMatrixThatIsNotPositiveDefiniteIsNoticedInAnyPanel) {
  for (const Eigen::Index at : {0, 1, 600, 1099}) {
    Eigen::MatrixXd matrix = covariance(1100);
    matrix(at, at) = -1;
    EXPECT_FALSE(factor_in_place(matrix)) << at;
  }
}

TEST(GiveUp, WorkEndsWhenAskedAndOnlyThen) {
  int asked = 0;
  Cholesky factor;
  EXPECT_FALSE(unless_given_up([&] { return ++asked == 3; }, [&] { factor.factor(covariance(1100)); }));
  EXPECT_EQ(asked, 3);
  EXPECT_TRUE(unless_given_up([] { return false; }, [&] { factor.factor(covariance(1100)); }));
  EXPECT_NO_THROW(pause());  // nobody can do without the result
}

TEST(GiveUp, TheInnermostScopeIsAsked) {
  bool inner = true;
  EXPECT_TRUE(unless_given_up([] { return false; },
                              [&] {
                                inner = unless_given_up([] { return true; }, [] { pause(); });
                                pause();
                              }));
  EXPECT_FALSE(inner);
}

}  // namespace
}  // namespace medlar

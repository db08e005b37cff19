// Twins: which constraints are found to be alike, and that sharing leaves V as it is and never lowers J.
#include "medlar/problem/twins.hpp"

#include <gtest/gtest.h>

#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/margins/exponential.hpp"
#include "medlar/problem/certificate.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

const Rows kRows{{1, 0, 2}, {0, 3, 0}, {1, 0, 2}, {1, 0, 2}, {0, 3, 0}, {0, 3, 1}, {-0.0, 3, 0}};
const std::vector<int> kLabels{1, -1, 1, -1, -1, -1, -1};  // 0 and 2 are twins; 1, 4 and 6 too; 3 has the other label

TEST(Twins, ShareByTheirWeights) {
  for (const bool is_sparse : {false, true}) {
    SCOPED_TRACE(is_sparse);
    const Matrix x = is_sparse ? sparse(kRows) : dense(kRows);
    const std::vector<double> weights{1, 1, 3, 1, 1, 1, 2};
    const Constraints constraints = classification_constraints(x, kLabels, weights);
    std::vector<double> lambda{4, 1, 0, 7, 3, 5, 0};
    Twins(constraints).share(constraints.weight, lambda);
    const std::vector<double> shared{1, 1, 3, 7, 1, 5, 2};
    for (std::size_t k = 0; k < shared.size(); ++k) EXPECT_DOUBLE_EQ(lambda[k], shared[k]) << k;
  }
}

TEST(Twins, LeaveVAndRaiseJ) {
  const Matrix x = sparse(kRows);
  const Constraints constraints = classification_constraints(x, kLabels, {});
  const GaussianPartition partition(3, 1.0);
  const Problem problem{ExponentialMargin{9, 1}, partition, constraints, BiasPrior{BiasPrior::Kind::none}};
  std::vector<double> lambda{4, 1, 0.5, 7, 3, 5, 0};
  const DualPoint before = dual_point(problem, lambda);
  Twins(constraints).share(constraints.weight, lambda);
  const DualPoint after = dual_point(problem, lambda);
  for (std::size_t i = 0; i < before.v.size(); ++i) EXPECT_NEAR(after.v[i], before.v[i], 1e-14);
  EXPECT_GT(after.objective, before.objective + 0.1);
}

// The same row with another number is no twin: in regression the offsets differ.
TEST(Twins, AskTheSame) {
  const Matrix x = dense({{1, 2}, {1, 2}, {1, 2}});
  const Constraints constraints = regression_constraints(x, std::vector<double>{0.5, 0.7, 0.5}, {});
  std::vector<double> lambda{1, 2, 3, 4, 5, 6};  // both sides of each example in turn
  Twins(constraints).share(constraints.weight, lambda);
  EXPECT_EQ(lambda, (std::vector<double>{3, 4, 3, 4, 3, 4}));
}

}  // namespace
}  // namespace medlar::test

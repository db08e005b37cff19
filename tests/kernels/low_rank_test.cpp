// The parts of Newton on F for kernels, each against the dense matrix that it stands for, and whole fits through it
// against those by working sets.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>

#include "medlar/kernels/gram_triangle.hpp"
#include "medlar/kernels/low_rank.hpp"
#include "medlar/linalg/systems/low_rank_inverse.hpp"
#include "models/fit_data.hpp"
#include "models/kernel/naive_kernel.hpp"

namespace medlar::test {
namespace {

const Kernel kRbf{Kernel::Kind::rbf, 0.2, 0, 3};

Eigen::MatrixXd naive_gram(const Rows& rows, const Kernel& kernel) {
  const auto size = std::ssize(rows);
  Eigen::MatrixXd gram(size, size);
  for (Index s = 0; s < size; ++s) {
    for (Index t = 0; t < size; ++t) {
      gram(s, t) = naive_kernel(kernel, rows[static_cast<std::size_t>(s)], rows[static_cast<std::size_t>(t)]);
    }
  }
  return gram;
}

Eigen::MatrixXd factor_of(const LowRank& factor) {
  return Eigen::Map<const Eigen::MatrixXf>(factor.values().data(), factor.size(), factor.rank()).cast<double>();
}

std::vector<double> wave(std::size_t size) {
  std::vector<double> x(size);
  for (std::size_t t = 0; t < size; ++t) x[t] = std::sin(1.7 * static_cast<double>(t)) + 0.2;
  return x;
}

TEST(LowRank, ComesNearerWithItsRankAndSaysHowNear) {
  const Sample s = sample(true, 300, 3, 5);
  const Matrix x = dense(s.x);
  const Gram gram(kRbf, x, 1);
  const Eigen::MatrixXd exact = naive_gram(s.x, kRbf);
  double before = 1;
  for (const Index rank : {10, 60, 150}) {
    const LowRank factor(gram, rank, 7);
    EXPECT_LE(factor.rank(), rank);
    const Eigen::MatrixXd root = factor_of(factor), left = exact - root * root.transpose();
    EXPECT_NEAR(left.diagonal().mean(), factor.left(), 1e-4) << rank;  // single precision
    EXPECT_GT(left.diagonal().minCoeff(), -1e-4);                      // never beyond K
    EXPECT_LT(factor.left(), 0.7 * before) << rank;
    before = factor.left();
    std::vector<double> x_in = wave(300), out(300, 1.0);
    factor.add_product(x_in, 2, out);
    const Eigen::VectorXd want = 2 * root * (root.transpose() * Eigen::Map<Eigen::VectorXd>(x_in.data(), 300));
    for (std::size_t t = 0; t < 300; ++t) EXPECT_NEAR(out[t], 1 + want[static_cast<Index>(t)], 2e-3);
  }
  EXPECT_LT(before, 1e-3);
}

TEST(LowRank, HasNoMoreColumnsThanTheKernel) {
  const Sample s = sample(true, 200, 5, 6);
  const Matrix x = dense(s.x);
  const Gram gram({Kernel::Kind::linear, 1, 0, 1}, x, 1);
  const LowRank factor(gram, 60, 3);
  EXPECT_GE(factor.rank(), 5);
  EXPECT_LE(factor.rank(), 10);  // what rounding leaves may look like a column or two
  EXPECT_NEAR(factor.left(), 0, 1e-3);
}

TEST(LowRankInverse, SolvesItsSystem) {
  const Sample s = sample(true, 120, 3, 8);
  const Matrix x = dense(s.x);
  const LowRank factor(Gram(kRbf, x, 1), 30, 2);
  const Eigen::MatrixXd root = factor_of(factor);
  std::vector<Index> members;
  std::vector<double> h;
  for (Index t = 3; t < 120; t += 2) members.push_back(t), h.push_back(0.3 + 0.01 * static_cast<double>(t));
  const auto size = std::ssize(members);
  for (const double sigma2 : {0.0, 0.7}) {
    Eigen::MatrixXd system = Eigen::MatrixXd::Constant(size, size, sigma2);
    for (Index a = 0; a < size; ++a) {
      for (Index b = 0; b < size; ++b) {
        system(a, b) +=
            1.5 * root.row(members[static_cast<std::size_t>(a)]).dot(root.row(members[static_cast<std::size_t>(b)]));
      }
      system(a, a) += h[static_cast<std::size_t>(a)];
    }
    LowRankInverse inverse;
    inverse.assemble(factor.values(), factor.size(), factor.rank(), members, h, 1.5, sigma2);
    const std::vector<double> r = wave(members.size());
    std::vector<double> z(members.size());
    inverse.solve(r, z);
    const Eigen::VectorXd back = system * Eigen::Map<Eigen::VectorXd>(z.data(), size);
    for (Index a = 0; a < size; ++a) EXPECT_NEAR(back[a], r[static_cast<std::size_t>(a)], 1e-4);  // single precision
  }
}

TEST(GramTriangle, ProductsAreThoseOfTheWholeMatrixWhateverTheThreads) {
  const Sample s = sample(true, 400, 4, 9, 0.5);
  const Eigen::MatrixXd exact = naive_gram(s.x, kRbf);
  for (const bool packed : {false, true}) {
    const Matrix x = packed ? sparse(s.x) : dense(s.x);
    std::vector<std::vector<double>> products;
    for (const Index threads : {1, 2}) {
      const Gram gram(kRbf, x, threads);
      GramTriangle triangle(gram);
      std::vector<Index> first, second;
      for (Index t = 0; t < 400; t += 2) first.push_back(t);
      for (Index t = 1; t < 300; t += 2) second.push_back(t);
      triangle.grow(first);
      triangle.grow(second);
      ASSERT_EQ(triangle.size(), 350);
      const std::vector<double> in = wave(350);
      std::vector<double> out(350, 0.5);
      triangle.add_product(in, 3, out);
      for (std::size_t a = 0; a < 350; ++a) {
        double want = 0.5;
        for (std::size_t b = 0; b < 350; ++b) want += 3 * exact(triangle.examples()[a], triangle.examples()[b]) * in[b];
        ASSERT_NEAR(out[a], want, 2e-4) << a;  // 350 roundings of single precision
      }
      products.push_back(out);
    }
    EXPECT_EQ(products[0], products[1]);
  }
}

// A smooth kernel, labels that no function of it explains, and a cache that holds a fifth of the rows: most examples
// are support vectors, and working sets would compute their rows again and again.
struct Noisy {
  Dataset data;
  Settings settings;
};
Noisy noisy(const std::string& margin, const std::string& bias) {
  const bool classify = margin != "tube";
  Sample s = sample(classify, 2100, 2, 12);
  std::vector<double> weights;
  for (std::size_t t = 0; t < s.y.size(); ++t) {
    weights.push_back(t % 10 == 0 ? 1.5 : 1.0);
    if (margin == "gaussian" && t % 8 != 0)
      s.y[t] = s.x[t][0] > 0 ? 1 : -1;  // else nearly all would be support vectors
  }
  Noisy made{dataset(s.x, s.y, weights), with(margin, 1, 1e-6)};
  made.settings.model = ModelKind::kernel;
  made.settings.kernel = KernelKind::rbf;
  made.settings.gamma = 0.3;
  made.settings.scale = ScaleKind::none;
  made.settings.c = classify ? 2 : 3;
  if (!classify) made.settings.epsilon = 0.35;
  made.settings.prior_variance = margin == "gaussian" ? 20 : 1;
  set_option(made.settings, "bias", bias);
  made.settings.cache_mb = 5.4;  // 640 rows of 8.4 kB; a triangle of 1400
  made.settings.threads = 1;
  return made;
}

TEST(LowRankFit, IsTheFitByWorkingSets) {
  for (const std::string margin : {"exponential", "laplace", "gaussian", "tube"}) {
    for (const std::string bias : {"flat", "none", "0.5"}) {
      if (margin == "laplace" && bias != "flat") continue;
      SCOPED_TRACE(margin + ", bias " + bias);
      const Noisy made = noisy(margin, bias);
      Settings smo = made.settings;
      smo.solver = SolverKind::smo;
      const Model model = fit(made.data, made.settings), other = fit(made.data, smo);
      EXPECT_EQ(model.report.solver.rfind("Newton from a fit of rank ", 0), 0u)
          << model.report.solver << ", " << model.support.size() << " support vectors";
      EXPECT_EQ(other.report.solver, "smo");
      EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
      expect_same_fit(other, model, made.data.x, 1e-2);
    }
  }
}

TEST(LowRankFit, TheSameSeedGivesTheSameBits) {
  Noisy made = noisy("exponential", "flat");
  const Model once = fit(made.data, made.settings), again = fit(made.data, made.settings);
  EXPECT_EQ(once.multipliers, again.multipliers);
  made.settings.threads = 2;
  expect_same_fit(once, fit(made.data, made.settings), made.data.x);
}

// Says stop from the given question on.
class AskedToEnd : public Observer {
 public:
  explicit AskedToEnd(int question) : question_(question) {}
  bool stop_requested() override { return ++asked > question_; }
  int asked = 0;

 private:
  int question_;
};

TEST(LowRankFit, EndsWhenAskedWithATrueGap) {
  const Noisy made = noisy("exponential", "flat");
  AskedToEnd never(1 << 30);
  const Report best = fit(made.data, made.settings, &never).report;
  EXPECT_GT(never.asked, 20);
  for (const double part : {0.1, 0.4, 0.7, 0.9}) {
    AskedToEnd observer(static_cast<int>(part * never.asked));
    const Report report = fit(made.data, made.settings, &observer).report;
    EXPECT_TRUE(report.status == Status::interrupted || report.status == Status::converged) << part;
    EXPECT_LE(report.objective, best.primal * (1 + 1e-9)) << part;
    EXPECT_GE(report.primal, best.objective * (1 - 1e-9)) << part;
    EXPECT_LE(observer.asked, never.asked + 50) << part;
  }
}

TEST(LowRankFit, LeavesToWorkingSetsWhatIsTheirs) {
  for (const std::string what : {"room for rows", "no room for a triangle", "a kernel far from low rank"}) {
    Noisy made = noisy("exponential", "flat");
    if (what[0] == 'r') made.settings.cache_mb = 20;
    if (what[0] == 'n') made.settings.cache_mb = 1;
    if (what[0] == 'a') made.settings.gamma = 200;
    const Model model = fit(made.data, made.settings);
    EXPECT_EQ(model.report.solver.rfind("smo", 0), 0u) << what << ": " << model.report.solver;
    EXPECT_EQ(model.report.status, Status::converged) << what << ": " << model.report.message;
  }
}

}  // namespace
}  // namespace medlar::test

// Covariates that stay in: their certificate made again from the model alone, and other solvers of the same problem.
#include <Eigen/Dense>

#include "medlar/priors/margins/laplace.hpp"
#include "models/linear/kept.hpp"

namespace medlar::test {
namespace {

TEST(Kept, CertificateIsThatOfTheFlatProblem) {
  for (const std::string margin : {"exponential", "laplace", "gaussian", "hinge", "tube", "svr"}) {
    const bool classify = margin != "tube" && margin != "svr";
    for (const double p0 : {1.0, 0.05, 1e-5}) {
      for (const std::string bias : {"flat", "none", "0.5"}) {
        for (const int kind : {0, 1, 2}) {  // dense, sparse, weighted
          SCOPED_TRACE(fmt::format("{}, p0 = {}, bias {}, {}", margin, p0, bias, kind));
          const Covariates s = covariates(classify, 80, 7);
          Dataset data = dataset(kind == 1 ? sparse(s.x) : dense(s.x), s.y);
          for (std::size_t t = 0; t < 80 && kind == 2; ++t) data.weights.push_back(t % 3 == 0 ? 2.5 : 0.7);
          Settings settings = keeping(margin, p0);
          set_option(settings, "bias", bias);
          const Model model = fit(data, settings);
          EXPECT_EQ(model.report.status, Status::converged) << model.report.solver << ": " << model.report.message;
          EXPECT_LE(model.report.relative_gap, 1e-8);
          expect_certificate(model, data);
          for (std::size_t i = 0; i < 8; ++i) {
            EXPECT_EQ(model.features[i].kept, i < 2);
          }
          EXPECT_EQ(model.features[0].inclusion, 1);
          EXPECT_EQ(model.features[1].inclusion, 1);
        }
      }
    }
  }
}

// The losses of margins below their location are squares: w, u and b by one linear system. Labels that nothing tells
// apart leave all scores below it.
TEST(Kept, QuadraticLossesAreLeastSquares) {
  Covariates s = covariates(true, 60, 3);
  for (std::size_t t = 0; t < 60; ++t) s.y[t] = t * 7 % 11 < 5 ? 1 : -1;
  Settings settings = keeping("gaussian", 1, 1e-12);
  settings.scale = ScaleKind::none;
  settings.c = 0.3;
  settings.margin_location = 200;  // beyond all scores
  settings.prior_variance = 0.2;
  const Model model = fit(dataset(s.x, s.y), settings);
  Eigen::MatrixXd a(60, 9);
  Eigen::VectorXd y(60);
  for (int t = 0; t < 60; ++t) {
    const auto row = static_cast<std::size_t>(t);
    for (int i = 0; i < 8; ++i) a(t, i) = s.x[row][static_cast<std::size_t>(i)];
    a(t, 8) = 1;
    y(t) = 200 * s.y[row];
  }
  Eigen::MatrixXd h = 0.09 * a.transpose() * a;
  for (int i = 2; i < 8; ++i) h(i, i) += 1 / 0.2;
  const Eigen::VectorXd solved = h.ldlt().solve(0.09 * a.transpose() * y);
  ASSERT_LE(model.report.relative_gap, 1e-10) << model.report.message;
  ASSERT_LT((a * solved).cwiseAbs().maxCoeff(), 200);
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(model.features[static_cast<std::size_t>(i)].coefficient, solved(i), 1e-5 * solved.norm());
  }
  EXPECT_NEAR(model.bias, solved(8), 1e-5 * solved.norm());
}

// Unpenalised covariates beside ridge ones, by Newton's method on F written out.
TEST(Kept, AreUnpenalisedInNewtonsMethodOnF) {
  const Covariates s = covariates(true, 90, 13);
  const double c = 2, v = 0.7;
  Settings settings = keeping("laplace", 1, 1e-11);
  settings.scale = ScaleKind::none;
  settings.c = c;
  settings.prior_variance = v;
  const Model model = fit(dataset(s.x, s.y), settings);
  ASSERT_LE(model.report.relative_gap, 1e-9) << model.report.message;
  const LaplaceMargin psi{c, 1};
  Eigen::VectorXd at = Eigen::VectorXd::Zero(9);
  const auto value = [&](const Eigen::VectorXd& w, Eigen::VectorXd* slope, Eigen::MatrixXd* bend) {
    double F = w.segment(2, 6).squaredNorm() / (2 * v);
    if (slope != nullptr) {
      slope->setZero(), bend->setZero();
      for (int i = 2; i < 8; ++i) (*slope)(i) = w(i) / v, (*bend)(i, i) = 1 / v;
    }
    for (std::size_t t = 0; t < s.y.size(); ++t) {
      Eigen::VectorXd row(9);
      for (int i = 0; i < 8; ++i) row(i) = s.y[t] * s.x[t][static_cast<std::size_t>(i)];
      row(8) = s.y[t];
      const double m = row.dot(w), lambda = psi.multiplier(m);
      F += psi.loss(m);
      if (slope == nullptr) continue;
      *slope -= lambda * row;
      if (lambda > 0) *bend -= row * row.transpose() / psi.curvature(lambda);
    }
    return F;
  };
  for (int step = 0; step < 100; ++step) {
    Eigen::VectorXd slope(9);
    Eigen::MatrixXd bend(9, 9);
    const double F = value(at, &slope, &bend);
    const Eigen::VectorXd change = -bend.ldlt().solve(slope);
    double length = 1;
    while (length > 1e-12 && !(value(at + length * change, nullptr, nullptr) <= F)) length /= 2;
    at += length * change;
    if (change.norm() < 1e-13) break;
  }
  EXPECT_NEAR(model.report.primal, value(at, nullptr, nullptr), 1e-9 * model.report.primal);
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(model.features[static_cast<std::size_t>(i)].coefficient, at(i), 1e-4);
  }
  EXPECT_NEAR(model.bias, at(8), 1e-4);
}

// F_flat lies between J_v less sum u^2/(2v) of the flat and of the wide coefficients (docs/theory.md#covariates).
TEST(Kept, AreTheLimitOfWidePriors) {
  for (const std::string margin : {"exponential", "hinge", "tube"}) {
    for (const double p0 : {1.0, 0.05}) {
      SCOPED_TRACE(fmt::format("{}, p0 = {}", margin, p0));
      const Covariates s = covariates(margin != "tube", 80, 17);
      Settings settings = keeping(margin, p0, 1e-10);
      settings.scale = ScaleKind::none;
      const Model flat = fit(dataset(s.x, s.y), settings);
      settings.keep = {};
      const double wide = 1e4;
      settings.feature_prior_variance.entries = {{"f0", wide}, {"f1", wide}};
      settings.feature_p0.entries = {{"f0", 1.0}, {"f1", 1.0}};
      const Model limit = fit(dataset(s.x, s.y), settings);
      EXPECT_EQ(flat.report.status, Status::converged) << flat.report.message;
      double of_flat = 0, of_limit = 0;
      for (std::size_t i = 0; i < 2; ++i) {
        of_flat += std::pow(flat.features[i].coefficient, 2) / (2 * wide);
        of_limit += std::pow(limit.features[i].coefficient, 2) / (2 * wide);
        EXPECT_NEAR(flat.features[i].coefficient, limit.features[i].coefficient, 3e-3);
      }
      const double slack = 1e-7 * flat.report.primal;
      EXPECT_GE(flat.report.primal, limit.report.objective - of_flat - slack);
      EXPECT_LE(flat.report.objective, limit.report.primal - of_limit + slack);
    }
  }
}

TEST(Kept, AreServedByAllSolvers) {
  const Covariates s = covariates(true, 70, 21);
  const Dataset data = dataset(s.x, s.y);
  for (const double p0 : {1.0, 0.02}) {
    const Model usual = fit(data, keeping("exponential", p0, 1e-7));
    for (const char* solver : {"ascent", "newton", "primal-newton", "coordinate", "bounded-qp", "smo"}) {
      if (p0 < 1 && std::string_view(solver) == "smo") continue;
      SCOPED_TRACE(fmt::format("{}, p0 = {}", solver, p0));
      Settings settings = keeping("exponential", p0, 1e-7);
      set_option(settings, "solver", solver);
      const Model model = fit(data, settings);
      EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
      EXPECT_NEAR(model.report.objective, usual.report.objective, 2e-7 * usual.report.primal);
      expect_certificate(model, data);
    }
  }
}

}  // namespace
}  // namespace medlar::test

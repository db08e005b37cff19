// Random Newton systems with their matrix written out, for a dense solve in Eigen.
#pragma once

#include <Eigen/Dense>
#include <random>

#include "medlar/linalg/systems/newton_system.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {

// A random system; every `zeros` of the entries is 0, so that the sparse paths have something to skip.
struct System {
  Rows rows;
  std::vector<double> h, v, r;
  std::vector<Index> group_of;
  Curvature curvature;

  System(Index examples, Index features, Index groups, double sigma2, double zeros, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(-6, 2);
    std::bernoulli_distribution zero(zeros);
    rows.assign(static_cast<std::size_t>(examples), std::vector<double>(static_cast<std::size_t>(features)));
    for (auto& row : rows) {
      for (double& x : row) x = zero(random) ? 0.0 : normal(random);
    }
    for (Index t = 0; t < examples; ++t) {
      h.push_back(std::pow(10, uniform(random)));
      r.push_back(normal(random));
    }
    for (Index i = 0; i < features; ++i) {
      v.push_back(normal(random));
      curvature.d.push_back(i % 7 == 3 ? 0.0 : std::pow(10, uniform(random)));  // some switches are surely off
      if (groups > 0) group_of.push_back(i % groups);
    }
    for (Index g = 0; g < groups; ++g) curvature.kappa.push_back(g % 4 == 1 ? 0.0 : std::pow(10, uniform(random)));
    curvature.v = v;
    curvature.group_of = group_of;
    curvature.sigma2 = sigma2;
  }

  // C = diag(d) + sum_g kappa_g v_g v_g^T
  Eigen::MatrixXd inner() const {
    const auto n = static_cast<Eigen::Index>(v.size());
    Eigen::MatrixXd c = Eigen::Map<const Eigen::VectorXd>(curvature.d.data(), n).asDiagonal();
    for (std::size_t g = 0; g < curvature.kappa.size(); ++g) {
      Eigen::VectorXd part = Eigen::VectorXd::Zero(n);
      for (Eigen::Index i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (group_of[at] == static_cast<Index>(g)) part[i] = v[at];
      }
      c += curvature.kappa[g] * part * part.transpose();
    }
    return c;
  }

  // diag(h) + X C X^T + sigma2 1 1^T
  Eigen::MatrixXd outer() const {
    const auto T = static_cast<Eigen::Index>(rows.size()), n = static_cast<Eigen::Index>(v.size());
    Eigen::MatrixXd x(T, n);
    for (Eigen::Index t = 0; t < T; ++t) {
      for (Eigen::Index i = 0; i < n; ++i) x(t, i) = rows[static_cast<std::size_t>(t)][static_cast<std::size_t>(i)];
    }
    Eigen::MatrixXd m = x * inner() * x.transpose();
    m.array() += curvature.sigma2;
    m += Eigen::MatrixXd(Eigen::Map<const Eigen::VectorXd>(h.data(), T).asDiagonal());
    return m;
  }

  // |m delta - r| in units of its terms
  void expect_solves(const std::vector<double>& delta, double accuracy) const {
    const auto T = static_cast<Eigen::Index>(delta.size());
    const Eigen::MatrixXd m = outer();
    const Eigen::Map<const Eigen::VectorXd> found(delta.data(), T), wanted(r.data(), T);
    const double size = (m.cwiseAbs() * found.cwiseAbs()).maxCoeff() + wanted.cwiseAbs().maxCoeff();
    EXPECT_LE((m * found - wanted).cwiseAbs().maxCoeff(), accuracy * size);
    const Eigen::VectorXd exact = m.ldlt().solve(wanted);
    EXPECT_LE((found - exact).norm(), 1e-6 * exact.norm());
  }

  // |delta - exact| / |exact| in the norm of the system, by a dense factor in long double.
  double energy_error(const std::vector<double>& delta) const {
    const auto T = static_cast<Eigen::Index>(delta.size());
    const LongMatrix m = long_outer();
    const LongVector exact = m.ldlt().solve(Eigen::Map<const Eigen::VectorXd>(r.data(), T).cast<long double>());
    const LongVector error = Eigen::Map<const Eigen::VectorXd>(delta.data(), T).cast<long double>() - exact;
    return static_cast<double>(std::sqrt(error.dot(m * error) / exact.dot(m * exact)));
  }

  // The right-hand side whose solution is `delta`.
  void ask_for(const std::vector<double>& delta) {
    const LongVector wanted = Eigen::Map<const Eigen::VectorXd>(delta.data(), std::ssize(delta)).cast<long double>();
    const LongVector product = long_outer() * wanted;
    for (std::size_t t = 0; t < r.size(); ++t) r[t] = static_cast<double>(product[static_cast<Eigen::Index>(t)]);
  }

 private:
  using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

  // The matrix of outer() again: h may be as small as 1e-14 of the rest.
  LongMatrix long_outer() const {
    const std::size_t T = rows.size(), n = v.size(), groups = curvature.kappa.size();
    const auto side = static_cast<Eigen::Index>(T);
    LongMatrix m = LongMatrix::Zero(side, side);
    for (std::size_t s = 0; s < T; ++s) {
      for (std::size_t t = 0; t < T; ++t) {
        long double sum = curvature.sigma2;
        std::vector<long double> along_s(groups, 0), along_t(groups, 0);
        for (std::size_t i = 0; i < n; ++i) {
          sum += static_cast<long double>(rows[s][i]) * curvature.d[i] * rows[t][i];
          if (groups == 0) continue;
          along_s[static_cast<std::size_t>(group_of[i])] += static_cast<long double>(v[i]) * rows[s][i];
          along_t[static_cast<std::size_t>(group_of[i])] += static_cast<long double>(v[i]) * rows[t][i];
        }
        for (std::size_t g = 0; g < groups; ++g) sum += curvature.kappa[g] * along_s[g] * along_t[g];
        m(static_cast<Eigen::Index>(s), static_cast<Eigen::Index>(t)) = sum + (s == t ? h[t] : 0.0);
      }
    }
    return m;
  }
};

}  // namespace medlar::test

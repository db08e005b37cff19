// What a visit to an example is told of its scores and their curvature between classes, against the partition itself.
#include "medlar/linalg/systems/class_sweep.hpp"

#include <gtest/gtest.h>

#include <random>

#include "medlar/priors/coefficients/groups.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

struct Draw {
  static constexpr std::size_t T = 4, n = 7, K = 3;
  explicit Draw(unsigned seed) : random(seed) {
    rows.assign(T, std::vector<double>(n, 0.0));
    for (auto& row : rows) {
      for (double& each : row) each = random() % 3 == 0 ? 0 : normal(random);
    }
    for (std::size_t i = 0; i < n; ++i) p.push_back(i % 2 == 0 ? 1e-3 : 0.3);
    for (std::size_t i = 0; i < n * K; ++i) {
      v.push_back(1.5 * normal(random));
      group_of.push_back(static_cast<Index>(i % n));
    }
  }
  std::mt19937_64 random;
  std::normal_distribution<double> normal;
  Rows rows;
  std::vector<double> p, v;
  std::vector<Index> group_of;
};

// f = X w, and Q = sum_i x_ti^2 A''_i up to the bends that count as round.
void expect_told(ClassSweep& sweep, const Draw& draw, std::span<const double> v, const GroupPartition& partition) {
  constexpr std::size_t n = Draw::n, K = Draw::K;
  std::vector<double> w(v.size()), d(v.size()), kappa(n);
  partition.mean(v, w);
  partition.curvature(v, d, kappa);
  for (std::size_t t = 0; t < Draw::T; ++t) {
    ClassSweep::Look look;
    sweep.look(static_cast<Index>(t), look);
    double trace = 0;
    for (std::size_t k = 0; k < K; ++k) {
      double f = 0;
      for (std::size_t i = 0; i < n; ++i) f += draw.rows[t][i] * w[k * n + i];
      EXPECT_NEAR(look.f[static_cast<Eigen::Index>(k)], f, 1e-12 * (1 + std::abs(f)));
      for (std::size_t i = 0; i < n; ++i) {
        trace += draw.rows[t][i] * draw.rows[t][i] * (d[k * n + i] + kappa[i] * v[k * n + i] * v[k * n + i]);
      }
    }
    for (std::size_t k = 0; k < K; ++k) {
      for (std::size_t l = 0; l < K; ++l) {
        double q = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const double x2 = draw.rows[t][i] * draw.rows[t][i];
          q += x2 * ((k == l ? d[k * n + i] : 0.0) + kappa[i] * v[k * n + i] * v[l * n + i]);
        }
        const double told =
            look.round ? (k == l ? look.own : 0.0) : look.q(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(l));
        EXPECT_NEAR(told, q, 0.03 * trace);
      }
    }
  }
}

TEST(ClassSweep, TellsScoresAndCurvature) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    Draw draw(seed);
    const Matrix x = seed % 2 == 0 ? sparse(draw.rows) : dense(draw.rows);
    const GroupPartition partition(draw.group_of, draw.p, 1.3);
    ClassSweep sweep(x, Draw::K, draw.p, 1.3);
    sweep.start(draw.v);
    expect_told(sweep, draw, draw.v, partition);
    ClassSweep::Scores change(3), f;
    change << 0.4, -0.1, -0.3;
    sweep.move(1, change, f);
    std::vector<double> moved = draw.v;
    for (std::size_t k = 0; k < Draw::K; ++k) {
      for (std::size_t i = 0; i < Draw::n; ++i) {
        moved[k * Draw::n + i] += draw.rows[1][i] * change[static_cast<Eigen::Index>(k)];
      }
    }
    expect_told(sweep, draw, moved, partition);
    ClassSweep::Look look;
    sweep.look(1, look);
    for (Eigen::Index k = 0; k < 3; ++k) EXPECT_NEAR(f[k], look.f[k], 1e-12);
  }
}

}  // namespace
}  // namespace medlar::test

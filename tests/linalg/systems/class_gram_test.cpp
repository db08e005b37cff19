// U^T H U against the rows of U written out.
#include "medlar/linalg/systems/class_gram.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "medlar/linalg/systems/class_parabola.hpp"

namespace medlar::test {
namespace {

struct Drawn {
  static constexpr Index kClasses = 3, kExamples = 6, kWide = 3;
  Drawn() : u(kExamples, kWide), rows(0, kClasses * kWide) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    for (Eigen::Index t = 0; t < kExamples; ++t) u.row(t) << normal(random), normal(random), 1;
    rows = Eigen::MatrixXd::Zero(2 * kExamples, kClasses * kWide);
    for (Index t = 0; t < kExamples; ++t) {
      for (Index rival = 1; rival < kClasses; ++rival) {
        const Index c = std::ssize(h), own = t % kClasses, other = (own + rival) % kClasses;
        example.push_back(t), up.push_back(own), down.push_back(t == 4 ? -1 : other);
        h.push_back(t == 2 ? 0.0 : std::exp(normal(random)));
        rows.block(c, own * kWide, 1, kWide) = u.row(t);
        if (t != 4) rows.block(c, other * kWide, 1, kWide) = -u.row(t);
      }
    }
    gram = rows.transpose() * Eigen::Map<const Eigen::VectorXd>(h.data(), std::ssize(h)).asDiagonal() * rows;
  }
  Eigen::MatrixXd u, rows, gram;
  std::vector<Index> example, up, down;
  std::vector<double> h;
};

TEST(ClassGram, IsTheSumOverItsConstraints) {
  const Drawn drawn;
  const Eigen::MatrixXd found = class_gram(drawn.u, Drawn::kClasses, drawn.example, drawn.up, drawn.down, drawn.h);
  EXPECT_LE((found - drawn.gram).norm(), 1e-13 * drawn.gram.norm());
}

TEST(ClassGram, PutsTheBiasesLast) {
  const Drawn drawn;
  const Eigen::MatrixXd last = biases_last(drawn.gram, Drawn::kClasses);
  const std::vector<Eigen::Index> from{0, 1, 3, 4, 6, 7, 2, 5, 8};
  for (Eigen::Index i = 0; i < 9; ++i) {
    for (Eigen::Index j = 0; j < 9; ++j) {
      EXPECT_EQ(last(i, j), drawn.gram(from[static_cast<std::size_t>(i)], from[static_cast<std::size_t>(j)]));
    }
  }
}

// With the biases at their least the slope in them is 0, wherever w goes.
TEST(ClassParabola, HasItsBiasesAtTheirLeast) {
  const Drawn drawn;
  const double precision = 0.3;
  const ClassParabola losses(Drawn::kExamples, 2, Drawn::kClasses,
                             [&](Index t, std::span<double> row) { row[0] = drawn.u(t, 0), row[1] = drawn.u(t, 1); });
  Eigen::MatrixXd m = biases_last(drawn.gram, Drawn::kClasses);
  m.diagonal().tail(3).array() += precision;
  const std::vector<double> g{1, -2, 0.5, 0.7, -1, 0.2, 0.4, -0.3, 0.9}, dw{0.3, -0.1, 0.5, 0.2, -0.7, 0.6};
  Parabola parabola = losses.around(drawn.example, drawn.up, drawn.down, drawn.h, g, precision);
  parabola.move(dw, parabola.times(dw), 1);
  const std::vector<double> b = parabola.biases();
  Eigen::VectorXd x(9);
  for (std::size_t i = 0; i < 6; ++i) x[static_cast<Eigen::Index>(i)] = dw[i];
  for (std::size_t k = 0; k < 3; ++k) x[static_cast<Eigen::Index>(6 + k)] = b[k];
  const Eigen::VectorXd slope = Eigen::Map<const Eigen::VectorXd>(g.data(), 9) + m * x;
  for (Eigen::Index i = 0; i < 6; ++i) EXPECT_NEAR(parabola.slope(static_cast<std::size_t>(i)), slope[i], 1e-12);
  for (Eigen::Index k = 6; k < 9; ++k) EXPECT_NEAR(slope[k], 0, 1e-12);
}

}  // namespace
}  // namespace medlar::test

// Second-order Gaussian knockoffs: z~ = z - s S^-1 z + C^(1/2) g with C = 2 s I - s^2 S^-1 and s = min(1, 2 min eig S),
// so that (z, z~) has the covariance [[S, S - sI], [S - sI, S]], which no swap changes (Candes, Fan, Janson and Lv
// 2018). S is R with its small correlations set to none, and all is done by Cholesky factors. Of more than 4000
// features S has blocks of at most 1000, between which there are no correlations. (Shrinking R to the identity would be
// cheaper, but each example lies in the span of R's eigenvectors, whose eigenvalues are n / T or so: the copies become
// noisy doubles of the features, which features beat by chance.)
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "medlar/error.hpp"
#include "medlar/linalg/correlated_blocks.hpp"
#include "medlar/selection/copies.hpp"

namespace medlar {
namespace {

constexpr Index kMostThresholded = 4000;   // features up to which the correlations are held whole
constexpr Index kMostInBlock = 1000;       // of more features than that
constexpr double kLeastEigenvalue = 0.05;  // smaller ones leave no room between a feature and its copy
constexpr double kShort = 0.999;           // of s, so that the factor of C exists

using Rows = RowMatrix;

struct Standardised {
  Rows z;
  Eigen::RowVectorXd mean, sd;  // sd is 0 for a column that never varies, whose z is 0
};

Standardised standardised(const Matrix& x) {
  Standardised made;
  made.z = Rows::Zero(x.rows(), x.columns());
  for (Index t = 0; t < x.rows(); ++t) for_each(x.row(t), [&](Index i, double value) { made.z(t, i) = value; });
  made.mean = made.z.colwise().mean();
  made.z.rowwise() -= made.mean;
  made.sd = (made.z.colwise().squaredNorm() / static_cast<double>(x.rows())).cwiseSqrt();
  for (Index i = 0; i < x.columns(); ++i) {
    const bool varies = made.sd(i) > 1e-12 * (1 + std::abs(made.mean(i)));
    if (!varies) made.sd(i) = 0;
    made.z.col(i) *= varies ? 1 / made.sd(i) : 0.0;
  }
  return made;
}

using DrawRows = std::function<Rows(std::uint64_t seed)>;

Rows normals(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  return Rows::NullaryExpr(rows, columns, [&] { return normal(random); });
}

bool positive_definite(const Eigen::MatrixXd& S, double shift) {
  const Eigen::LLT<Eigen::MatrixXd> factor(S - shift * Eigen::MatrixXd::Identity(S.rows(), S.cols()));
  return factor.info() == Eigen::Success;
}

// From below, to a hundredth of its distance from 1 or better: bisection on the shift that leaves S positive definite.
double least_eigenvalue(const Eigen::MatrixXd& S) {
  double below = 1 - S.cwiseAbs().rowwise().sum().maxCoeff() + 1, above = 1;  // Gershgorin's disc; the trace
  if (above - below < 1e-12) return 1 - 1e-12;
  below = std::min(below, 0.999);
  while (!positive_definite(S, below)) below -= 1;  // rounding
  while (above - below > 0.01 * std::max(1 - above, 0.02)) {
    const double middle = 0.5 * (below + above);
    (positive_definite(S, middle) ? below : above) = middle;
  }
  return below;
}

// A correlation of T examples errs by 1/sqrt(T); of n^2 of them the largest errors are near sqrt(2 log n / T). Each is
// moved towards 0 by sqrt(log n / T) (soft thresholding: Rothman, Levina and Zhu 2009), which keeps the strong ones
// between neighbours, where shrinking all alike would make copies that resemble their neighbours too little.
double least_correlation(const Rows& z) {
  return std::sqrt(std::log(std::max<double>(static_cast<double>(z.cols()), 2)) / static_cast<double>(z.rows()));
}

DrawRows thresholded_copies(const Rows& z, double least) {
  const auto T = static_cast<double>(z.rows());
  const Eigen::Index n = z.cols();
  Eigen::MatrixXd S = z.transpose() * z / T;
  S = S.unaryExpr([least](double r) { return r > least ? r - least : r < -least ? r + least : 0.0; });
  S.diagonal().setOnes();
  double smallest = least_eigenvalue(S);
  if (smallest < kLeastEigenvalue) {
    const double towards_one = (kLeastEigenvalue - smallest) / (1 - smallest);
    S *= 1 - towards_one;
    S.diagonal().setOnes();
    smallest = kLeastEigenvalue;
  }
  const Eigen::MatrixXd inverse = S.llt().solve(Eigen::MatrixXd::Identity(n, n));
  for (double s = std::min(1.0, kShort * 2 * smallest); s > 1e-6; s *= 0.9) {
    Eigen::MatrixXd C = -s * s * inverse;
    C.diagonal().array() += 2 * s;
    const Eigen::LLT<Eigen::MatrixXd> factor(C);
    if (factor.info() != Eigen::Success) continue;
    return [mean = Rows(z - s * (z * inverse)), root = Eigen::MatrixXd(factor.matrixL())](std::uint64_t seed) {
      Rows copy = mean;
      copy.noalias() += normals(mean.rows(), mean.cols(), seed) * root.triangularView<Eigen::Lower>().transpose();
      return copy;
    };
  }
  throw OptionError(
      "the features are so nearly dependent that they have no knockoffs; leave out those that repeat others");
}

DrawRows copies_by_block(const Rows& z) {
  const double least = least_correlation(z);
  const auto blocks = correlated_blocks(z, least, kMostInBlock);
  std::vector<DrawRows> draws;
  for (const auto& block : blocks) draws.push_back(thresholded_copies(z(Eigen::all, block), least));
  return [blocks, draws, rows = z.rows(), columns = z.cols()](std::uint64_t seed) {
    Rows copy(rows, columns);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      copy(Eigen::all, blocks[b]) = draws[b](seed + 0xd1b54a32d192ed03U * b);
    }
    return copy;
  };
}

}  // namespace

DrawKnockoffs gaussian_copies(const Matrix& x) {
  if (x.rows() < 4) throw OptionError(fmt::format("knockoffs need at least 4 examples, but there are {}", x.rows()));
  const Standardised data = standardised(x);
  const DrawRows draw =
      x.columns() <= kMostThresholded ? thresholded_copies(data.z, least_correlation(data.z)) : copies_by_block(data.z);
  return [draw, mean = data.mean, sd = data.sd](std::uint64_t seed) -> Knockoffs {
    Rows copy = draw(seed);
    copy = (copy.array().rowwise() * sd.array()).matrix();
    copy.rowwise() += mean;
    return {"gaussian", {copy.data(), copy.data() + copy.size()}};
  };
}

Knockoffs gaussian_knockoffs(const Matrix& x, std::uint64_t seed) {
  return gaussian_copies(x)(seed);
}

}  // namespace medlar

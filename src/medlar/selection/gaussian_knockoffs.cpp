// Second-order Gaussian knockoffs: z~ = z - s S^-1 z + C^(1/2) g with C = 2 s I - s^2 S^-1 and s = min(1, 2 min eig S),
// so that (z, z~) has the covariance [[S, S - sI], [S - sI, S]], which no swap changes (Candes, Fan, Janson and Lv
// 2018). Of up to 4000 features S is R with its small correlations set to none, and all is done by Cholesky factors. Of
// more, S = shrinkage I + (1 - shrinkage) R, so that all is done in the basis of R's eigenvectors, of which there are
// no more than examples: T^2 n operations, never n x n numbers when n > T.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "medlar/error.hpp"
#include "medlar/linalg/symmetric_eigen.hpp"
#include "medlar/selection/copies.hpp"

namespace medlar {
namespace {

constexpr Eigen::Index kMostEigenvalues = 6000;
constexpr double kLeastShrinkage = 1e-3;

constexpr Index kMostThresholded = 4000;   // features up to which the correlations are held whole
constexpr double kLeastEigenvalue = 0.05;  // smaller ones leave no room between a feature and its copy
constexpr double kShort = 0.999;           // of s, so that the factor of C exists

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

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

// Sum of the variances of the correlations r_ij, i != j, over the sum of their squares (Schaefer and Strimmer 2005).
double shrinkage(const Rows& z, double squares_of_correlations, Index varying) {
  const auto T = static_cast<double>(z.rows());
  const double off = squares_of_correlations - static_cast<double>(varying);
  if (!(off > 0)) return 1;
  const double products = z.rowwise().squaredNorm().squaredNorm() - z.array().pow(4).sum();
  return std::clamp(T / std::pow(T - 1, 3) * (products - T * off) / off, kLeastShrinkage, 1.0);
}

// Those of R = z'z / T with eigenvalues above rounding.
SymmetricEigen eigen_of_correlations(const Rows& z) {
  const auto T = static_cast<double>(z.rows());
  const bool wide = z.cols() > z.rows();
  const Eigen::MatrixXd square = wide ? Eigen::MatrixXd(z * z.transpose() / T) : Eigen::MatrixXd(z.transpose() * z / T);
  const SymmetricEigen solved = symmetric_eigen(square);
  const double least = 1e-10 * std::max(solved.values.maxCoeff(), 1e-300);
  const Eigen::Index kept = (solved.values.array() > least).count();  // the last ones, for they ascend
  SymmetricEigen made;
  made.values = solved.values.tail(kept);
  made.vectors = solved.vectors.rightCols(kept);
  if (wide) {
    const Eigen::VectorXd length = (made.values * T).cwiseSqrt().cwiseInverse();
    made.vectors = z.transpose() * made.vectors * length.asDiagonal();
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
DrawRows thresholded_copies(const Rows& z) {
  const auto T = static_cast<double>(z.rows());
  const Eigen::Index n = z.cols();
  const double least = std::sqrt(std::log(std::max<double>(static_cast<double>(n), 2)) / T);
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

DrawRows shrunken_copies(const Rows& z, Index varying) {
  SymmetricEigen r = eigen_of_correlations(z);
  const double lambda = shrinkage(z, r.values.squaredNorm(), varying);
  const Eigen::ArrayXd sigma = lambda + (1 - lambda) * r.values.array();  // eigenvalues of S; lambda beside them
  const bool complete = sigma.size() == z.cols();
  const double s = std::min(1.0, 2 * (complete ? sigma.minCoeff() : lambda));
  const auto root = [&](double eigenvalue) { return std::sqrt(std::max(0.0, 2 * s - s * s / eigenvalue)); };
  const double beside = root(lambda);
  const Eigen::VectorXd keep = 1 - s / sigma;  // z lies in the span of the vectors
  const Eigen::VectorXd spread = sigma.unaryExpr(root) - beside;
  const Rows kept = z * r.vectors * keep.asDiagonal();
  return [kept, spread, beside, vectors = std::move(r.vectors)](std::uint64_t seed) {
    const Rows g = normals(kept.rows(), vectors.rows(), seed);
    Rows inner = kept;
    inner += g * vectors * spread.asDiagonal();
    Rows copy = beside * g;
    copy += inner * vectors.transpose();
    return copy;
  };
}

}  // namespace

DrawKnockoffs gaussian_copies(const Matrix& x) {
  if (x.rows() < 4) throw OptionError(fmt::format("knockoffs need at least 4 examples, but there are {}", x.rows()));
  if (x.columns() > kMostThresholded && x.rows() > kMostEigenvalues) {
    throw OptionError(fmt::format("knockoffs need at most {} examples or at most {} features, but there are {} and {}",
                                  kMostEigenvalues, kMostThresholded, x.rows(), x.columns()));
  }
  const Standardised data = standardised(x);
  const Index varying = (data.sd.array() > 0).count();
  const DrawRows draw = x.columns() <= kMostThresholded ? thresholded_copies(data.z) : shrunken_copies(data.z, varying);
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

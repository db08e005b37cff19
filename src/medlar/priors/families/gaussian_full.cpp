// The derivatives of the normal-Wishart law. K is not formed from the inverse of M where a factor is enough, and
// everything stays in the r directions of the examples when there are fewer of them than columns. With R = M^-1, m =
// chi1/nu, and s the level of M outside the directions:
//
//   dK/dchi2 = -(n/2) R,   dK/dchi1 = n R m,   dK/dchi3 = -(n/2)/s,
//   dK/dnu = (psi_d(n/2) - log det M - n m.R m - d/nu + d log 2 - d log 2 pi)/2,   psi_d(a) = sum_j psi(a - j/2)
//   along a direction: dM = dchi2 - dchi1 m^T - m dchi1^T + m m^T dnu,  dR = -R dM R,  dm = (dchi1 - m dnu)/nu,
//   ds = dchi3/(d - r)
//
// The units of the columns add - nu sum log scale to K.
#include "medlar/priors/families/gaussian_full.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

#include "medlar/priors/families/special.hpp"

namespace medlar {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using ConstMatrix = Eigen::Map<const MatrixXd>;
using ConstVector = Eigen::Map<const VectorXd>;

struct Parts {
  Parts(std::span<const double> chi, Index r) : nu(chi.back()) {
    mean = ConstVector(chi.data(), r) / nu;
    const ConstMatrix second(chi.data() + r, r, r);
    scatter = 0.5 * (second + second.transpose()) - nu * mean * mean.transpose();
  }
  double nu;
  VectorXd mean;
  MatrixXd scatter;  // M
};

double log_det(const Eigen::LLT<MatrixXd>& factor) {
  return 2 * factor.matrixLLT().diagonal().array().log().sum();
}

}  // namespace

void GaussianFull::statistics_of(std::span<const double> x, std::span<double> u) const {
  if (span_) {
    u[static_cast<std::size_t>(r_ + r_ * r_)] = span_->project(x, u.first(static_cast<std::size_t>(r_)));
  } else {
    std::copy(x.begin(), x.end(), u.begin());
  }
  const ConstVector z(u.data(), r_);
  Eigen::Map<MatrixXd>(u.data() + r_, r_, r_) = z * z.transpose();
  u.back() = 0;
}

// The expected precision n M^-1 is diagonal, with the variances of the columns over all classes.
void GaussianFull::prior(double strength, std::span<const ColumnMoments> moments, std::span<double> chi) const {
  const auto d = static_cast<double>(d_);
  VectorXd mean(d_), inside(r_), own = VectorXd::Constant(r_, d + strength);
  for (Index i = 0; i < d_; ++i) mean[i] = moments[static_cast<std::size_t>(i)].mean;
  if (span_) {
    span_->project({mean.data(), static_cast<std::size_t>(d_)}, {inside.data(), static_cast<std::size_t>(r_)});
    chi[static_cast<std::size_t>(r_ + r_ * r_)] = 0;
  } else {
    inside = mean;
    for (Index i = 0; i < d_; ++i) {
      const double variance = moments[static_cast<std::size_t>(i)].variance;
      own[i] *= variance > 0 ? variance : 1.0;
    }
  }
  Eigen::Map<VectorXd>(chi.data(), r_) = strength * inside;
  Eigen::Map<MatrixXd> second(chi.data() + r_, r_, r_);
  second = strength * inside * inside.transpose();
  second.diagonal() += own;
  chi.back() = strength;
}

double GaussianFull::outside(std::span<const double> chi) const {
  if (!span_) return 1;
  return span_->level + chi[static_cast<std::size_t>(r_ + r_ * r_)] / static_cast<double>(span_->outside());
}

double GaussianFull::log_outside(double level) const {
  return span_ ? static_cast<double>(span_->outside()) * std::log(level) : 0.0;
}

void GaussianFull::barriers_at(std::span<const double> chi, std::span<double> out) const {
  std::fill(out.begin(), out.end(), -1.0);
  const Parts parts(chi, r_);
  out[0] = parts.nu;
  if (!(parts.nu > 0)) return;
  const Eigen::LLT<MatrixXd> factor(parts.scatter);
  if (factor.info() != Eigen::Success) return;
  for (Index i = 0; i < r_; ++i) {
    const double root = factor.matrixLLT()(i, i);
    out[static_cast<std::size_t>(1 + i)] = root * root;
  }
}

double GaussianFull::value(std::span<const double> chi) const {
  constexpr double nowhere = std::numeric_limits<double>::infinity();
  const Parts parts(chi, r_);
  const double level = outside(chi);
  if (!(parts.nu > 0) || !(level > 0)) return nowhere;
  const Eigen::LLT<MatrixXd> factor(parts.scatter);
  if (factor.info() != Eigen::Success) return nowhere;
  const auto d = static_cast<double>(d_);
  const double n = d + parts.nu;
  return sum_over_halves(n, d_, log_gamma) + 0.25 * d * (d - 1) * std::log(M_PI) -
         0.5 * n * (log_det(factor) + log_outside(level)) - 0.5 * d * std::log(parts.nu) + 0.5 * n * d * std::log(2.0) -
         parts.nu * (0.5 * d * kLogTwoPi + log_scale_);
}

void GaussianFull::gradient(std::span<const double> chi, std::span<double> out) const {
  const Parts parts(chi, r_);
  const Eigen::LLT<MatrixXd> factor(parts.scatter);
  const auto d = static_cast<double>(d_);
  const double n = d + parts.nu, level = outside(chi);
  const MatrixXd inverse = factor.solve(MatrixXd::Identity(r_, r_));
  const VectorXd turned = inverse * parts.mean;
  Eigen::Map<VectorXd>(out.data(), r_) = n * turned;
  Eigen::Map<MatrixXd>(out.data() + r_, r_, r_) = -0.5 * n * inverse;
  if (span_) out[static_cast<std::size_t>(r_ + r_ * r_)] = -0.5 * n / level;
  out.back() = 0.5 * (sum_over_halves(n, d_, digamma) - log_det(factor) - log_outside(level) -
                      n * turned.dot(parts.mean) - d / parts.nu + d * std::log(2.0) - d * kLogTwoPi) -
               log_scale_;
}

// R, R m, m, n, nu, sum of trigammas, s.
void GaussianFull::curvature(std::span<const double> chi, std::span<double> out) const {
  const Parts parts(chi, r_);
  const Eigen::LLT<MatrixXd> factor(parts.scatter);
  const double n = static_cast<double>(d_) + parts.nu;
  Eigen::Map<MatrixXd> inverse(out.data(), r_, r_);
  inverse = factor.solve(MatrixXd::Identity(r_, r_));
  double* const rest = out.data() + r_ * r_;
  Eigen::Map<VectorXd>(rest, r_) = inverse * parts.mean;
  Eigen::Map<VectorXd>(rest + r_, r_) = parts.mean;
  rest[2 * r_] = n;
  rest[2 * r_ + 1] = parts.nu;
  rest[2 * r_ + 2] = sum_over_halves(n, d_, trigamma);
  rest[2 * r_ + 3] = outside(chi);
}

void GaussianFull::product(std::span<const double> curvature, std::span<const double> direction,
                           std::span<double> out) const {
  const ConstMatrix inverse(curvature.data(), r_, r_);
  const double* const rest = curvature.data() + r_ * r_;
  const ConstVector turned(rest, r_), mean(rest + r_, r_), d_first(direction.data(), r_);
  const ConstMatrix d_second(direction.data() + r_, r_, r_);
  const double n = rest[2 * r_], nu = rest[2 * r_ + 1], trigammas = rest[2 * r_ + 2], level = rest[2 * r_ + 3];
  const double d_nu = direction.back();
  const MatrixXd cross = d_first * mean.transpose();
  const MatrixXd d_scatter =
      0.5 * (d_second + d_second.transpose()) - cross - cross.transpose() + d_nu * mean * mean.transpose();
  const MatrixXd turned_scatter = -(inverse * d_scatter);
  const MatrixXd d_inverse = turned_scatter * inverse;
  const VectorXd d_mean = (d_first - d_nu * mean) / nu, inverse_d_mean = inverse * d_mean;
  const VectorXd d_inverse_mean = d_inverse * mean;
  double d_log_det = inverse.cwiseProduct(d_scatter).sum();
  Eigen::Map<VectorXd>(out.data(), r_) = d_nu * turned + n * d_inverse_mean + n * inverse_d_mean;
  Eigen::Map<MatrixXd>(out.data() + r_, r_, r_) = -0.5 * d_nu * inverse - 0.5 * n * d_inverse;
  if (span_) {
    const auto place = static_cast<std::size_t>(r_ + r_ * r_);
    const double relative = direction[place] / level;
    out[place] = (0.5 * n * relative / static_cast<double>(span_->outside()) - 0.5 * d_nu) / level;
    d_log_det += relative;
  }
  out.back() = 0.25 * trigammas * d_nu - 0.5 * d_log_det - 0.5 * d_nu * turned.dot(mean) -
               0.5 * n * (mean.dot(d_inverse_mean) + 2 * mean.dot(inverse_d_mean)) +
               0.5 * static_cast<double>(d_) * d_nu / (nu * nu);
}

double GaussianFull::score(std::span<const double> chi, std::span<const double> u) const {
  if (u.back() == 0) return 0;  // a missing cell
  const Parts parts(chi, r_);
  const Eigen::LLT<MatrixXd> factor(parts.scatter);
  const auto d = static_cast<double>(d_);
  const double n = d + parts.nu, level = outside(chi);
  const VectorXd z = factor.matrixL().solve(ConstVector(u.data(), r_) - parts.mean);
  const double rest = span_ ? u[static_cast<std::size_t>(r_ + r_ * r_)] / level : 0.0;
  return 0.5 * (sum_over_halves(n, d_, digamma) - log_det(factor) - log_outside(level) - n * (z.squaredNorm() + rest) -
                d / parts.nu + d * std::log(2.0) - d * kLogTwoPi) -
         log_scale_;
}

}  // namespace medlar

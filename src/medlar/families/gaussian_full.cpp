// See the header. With R = M^-1, m = chi1/nu:
//
//   dK/dchi2 = -(n/2) R,   dK/dchi1 = n R m,
//   dK/dnu = (psi_d(n/2) - log det M - n m.R m - d/nu + d log 2 - d log 2 pi)/2,   psi_d(a) = sum_j psi(a - j/2)
//   along a direction: dM = dchi2 - dchi1 m^T - m dchi1^T + m m^T dnu,  dR = -R dM R,  dm = (dchi1 - m dnu)/nu
#include "medlar/families/gaussian_full.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

#include "medlar/families/special.hpp"

namespace medlar {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using ConstMatrix = Eigen::Map<const MatrixXd>;
using ConstVector = Eigen::Map<const VectorXd>;

struct Parts {
  Parts(std::span<const double> chi, Index d) : nu(chi[static_cast<std::size_t>(d + d * d)]) {
    mean = ConstVector(chi.data(), d) / nu;
    const ConstMatrix second(chi.data() + d, d, d);
    scatter = 0.5 * (second + second.transpose()) - nu * mean * mean.transpose();
  }
  double nu;
  VectorXd mean;
  MatrixXd scatter;  // M
};

double log_det(const Eigen::LLT<MatrixXd>& factor) {
  return 2 * factor.matrixLLT().diagonal().array().log().sum();
}

template <class Function>
double sum_over_halves(double n, Index d, Function f) {
  double sum = 0;
  for (Index j = 0; j < d; ++j) sum += f(0.5 * (n - static_cast<double>(j)));
  return sum;
}

}  // namespace

void GaussianFull::statistics_of(std::span<const double> x, std::span<double> u) const {
  const auto d = static_cast<std::size_t>(d_);
  for (std::size_t i = 0; i < d; ++i) {
    u[i] = x[i];
    for (std::size_t j = 0; j < d; ++j) u[d + i * d + j] = x[i] * x[j];
  }
  u[d + d * d] = 0;
}

// The expected precision n M^-1 is that of the columns on their own, over all classes.
void GaussianFull::prior(double strength, std::span<const ColumnMoments> moments, std::span<double> chi) const {
  const auto d = static_cast<std::size_t>(d_);
  for (std::size_t i = 0; i < d; ++i) {
    chi[i] = strength * moments[i].mean;
    for (std::size_t j = 0; j < d; ++j) chi[d + i * d + j] = strength * moments[i].mean * moments[j].mean;
    chi[d + i * d + i] += (static_cast<double>(d_) + strength) * (moments[i].variance > 0 ? moments[i].variance : 1.0);
  }
  chi[d + d * d] = strength;
}

void GaussianFull::barriers_at(std::span<const double> chi, std::span<double> out) const {
  std::fill(out.begin(), out.end(), -1.0);
  const Parts parts(chi, d_);
  out[0] = parts.nu;
  if (!(parts.nu > 0)) return;
  const Eigen::LLT<MatrixXd> factor(parts.scatter);
  if (factor.info() != Eigen::Success) return;
  for (Index i = 0; i < d_; ++i) {
    const double root = factor.matrixLLT()(i, i);
    out[static_cast<std::size_t>(1 + i)] = root * root;
  }
}

double GaussianFull::value(std::span<const double> chi) const {
  constexpr double outside = std::numeric_limits<double>::infinity();
  const Parts parts(chi, d_);
  if (!(parts.nu > 0)) return outside;
  const Eigen::LLT<MatrixXd> factor(parts.scatter);
  if (factor.info() != Eigen::Success) return outside;
  const auto d = static_cast<double>(d_);
  const double n = d + parts.nu;
  return sum_over_halves(n, d_, log_gamma) + 0.25 * d * (d - 1) * std::log(M_PI) - 0.5 * n * log_det(factor) -
         0.5 * d * std::log(parts.nu) + 0.5 * n * d * std::log(2.0) - 0.5 * parts.nu * d * kLogTwoPi;
}

void GaussianFull::gradient(std::span<const double> chi, std::span<double> out) const {
  const Parts parts(chi, d_);
  const Eigen::LLT<MatrixXd> factor(parts.scatter);
  const auto d = static_cast<double>(d_);
  const double n = d + parts.nu;
  const MatrixXd inverse = factor.solve(MatrixXd::Identity(d_, d_));
  const VectorXd turned = inverse * parts.mean;
  Eigen::Map<VectorXd>(out.data(), d_) = n * turned;
  Eigen::Map<MatrixXd>(out.data() + d_, d_, d_) = -0.5 * n * inverse;
  out[static_cast<std::size_t>(d_ + d_ * d_)] =
      0.5 * (sum_over_halves(n, d_, digamma) - log_det(factor) - n * turned.dot(parts.mean) - d / parts.nu +
             d * std::log(2.0) - d * kLogTwoPi);
}

// R, R m, m, n, nu, sum of trigammas.
void GaussianFull::curvature(std::span<const double> chi, std::span<double> out) const {
  const Parts parts(chi, d_);
  const Eigen::LLT<MatrixXd> factor(parts.scatter);
  const double n = static_cast<double>(d_) + parts.nu;
  Eigen::Map<MatrixXd> inverse(out.data(), d_, d_);
  inverse = factor.solve(MatrixXd::Identity(d_, d_));
  double* const rest = out.data() + d_ * d_;
  Eigen::Map<VectorXd>(rest, d_) = inverse * parts.mean;
  Eigen::Map<VectorXd>(rest + d_, d_) = parts.mean;
  rest[2 * d_] = n;
  rest[2 * d_ + 1] = parts.nu;
  rest[2 * d_ + 2] = sum_over_halves(n, d_, trigamma);
}

void GaussianFull::product(std::span<const double> curvature, std::span<const double> direction,
                           std::span<double> out) const {
  const ConstMatrix inverse(curvature.data(), d_, d_);
  const double* const rest = curvature.data() + d_ * d_;
  const ConstVector turned(rest, d_), mean(rest + d_, d_), d_first(direction.data(), d_);
  const ConstMatrix d_second(direction.data() + d_, d_, d_);
  const double n = rest[2 * d_], nu = rest[2 * d_ + 1], trigammas = rest[2 * d_ + 2];
  const double d_nu = direction[static_cast<std::size_t>(d_ + d_ * d_)];
  const MatrixXd cross = d_first * mean.transpose();
  const MatrixXd d_scatter =
      0.5 * (d_second + d_second.transpose()) - cross - cross.transpose() + d_nu * mean * mean.transpose();
  const MatrixXd d_inverse = -inverse * d_scatter * inverse;
  const VectorXd d_mean = (d_first - d_nu * mean) / nu, inverse_d_mean = inverse * d_mean;
  const VectorXd d_inverse_mean = d_inverse * mean;
  Eigen::Map<VectorXd>(out.data(), d_) = d_nu * turned + n * d_inverse_mean + n * inverse_d_mean;
  Eigen::Map<MatrixXd>(out.data() + d_, d_, d_) = -0.5 * d_nu * inverse - 0.5 * n * d_inverse;
  out[static_cast<std::size_t>(d_ + d_ * d_)] = 0.25 * trigammas * d_nu - 0.5 * inverse.cwiseProduct(d_scatter).sum() -
                                                0.5 * d_nu * turned.dot(mean) -
                                                0.5 * n * (mean.dot(d_inverse_mean) + 2 * mean.dot(inverse_d_mean)) +
                                                0.5 * static_cast<double>(d_) * d_nu / (nu * nu);
}

double GaussianFull::score(std::span<const double> chi, std::span<const double> u) const {
  if (u[static_cast<std::size_t>(d_ + d_ * d_)] == 0) return 0;  // a missing cell
  const Parts parts(chi, d_);
  const Eigen::LLT<MatrixXd> factor(parts.scatter);
  const auto d = static_cast<double>(d_);
  const double n = d + parts.nu;
  const VectorXd z = factor.matrixL().solve(ConstVector(u.data(), d_) - parts.mean);
  return 0.5 * (sum_over_halves(n, d_, digamma) - log_det(factor) - n * z.squaredNorm() - d / parts.nu +
                d * std::log(2.0) - d * kLogTwoPi);
}

// Of one example: dM = z z^T and dm = z/nu with z = x - m, so that q = z.R z says it all.
double GaussianFull::variance(std::span<const double> curvature, std::span<const double> u) const {
  const ConstMatrix inverse(curvature.data(), d_, d_);
  const double* const rest = curvature.data() + d_ * d_;
  if (u[static_cast<std::size_t>(d_ + d_ * d_)] == 0) return 0;  // a missing cell
  const VectorXd z = ConstVector(u.data(), d_) - ConstVector(rest + d_, d_);
  const double n = rest[2 * d_], nu = rest[2 * d_ + 1], q = z.dot(inverse * z);
  return 0.25 * rest[2 * d_ + 2] - q + 0.5 * n * q * q + n * q / nu + 0.5 * static_cast<double>(d_) / (nu * nu);
}

// Without w times x the count is nu' = nu - w, the mean is m - (w/nu') z with z = x - m, and M' = M - a z z^T with
// a = w nu/nu': hence det M' = det M (1 - a q) and z'.R' z' = (nu/nu')^2 q/(1 - a q), where q = z.R z. Where 1 - a q
// has lost its digits, the factor of M' tells.
double GaussianFull::left_out(std::span<const double> chi, std::span<const double> curvature, double counted,
                              std::span<const double> u) const {
  constexpr double least_left = 1e-6;
  if (u[static_cast<std::size_t>(d_ + d_ * d_)] == 0) return 0;  // a missing cell
  const ConstMatrix inverse(curvature.data(), d_, d_);
  const double* const rest = curvature.data() + d_ * d_;
  const VectorXd z = ConstVector(u.data(), d_) - ConstVector(rest + d_, d_);
  const double n = rest[2 * d_], nu = rest[2 * d_ + 1], q = z.dot(inverse * z), fewer = nu - counted;
  const double left = 1 - counted * nu / fewer * q;
  if (!(left > least_left)) return Family::left_out(chi, curvature, counted, u);
  const double further = nu / fewer * nu / fewer * q / left;
  // Without one example all arguments are those of their neighbours, so that the ends of the sums alone are left.
  const double digammas = counted == 1 ? digamma(0.5 * (n - static_cast<double>(d_))) - digamma(0.5 * n)
                                       : sum_over_halves(n - counted, d_, digamma) - sum_over_halves(n, d_, digamma);
  return 0.5 *
         (digammas - std::log(left) - (n - counted) * further + n * q - static_cast<double>(d_) * (1 / fewer - 1 / nu));
}

// -(n/2) z_i (R z)_i of the distance from the mean, and an equal share of the rest.
void GaussianFull::contributions(std::span<const double> slope, std::span<const double> curvature,
                                 std::span<const double> x, std::span<const double> u, std::span<double> out) const {
  const ConstMatrix inverse(curvature.data(), d_, d_);
  const double* const rest = curvature.data() + d_ * d_;
  const VectorXd z = ConstVector(x.data(), d_) - ConstVector(rest + d_, d_);
  const VectorXd parts = -0.5 * rest[2 * d_] * z.cwiseProduct(inverse * z);
  double all = 0;
  for (std::size_t i = 0; i < u.size(); ++i) all += u[i] * slope[i];
  const double shared = (all - parts.sum()) / static_cast<double>(d_);
  for (Index i = 0; i < d_; ++i) out[static_cast<std::size_t>(i)] = parts[i] + shared;
}

double GaussianFull::diagonal(std::span<const double> curvature, Index i) const {
  if (i >= d_) return Family::diagonal(curvature, i);
  const ConstMatrix inverse(curvature.data(), d_, d_);
  const double* const rest = curvature.data() + d_ * d_;
  const ConstVector turned(rest, d_), mean(rest + d_, d_);
  return rest[2 * d_] * (inverse(i, i) * (turned.dot(mean) + 1 / rest[2 * d_ + 1]) + turned[i] * turned[i]);
}

}  // namespace medlar

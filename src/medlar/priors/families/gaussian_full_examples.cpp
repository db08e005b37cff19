// Single examples and columns under the normal-Wishart law, from the numbers of curvature(); the letters are those of
// gaussian_full.cpp. One example is dM = z z^T and dm = z/nu with z = x - m, so everything follows from q = z.R z and
// no example needs a factor of its own.
#include <Eigen/Dense>

#include "medlar/priors/families/gaussian_full.hpp"
#include "medlar/priors/families/special.hpp"

namespace medlar {

namespace {

struct Curved {
  Curved(std::span<const double> curvature, Index r)
      : inverse(curvature.data(), r, r),
        turned(curvature.data() + r * r, r),
        mean(turned.data() + r, r),
        n(mean.data()[r]),
        nu(mean.data()[r + 1]),
        trigammas(mean.data()[r + 2]),
        level(mean.data()[r + 3]) {}
  Eigen::Map<const Eigen::MatrixXd> inverse;       // R
  Eigen::Map<const Eigen::VectorXd> turned, mean;  // R m, m
  double n, nu, trigammas, level;
};

Eigen::Map<const Eigen::MatrixXd> basis_of(const GaussianSpan& span) {
  return {span.basis.data(), span.columns, span.directions};
}

}  // namespace

double GaussianFull::distance(std::span<const double> curvature, std::span<const double> u) const {
  const Curved at(curvature, r_);
  const Eigen::VectorXd z = Eigen::Map<const Eigen::VectorXd>(u.data(), r_) - at.mean;
  return z.dot(at.inverse * z) + (span_ ? u[static_cast<std::size_t>(r_ + r_ * r_)] / at.level : 0.0);
}

double GaussianFull::variance(std::span<const double> curvature, std::span<const double> u) const {
  if (u.back() == 0) return 0;  // a missing cell
  const Curved at(curvature, r_);
  const double q = distance(curvature, u);
  return 0.25 * at.trigammas - q + 0.5 * at.n * q * q + at.n * q / at.nu +
         0.5 * static_cast<double>(d_) / (at.nu * at.nu);
}

// With G = (Z - m) R (Z - m)^T:  (n/2) G_st^2 - (G_ss + G_tt)/2 + (n/nu) G_st + sum of trigammas/4 + d/(2 nu^2)
void GaussianFull::crosses(std::span<const double> curvature, std::span<const double> z, std::span<double> out) const {
  const Curved at(curvature, r_);
  const Index T = std::ssize(z) / r_;
  Eigen::MatrixXd away = Eigen::Map<const Eigen::MatrixXd>(z.data(), r_, T);
  away.colwise() -= at.mean;
  Eigen::Map<Eigen::MatrixXd> gram(out.data(), T, T);
  gram.noalias() = away.transpose() * (at.inverse * away);
  const Eigen::ArrayXd own = 0.5 * gram.diagonal().array();
  const double shared = 0.25 * at.trigammas + 0.5 * static_cast<double>(d_) / (at.nu * at.nu);
  for (Index t = 0; t < T; ++t) {
    gram.col(t).array() =
        gram.col(t).array() * (0.5 * at.n * gram.col(t).array() + at.n / at.nu) - own + (shared - own[t]);
  }
}

// Leaving out w times x, the count is nu' = nu - w, the mean is m - (w/nu') z with z = x - m, and M' = M - a z z^T with
// a = w nu/nu'. Hence det M' = det M (1 - a q) and z'.R' z' = (nu/nu')^2 q/(1 - a q), where q = z.R z. Where 1 - a q
// has lost its digits, M' is factored instead.
double GaussianFull::left_out(std::span<const double> chi, std::span<const double> curvature, double counted,
                              std::span<const double> u) const {
  constexpr double least_left = 1e-6;
  if (u.back() == 0) return 0;  // a missing cell
  const Curved at(curvature, r_);
  const double n = at.n, nu = at.nu, q = distance(curvature, u), fewer = nu - counted;
  const double left = 1 - counted * nu / fewer * q;
  if (!(left > least_left)) return Family::left_out(chi, curvature, counted, u);
  const double further = nu / fewer * nu / fewer * q / left;
  // Without one example the arguments shift by one place, so only the ends of the two sums remain.
  const double digammas = counted == 1 ? digamma(0.5 * (n - static_cast<double>(d_))) - digamma(0.5 * n)
                                       : sum_over_halves(n - counted, d_, digamma) - sum_over_halves(n, d_, digamma);
  return 0.5 *
         (digammas - std::log(left) - (n - counted) * further + n * q - static_cast<double>(d_) * (1 / fewer - 1 / nu));
}

// A column adds -(n/2) z_i (R z)_i, its part of the distance from the mean in units of the columns, and log R_ii/2, the
// scale of its density given the other columns. The rest is divided equally.
void GaussianFull::contributions(std::span<const double> slope, std::span<const double> curvature,
                                 std::span<const double> x, std::span<const double> u, std::span<double> out) const {
  const Curved at(curvature, r_);
  const Eigen::VectorXd inside = Eigen::Map<const Eigen::VectorXd>(u.data(), r_) - at.mean;
  Eigen::VectorXd z = inside, turned = at.inverse * inside, own = at.inverse.diagonal();
  if (span_) {
    const auto B = basis_of(*span_);
    const Eigen::VectorXd scaled =
        Eigen::Map<const Eigen::ArrayXd>(x.data(), d_) / Eigen::Map<const Eigen::ArrayXd>(span_->scale.data(), d_);
    const Eigen::VectorXd rest = scaled - B * Eigen::Map<const Eigen::VectorXd>(u.data(), r_);
    z = B * inside + rest;
    turned = B * turned + rest / at.level;
    own = (B * at.inverse).cwiseProduct(B).rowwise().sum();
    own += (1 - B.rowwise().squaredNorm().array()).matrix() / at.level;
    own.array() /= Eigen::Map<const Eigen::ArrayXd>(span_->scale.data(), d_).square();
  }
  const Eigen::VectorXd parts = 0.5 * own.array().log() - 0.5 * at.n * z.array() * turned.array();
  double all = 0;
  for (std::size_t i = 0; i < u.size(); ++i) all += u[i] * slope[i];
  const double shared = (all - parts.sum()) / static_cast<double>(d_);
  for (Index i = 0; i < d_; ++i) out[static_cast<std::size_t>(i)] = parts[i] + shared;
}

double GaussianFull::coefficient(std::span<const double> slope, Index i) const {
  if (!span_) return slope[static_cast<std::size_t>(i)];
  return basis_of(*span_).row(i).dot(Eigen::Map<const Eigen::VectorXd>(slope.data(), r_)) /
         span_->scale[static_cast<std::size_t>(i)];
}

double GaussianFull::coefficient_variance(std::span<const double> curvature, Index i) const {
  const Curved at(curvature, r_);
  double own = 0, turned = 0, unit = 1;  // of R and of R m
  if (span_) {
    const Eigen::VectorXd b = basis_of(*span_).row(i).transpose();
    own = b.dot(at.inverse * b) + (1 - b.squaredNorm()) / at.level;
    turned = b.dot(at.turned);
    unit = span_->scale[static_cast<std::size_t>(i)];
  } else {
    own = at.inverse(i, i);
    turned = at.turned[i];
  }
  return at.n * (own * (at.turned.dot(at.mean) + 1 / at.nu) + turned * turned) / (unit * unit);
}

std::shared_ptr<const Family> GaussianFull::for_examples(std::span<const double> x,
                                                         std::span<const ColumnMoments> moments,
                                                         double strength) const {
  const auto span = GaussianSpan::of(x, moments, strength);
  return span ? std::make_shared<const GaussianFull>(d_, span) : nullptr;
}

std::shared_ptr<const Family> GaussianFull::shaped(std::span<const double> shape) const {
  const auto span = GaussianSpan::from(shape, d_);
  return span ? std::make_shared<const GaussianFull>(d_, span) : nullptr;
}

// Some columns of a normal-Wishart law have such a law again: m and M of those columns, and the same nu. In a span they
// are B' z, with the rows of B that remain. B' = Q T, so Q is the basis of a new span.
std::shared_ptr<const Family> GaussianFull::marginal(std::span<const Index> there, std::span<const double> chi,
                                                     std::vector<double>& part) const {
  using Eigen::MatrixXd;
  const Index k = std::ssize(there);
  const Eigen::Map<const Eigen::VectorXd> first(chi.data(), r_);
  const Eigen::Map<const MatrixXd> second(chi.data() + r_, r_, r_);
  MatrixXd turn = MatrixXd::Zero(k, r_), own = second;  // chi1' = turn chi1 and likewise M less its level
  Eigen::VectorXd unit = Eigen::VectorXd::Ones(k);
  const double level = span_ ? outside(chi) : 0.0;
  for (Index i = 0; i < k; ++i) {
    const Index column = there[static_cast<std::size_t>(i)];
    if (span_) {
      turn.row(i) = basis_of(*span_).row(column);
      unit[i] = span_->scale[static_cast<std::size_t>(column)];
    } else {
      turn(i, column) = 1;
    }
  }
  own.diagonal().array() -= level;
  std::shared_ptr<GaussianSpan> narrower;
  if (span_ && k > r_) {
    const Eigen::HouseholderQR<MatrixXd> factor(turn);
    narrower = std::make_shared<GaussianSpan>();
    *narrower = {k, r_, level, {unit.begin(), unit.end()}, std::vector<double>(static_cast<std::size_t>(k * r_))};
    Eigen::Map<MatrixXd>(narrower->basis.data(), k, r_) = factor.householderQ() * MatrixXd::Identity(k, r_);
    turn = factor.matrixQR().topRows(r_).triangularView<Eigen::Upper>();
    unit = Eigen::VectorXd::Ones(r_);
  }
  const auto family = std::make_shared<const GaussianFull>(k, narrower);
  part.assign(static_cast<std::size_t>(family->statistics()), 0.0);
  const MatrixXd half = turn * own;
  MatrixXd whole = half * turn.transpose();
  whole.diagonal().array() += level;
  Eigen::Map<Eigen::VectorXd>(part.data(), family->r_) = unit.cwiseProduct(turn * first);
  Eigen::Map<MatrixXd>(part.data() + family->r_, family->r_, family->r_) =
      unit.asDiagonal() * whole * unit.asDiagonal();
  part.back() = chi.back();
  return family;
}

}  // namespace medlar

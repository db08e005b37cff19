// A visit must stay near O(K) per entry, although A'' couples the K classes through each shared switch. Most switches
// are nearly on or off, so their bend is tiny: it is rounded up to a multiple of the identity, which keeps the step
// safe. Only large bends enter the K x K matrix.
#include "medlar/linalg/systems/class_sweep.hpp"

#include <cmath>

namespace medlar {

namespace {
constexpr double kRound = 0.02;  // of the curvature: below this share, bends count as round
}

ClassSweep::ClassSweep(const Matrix& x, Index classes, std::span<const double> p, double variance)
    : x_(x), n_(static_cast<std::size_t>(x.columns())), classes_(classes), variance_(variance) {
  for (const double each : p) logit_.push_back(std::log(each) - std::log1p(-each));
}

void ClassSweep::start(std::span<const double> v) {
  v_.resize(classes_, static_cast<Eigen::Index>(n_));
  for (std::size_t k = 0; k < static_cast<std::size_t>(classes_); ++k) {
    for (std::size_t i = 0; i < n_; ++i) v_(at(k), at(i)) = v[k * n_ + i];
  }
  features_.resize(n_);
  for (std::size_t i = 0; i < n_; ++i) turn(i);
}

void ClassSweep::look(Index t, Look& out) {
  out.f.setZero(classes_);
  out.own = 0;
  bent_.clear();
  double all_bent = 0;
  for_each(x_.row(t), [&](Index i, double x) {
    const Feature& feature = features_[static_cast<std::size_t>(i)];
    if (feature.d == 0) return;
    out.f += (x * feature.d) * v_.col(i).array();
    out.own += x * x * feature.d;
    const double bent = x * x * feature.kappa * feature.square;
    if (bent > 0) bent_.push_back({i, x * x * feature.kappa, bent}), all_bent += bent;
  });
  out.round = !(all_bent > kRound * out.own);
  if (out.round) {
    out.own += all_bent;
    return;
  }
  const double small = kRound * kRound * (out.own + all_bent);
  if (columns_.cols() < std::ssize(bent_)) columns_.resize(classes_, 2 * std::ssize(bent_));
  Eigen::Index count = 0;
  for (const Bent& each : bent_) {
    if (each.size < small) {
      out.own += each.size;
    } else {
      columns_.col(count++) = std::sqrt(each.scale) * v_.col(each.feature);
    }
  }
  out.q.noalias() = columns_.leftCols(count) * columns_.leftCols(count).transpose();
  out.q.diagonal().array() += out.own;
}

void ClassSweep::move(Index t, const Scores& change, Scores& f) {
  f.setZero(classes_);
  for_each(x_.row(t), [&](Index i, double x) {
    v_.col(i).array() += x * change;
    const Feature& feature = turn(static_cast<std::size_t>(i));
    f += (x * feature.d) * v_.col(i).array();
  });
}

const ClassSweep::Feature& ClassSweep::turn(std::size_t i) {
  Feature& feature = features_[i];
  if (logit_.empty()) {
    feature.d = variance_;
    return feature;
  }
  feature.square = v_.col(at(i)).squaredNorm();
  const double tilt = std::exp(-std::abs(logit_[i] + 0.5 * variance_ * feature.square));
  const double rare = tilt / (1 + tilt), often = 1 / (1 + tilt);
  const bool on = logit_[i] + 0.5 * variance_ * feature.square > 0;
  feature.d = variance_ * (on ? often : rare);
  feature.kappa = variance_ * variance_ * rare * often;
  return feature;
}

}  // namespace medlar

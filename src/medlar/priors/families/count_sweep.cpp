// A text has few of the words, so a visit may touch its own columns only. digamma and trigamma cost most; they are kept
// for every count and recomputed only where a count changes.
#include "medlar/priors/families/count_sweep.hpp"

#include <algorithm>

#include "medlar/linalg/give_up.hpp"
#include "medlar/priors/families/special.hpp"

namespace medlar {

CountSweep::CountSweep(const Matrix& x, Index classes, std::span<const double> prior)
    : x_(x), classes_(classes), columns_(x.columns()), prior_(prior) {}

void CountSweep::start(std::span<const double> v) {
  count_.resize(classes_, columns_);
  slope_.resize(classes_, columns_);
  bend_.resize(classes_, columns_);
  for (Eigen::Index k = 0; k < classes_; ++k) {
    for (Eigen::Index i = 0; i < columns_; ++i) {
      const auto place = static_cast<std::size_t>(k * columns_ + i);
      count_(k, i) = prior_[place] + v[place];
      slope_(k, i) = digamma(count_(k, i));
      bend_(k, i) = trigamma(count_(k, i));
    }
    pause_after(2 * kNumbersOfALog * static_cast<std::size_t>(columns_));
  }
  all_ = count_.rowwise().sum();
  all_slope_ = all_.unaryExpr([](double n) { return digamma(n); });
  all_bend_ = all_.unaryExpr([](double n) { return trigamma(n); });
}

void CountSweep::scores(Index t, Scores& f) const {
  f.setZero(classes_);
  double size = 0;
  for_each(x_.row(t), [&](Index i, double x) {
    f += x * slope_.col(i);
    size += x;
  });
  f -= size * all_slope_;
}

void CountSweep::look(Index t, Look& out) {
  scores(t, out.f);
  Scores bend = Scores::Zero(classes_);
  double size = 0;
  for_each(x_.row(t), [&](Index i, double x) {
    bend += x * x * bend_.col(i);
    size += x;
  });
  bend -= size * size * all_bend_;
  out.q = bend.max(0.0).matrix().asDiagonal();
  out.own = bend.mean();
  out.round = false;
}

double CountSweep::largest_part(Index t, const Scores& change) const {
  double part = 1;
  for_each(x_.row(t), [&](Index i, double x) {
    for (Eigen::Index k = 0; k < classes_; ++k) {
      const double fall = -x * change[k];
      if (fall > 0.5 * count_(k, i)) part = std::min(part, 0.5 * count_(k, i) / fall);
    }
  });
  return part;
}

void CountSweep::move(Index t, const Scores& change, Scores& f) {
  double size = 0;
  for_each(x_.row(t), [&](Index i, double x) {
    for (Eigen::Index k = 0; k < classes_; ++k) {
      if (change[k] == 0) continue;
      const double count = count_(k, i) += x * change[k];
      slope_(k, i) = digamma(count);
      bend_(k, i) = trigamma(count);
    }
    size += x;
  });
  for (Eigen::Index k = 0; k < classes_; ++k) {
    if (change[k] == 0) continue;
    all_[k] += size * change[k];
    all_slope_[k] = digamma(all_[k]);
    all_bend_[k] = trigamma(all_[k]);
  }
  scores(t, f);
}

}  // namespace medlar

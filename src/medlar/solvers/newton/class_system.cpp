#include "medlar/solvers/newton/class_system.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>

#include "medlar/linalg/cholesky.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/solvers/newton/class_feature_factor.hpp"
#include "medlar/thresholds/direct_factor.hpp"

namespace medlar {

namespace {

constexpr int kMostIterations = 3000;

double dot_of(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

struct ClassSystem::Dense {
  Eigen::MatrixXd u;                              // T x N
  Cholesky factor;                                // of the whole matrix
  std::optional<ClassFeatureFactor> by_features;  // instead of it
  Eigen::MatrixXd border;                         // its inverse times B^T
  Eigen::MatrixXd b;                              // B^T
  Eigen::LDLT<Eigen::MatrixXd> schur;

  Eigen::VectorXd solve(const Eigen::VectorXd& r) const {
    if (!by_features) return factor.solve(r);
    Eigen::VectorXd d(r.size());
    by_features->solve({r.data(), at(r.size())}, {d.data(), at(d.size())});
    return d;
  }
  void set_border(Eigen::Index count) {
    border.resize(count, b.cols());
    for (Eigen::Index k = 0; k < b.cols(); ++k) border.col(k) = solve(b.col(k));
    schur.compute(b.transpose() * border);
  }
};

namespace {

// The examples that class k has constraints with, in order.
std::vector<Index> examples_of(const ClassConstraints& constraints, Index k) {
  std::vector<Index> own;
  for (std::size_t c = 0; c < constraints.count(); ++c) {
    if (constraints.up[c] != k && constraints.down[c] != k) continue;
    if (own.empty() || own.back() != constraints.example[c]) own.push_back(constraints.example[c]);
  }
  return own;
}

// Multiplications to form the matrix, and to factor it.
double direct_work(const ClassConstraints& constraints, bool apart) {
  const StatisticRows& rows = *constraints.rows;
  const auto count = static_cast<double>(constraints.count()), n = static_cast<double>(rows.statistics());
  if (!apart) return static_cast<double>(constraints.classes) * static_cast<double>(constraints.examples) * count * n;
  double work = count * count * count / 3;
  for (Index k = 0; k < constraints.classes; ++k) {
    const auto own = static_cast<double>(examples_of(constraints, k).size());
    work += own * own * n;
  }
  return work;
}

}  // namespace

bool ClassSystem::direct(const ClassConstraints& constraints, bool apart, double most_work) {
  return ClassFeatureFactor::suits(constraints) ||
         ((apart || constraints.count() <= kMostConstraintsFactored) && direct_work(constraints, apart) <= most_work);
}

ClassSystem::ClassSystem(const ClassConstraints& constraints, bool flat, double sigma2, bool apart, double most_work)
    : rows_(*constraints.rows),
      constraints_(constraints),
      balanced_(flat ? at(constraints.classes) - 1 : 0),
      sigma2_(sigma2),
      apart_(apart),
      dense_(std::make_unique<Dense>()) {
  const bool by_features = ClassFeatureFactor::suits(constraints);
  direct_ = direct(constraints, apart, most_work);
  suit_crosses_ = !direct_ && apart && ClassCrosses::suit(constraints);
  const auto count = static_cast<Eigen::Index>(constraints.count());
  dense_->b = Eigen::MatrixXd::Zero(count, static_cast<Eigen::Index>(balanced_));
  for (Eigen::Index c = 0; c < count; ++c) {
    const Index up = constraints.up[static_cast<std::size_t>(c)], down = constraints.down[static_cast<std::size_t>(c)];
    if (up < static_cast<Index>(balanced_)) dense_->b(c, up) = 1;
    if (down >= 0 && down < static_cast<Index>(balanced_)) dense_->b(c, down) = -1;
  }
  if (by_features) dense_->by_features.emplace(constraints, sigma2);
  if (!direct_ || by_features || apart) return;
  dense_->u.resize(constraints.examples, rows_.statistics());
  std::vector<double> row(at(rows_.statistics()));
  for (Index t = 0; t < constraints.examples; ++t) {
    rows_.row(t, row);
    dense_->u.row(t) = Eigen::Map<const Eigen::RowVectorXd>(row.data(), rows_.statistics());
    pause_after(8 * row.size());
  }
}

ClassSystem::~ClassSystem() = default;

std::vector<double> ClassSystem::received(std::span<const double> d) const {
  std::vector<double> sums(balanced_, 0.0);
  for (std::size_t c = 0; c < d.size(); ++c) {
    if (at(constraints_.up[c]) < balanced_) sums[at(constraints_.up[c])] += d[c];
    if (constraints_.down[c] >= 0 && at(constraints_.down[c]) < balanced_) sums[at(constraints_.down[c])] -= d[c];
  }
  return sums;
}

void ClassSystem::assemble(std::vector<double> h, Product product, std::vector<double> diagonal,
                           ClassCrosses::Cross cross) {
  h_ = std::move(h);
  product_ = std::move(product);
  cross_ = std::move(cross);
  if (!direct_) {
    if (cross_ && suit_crosses_) {
      crosses_ = std::make_unique<ClassCrosses>(constraints_, cross_);
      diagonal = crosses_->diagonal(constraints_);
      ++passes_;
    }
    diagonal_ = std::move(diagonal);
    if (diagonal_.empty()) estimate_diagonal();
    for (std::size_t c = 0; c < h_.size(); ++c) diagonal_[c] += h_[c] + 2 * sigma2_;
    set_preconditioner();
    return;
  }
  const auto count = static_cast<Eigen::Index>(h_.size());
  if (dense_->by_features) {
    dense_->by_features->factor(h_, product_);
    passes_ += 2 + 2 * static_cast<Index>(balanced_);
    if (balanced_ > 0) dense_->set_border(count);
    return;
  }
  apart_ ? form_apart() : form();
  if (balanced_ > 0) dense_->set_border(count);
}

void ClassSystem::form() {
  const auto count = static_cast<Eigen::Index>(h_.size());
  const Index n = rows_.statistics(), classes = constraints_.classes;
  std::vector<Eigen::MatrixXd> turned(at(classes), Eigen::MatrixXd(n, count));  // A'' u of each constraint, by class
  std::vector<double> direction(at(classes * n)), out(direction.size());
  for (Eigen::Index c = 0; c < count; ++c) {
    const auto place = static_cast<std::size_t>(c);
    const Index t = constraints_.example[place], up = constraints_.up[place], down = constraints_.down[place];
    std::fill(direction.begin(), direction.end(), 0.0);
    Eigen::Map<Eigen::RowVectorXd>(direction.data() + up * n, n) = dense_->u.row(t);
    if (down >= 0) Eigen::Map<Eigen::RowVectorXd>(direction.data() + down * n, n) = -dense_->u.row(t);
    product_(direction, out);
    pause();
    for (Index k = 0; k < classes; ++k) {
      turned[at(k)].col(c) = Eigen::Map<const Eigen::VectorXd>(out.data() + k * n, n);
    }
  }
  Eigen::MatrixXd matrix(count, count);
  std::vector<Eigen::MatrixXd> scores;
  for (const Eigen::MatrixXd& each : turned) {
    scores.push_back(dense_->u * each);
    pause();
  }
  for (Eigen::Index c = 0; c < count; ++c) {
    const auto place = static_cast<std::size_t>(c);
    const Index t = constraints_.example[place], down = constraints_.down[place];
    matrix.row(c) = scores[at(constraints_.up[place])].row(t);
    if (down >= 0) matrix.row(c) -= scores[at(down)].row(t);
  }
  if (sigma2_ > 0) {
    Eigen::MatrixXd received = Eigen::MatrixXd::Zero(count, classes);
    for (Eigen::Index c = 0; c < count; ++c) {
      const auto place = static_cast<std::size_t>(c);
      received(c, constraints_.up[place]) = 1;
      if (constraints_.down[place] >= 0) received(c, constraints_.down[place]) = -1;
    }
    matrix += sigma2_ * received * received.transpose();
  }
  matrix = (0.5 * (matrix + matrix.transpose())).eval();
  matrix.diagonal() += Eigen::Map<const Eigen::VectorXd>(h_.data(), count);
  dense_->factor.factor(std::move(matrix));
}

void ClassSystem::form_apart() {
  const auto count = static_cast<Eigen::Index>(h_.size());
  const Index n = rows_.statistics();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(count, count);
  std::vector<double> direction(at(constraints_.classes * n)), out(direction.size());
  for (Index k = 0; k < constraints_.classes; ++k) {
    const std::vector<Index> own = examples_of(constraints_, k);
    Eigen::MatrixXd gram;
    if (cross_ && rows_.sole_moments() != nullptr) {
      const std::vector<double> pairs = ClassCrosses::of_class(rows_, own, k, cross_);
      gram = Eigen::Map<const Eigen::MatrixXd>(pairs.data(), std::ssize(own), std::ssize(own)).array() + sigma2_;
    } else {
      Eigen::MatrixXd u(n, std::ssize(own)), turned(n, std::ssize(own));
      std::fill(direction.begin(), direction.end(), 0.0);
      for (Eigen::Index t = 0; t < u.cols(); ++t) {
        const auto row = std::span(direction).subspan(at(k * n), at(n));
        rows_.row(own[at(t)], row);
        product_(direction, out);
        u.col(t) = Eigen::Map<const Eigen::VectorXd>(row.data(), n);
        turned.col(t) = Eigen::Map<const Eigen::VectorXd>(out.data() + k * n, n);
        pause_after(8 * at(n));
      }
      gram = (u.transpose() * turned).array() + sigma2_;
    }
    pause();
    struct OfClass {
      Eigen::Index c, t;
      double sign;
    };
    std::vector<OfClass> places;
    Eigen::Index t = -1;
    for (Eigen::Index c = 0; c < count; ++c) {
      const Index up = constraints_.up[at(c)];
      if (up != k && constraints_.down[at(c)] != k) continue;
      while (t < 0 || own[at(t)] != constraints_.example[at(c)]) ++t;
      places.push_back({c, t, up == k ? 1.0 : -1.0});
    }
    for (const OfClass& b : places) {
      for (const OfClass& a : places) {
        if (a.c >= b.c) matrix(a.c, b.c) += a.sign * b.sign * gram(a.t, b.t);
      }
      pause_after(places.size());
    }
  }
  matrix.diagonal() += Eigen::Map<const Eigen::VectorXd>(h_.data(), count);
  dense_->factor.factor(std::move(matrix));
}

bool ClassSystem::solve(std::span<const double> r, std::span<const double> s, std::span<double> d,
                        std::span<double> b) {
  if (!direct_) return iterate(r, s, d, b);
  Eigen::Map<Eigen::VectorXd> to(d.data(), static_cast<Eigen::Index>(d.size()));
  to = dense_->solve(Eigen::Map<const Eigen::VectorXd>(r.data(), static_cast<Eigen::Index>(r.size())));
  if (balanced_ > 0) {
    const auto wanted = Eigen::Map<const Eigen::VectorXd>(s.data(), static_cast<Eigen::Index>(balanced_));
    const Eigen::VectorXd bias = dense_->schur.solve(dense_->b.transpose() * to - wanted);
    to -= dense_->border * bias;
    std::copy_n(bias.data(), balanced_, b.begin());
  }
  return to.allFinite();
}

// One pass to the statistics and one back, or over the pairs of examples.
void ClassSystem::apply(std::span<const double> d, std::span<double> out) {
  const auto examples = at(constraints_.examples), n = at(rows_.statistics()), classes = at(constraints_.classes);
  const std::vector<double> r = constraints_.beta(d);
  std::vector<double> f(classes * examples), received(classes, 0.0);
  for (std::size_t k = 0; k < classes; ++k) {
    for (const double each : std::span(r).subspan(k * examples, examples)) received[k] += each;
  }
  if (crosses_) {
    crosses_->scores(r, f);
  } else {
    std::vector<double> v(classes * n, 0.0), w(classes * n);
    for (std::size_t k = 0; k < classes; ++k) {
      rows_.add(std::span(r).subspan(k * examples, examples), std::span(v).subspan(k * n, n));
    }
    product_(v, w);
    for (std::size_t k = 0; k < classes; ++k) {
      rows_.scores(std::span(w).subspan(k * n, n), std::span(f).subspan(k * examples, examples));
    }
    passes_ += 2;
  }
  for (std::size_t c = 0; c < d.size(); ++c) {
    const std::size_t t = at(constraints_.example[c]), up = at(constraints_.up[c]);
    out[c] = h_[c] * d[c] + f[up * examples + t] + sigma2_ * received[up];
    if (constraints_.down[c] < 0) continue;
    const std::size_t down = at(constraints_.down[c]);
    out[c] -= f[down * examples + t] + sigma2_ * received[down];
  }
}

// u . A'' u of each constraint; of some rows only, and their mean for the rest, when there are too many.
void ClassSystem::estimate_diagonal() {
  const Index n = rows_.statistics(), examples = constraints_.examples;
  const double work = static_cast<double>(constraints_.count()) * static_cast<double>(n * constraints_.classes);
  const Index stride = rows_to_next_of_diagonal(work, examples);
  diagonal_.assign(h_.size(), 0.0);
  std::vector<double> row(at(n)), direction(at(n * constraints_.classes)), out(direction.size());
  std::vector<bool> known(h_.size(), false);
  double sum = 0, count = 0;
  for (std::size_t c = 0; c < h_.size(); ++c) {
    const Index t = constraints_.example[c];
    if (t % stride != 0) continue;
    rows_.row(t, row);
    std::fill(direction.begin(), direction.end(), 0.0);
    std::copy(row.begin(), row.end(), direction.begin() + constraints_.up[c] * n);
    if (constraints_.down[c] >= 0) {
      std::transform(row.begin(), row.end(), direction.begin() + constraints_.down[c] * n, [](double x) { return -x; });
    }
    product_(direction, out);
    pause();
    diagonal_[c] = dot_of(direction, out);
    known[c] = true;
    sum += diagonal_[c];
    count += 1;
  }
  for (std::size_t c = 0; c < h_.size(); ++c) {
    if (!known[c]) diagonal_[c] = sum / count;
  }
}

void ClassSystem::set_preconditioner() {
  if (balanced_ == 0) return;
  const Eigen::Map<const Eigen::VectorXd> diagonal(diagonal_.data(), static_cast<Eigen::Index>(diagonal_.size()));
  dense_->schur.compute(dense_->b.transpose() * diagonal.cwiseInverse().asDiagonal() * dense_->b);
}

// The d nearest D^-1 r in the metric D that has B d = s, and its multipliers b.
std::vector<double> ClassSystem::precondition(std::span<const double> r, std::span<const double> s,
                                              std::span<double> b) const {
  std::vector<double> d(r.size());
  for (std::size_t c = 0; c < d.size(); ++c) d[c] = r[c] / diagonal_[c];
  if (balanced_ == 0) return d;
  Eigen::VectorXd excess(static_cast<Eigen::Index>(balanced_));
  const std::vector<double> sums = received(d);
  for (std::size_t k = 0; k < balanced_; ++k) excess[static_cast<Eigen::Index>(k)] = sums[k] - s[k];
  const Eigen::VectorXd bias = dense_->schur.solve(excess);
  std::copy_n(bias.data(), balanced_, b.begin());
  for (std::size_t c = 0; c < d.size(); ++c) {
    const std::size_t up = at(constraints_.up[c]);
    double shift = up < balanced_ ? b[up] : 0;
    if (constraints_.down[c] >= 0 && at(constraints_.down[c]) < balanced_) shift -= b[at(constraints_.down[c])];
    d[c] -= shift / diagonal_[c];
  }
  return d;
}

// Conjugate gradients on the null space of B, begun at a point that has B d = s.
bool ClassSystem::iterate(std::span<const double> r, std::span<const double> s, std::span<double> d,
                          std::span<double> b) {
  const std::size_t count = r.size();
  const std::vector<double> zero(balanced_, 0.0);
  std::vector<double> none(count, 0.0), bias(balanced_), turned(count), residual(count);
  const std::vector<double> start = precondition(none, s, bias);
  std::copy(start.begin(), start.end(), d.begin());
  apply(d, turned);
  for (std::size_t c = 0; c < count; ++c) residual[c] = r[c] - turned[c];
  std::vector<double> z = precondition(residual, zero, bias), p = z;
  double rz = dot_of(residual, z);
  const double enough = accuracy_ * accuracy_ * std::abs(rz);
  for (int step = 0; step < kMostIterations && rz > enough && rz > 0; ++step) {
    pause();
    apply(p, turned);
    const double alpha = rz / dot_of(p, turned);
    if (!std::isfinite(alpha)) return false;
    for (std::size_t c = 0; c < count; ++c) {
      d[c] += alpha * p[c];
      residual[c] -= alpha * turned[c];
    }
    z = precondition(residual, zero, bias);
    const double next = dot_of(residual, z), beta = next / rz;
    for (std::size_t c = 0; c < count; ++c) p[c] = z[c] + beta * p[c];
    rz = next;
  }
  std::copy(bias.begin(), bias.end(), b.begin());  // what is left of the residual is B^T b
  return true;
}

}  // namespace medlar

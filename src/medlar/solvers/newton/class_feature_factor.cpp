#include "medlar/solvers/newton/class_feature_factor.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/systems/class_gram.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/thresholds/direct_factor.hpp"

namespace medlar {

bool ClassFeatureFactor::suits(const ClassConstraints& constraints) {
  const StatisticRows& rows = *constraints.rows;
  const auto n = static_cast<double>(rows.statistics()) + 1, count = static_cast<double>(constraints.count());
  const double parameters = n * static_cast<double>(constraints.classes);
  return is_factored_over_features(parameters, count, count * n * n, static_cast<double>(constraints.examples) * n);
}

struct ClassFeatureFactor::Parts {
  const ClassConstraints& constraints_;
  Eigen::Index own_, wide_, classes_;  // statistics of the rows; with the constant one
  double sigma2_;
  Eigen::MatrixXd u_;  // examples x wide
  Eigen::VectorXd h_;
  Product product_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;

  Parts(const ClassConstraints& constraints, double sigma2);
  void factor(std::vector<double> h, const Product& product);
  Eigen::VectorXd solve(const Eigen::VectorXd& r) const;
  Eigen::VectorXd statistics_of(const Eigen::VectorXd& y) const;  // U^T y, class by class
  Eigen::VectorXd scores_of(const Eigen::VectorXd& w) const;      // U w
  Eigen::VectorXd turned(const Eigen::VectorXd& z) const;         // A'' z, sigma2 times the biases' part
};

ClassFeatureFactor::Parts::Parts(const ClassConstraints& constraints, double sigma2)
    : constraints_(constraints),
      own_(constraints.rows->statistics()),
      wide_(own_ + (sigma2 > 0 ? 1 : 0)),
      classes_(constraints.classes),
      sigma2_(sigma2),
      u_(Eigen::MatrixXd::Ones(constraints.examples, wide_)) {
  std::vector<double> row(at(own_));
  for (Index t = 0; t < constraints.examples; ++t) {
    constraints.rows->row(t, row);
    u_.row(t).head(own_) = Eigen::Map<const Eigen::RowVectorXd>(row.data(), own_);
    pause_after(4 * at(own_));
  }
}

Eigen::VectorXd ClassFeatureFactor::Parts::statistics_of(const Eigen::VectorXd& y) const {
  Eigen::MatrixXd share = Eigen::MatrixXd::Zero(constraints_.examples, classes_);
  for (std::size_t c = 0; c < constraints_.count(); ++c) {
    const Index t = constraints_.example[c];
    share(t, constraints_.up[c]) += y[static_cast<Eigen::Index>(c)];
    if (constraints_.down[c] >= 0) share(t, constraints_.down[c]) -= y[static_cast<Eigen::Index>(c)];
  }
  Eigen::VectorXd sums(wide_ * classes_);
  Eigen::Map<Eigen::MatrixXd>(sums.data(), wide_, classes_).noalias() = u_.transpose() * share;
  return sums;
}

Eigen::VectorXd ClassFeatureFactor::Parts::scores_of(const Eigen::VectorXd& w) const {
  const Eigen::MatrixXd f = u_ * Eigen::Map<const Eigen::MatrixXd>(w.data(), wide_, classes_);
  Eigen::VectorXd scores(static_cast<Eigen::Index>(constraints_.count()));
  for (std::size_t c = 0; c < constraints_.count(); ++c) {
    const Index t = constraints_.example[c];
    const double rival = constraints_.down[c] >= 0 ? f(t, constraints_.down[c]) : 0.0;
    scores[static_cast<Eigen::Index>(c)] = f(t, constraints_.up[c]) - rival;
  }
  return scores;
}

Eigen::VectorXd ClassFeatureFactor::Parts::turned(const Eigen::VectorXd& z) const {
  if (wide_ == own_) {
    Eigen::VectorXd out(z.size());
    product_({z.data(), at(z.size())}, {out.data(), at(out.size())});
    return out;
  }
  const Eigen::Map<const Eigen::MatrixXd> wide(z.data(), wide_, classes_);
  const Eigen::MatrixXd in = wide.topRows(own_);
  Eigen::MatrixXd inner(own_, classes_);
  product_({in.data(), at(in.size())}, {inner.data(), at(inner.size())});
  Eigen::VectorXd out(z.size());
  Eigen::Map<Eigen::MatrixXd> to(out.data(), wide_, classes_);
  to.topRows(own_) = inner;
  to.row(own_) = sigma2_ * wide.row(own_);
  return out;
}

void ClassFeatureFactor::Parts::factor(std::vector<double> h, const Product& product) {
  h_ = Eigen::Map<const Eigen::VectorXd>(h.data(), static_cast<Eigen::Index>(h.size()));
  product_ = product;
  for (double& each : h) each = 1 / each;
  const Eigen::MatrixXd m = class_gram(u_, classes_, constraints_.example, constraints_.up, constraints_.down, h);
  // Row i of M A'' is A'' times row i of M: both are symmetric.
  Eigen::MatrixXd system(m.rows(), m.cols());
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    system.row(i) = turned(m.col(i)).transpose();
    pause();
  }
  system.diagonal().array() += 1;
  lu_.compute(system);
}

Eigen::VectorXd ClassFeatureFactor::Parts::solve(const Eigen::VectorXd& r) const {
  const Eigen::VectorXd z = lu_.solve(statistics_of(r.cwiseQuotient(h_)));
  return (r - scores_of(turned(z))).cwiseQuotient(h_);
}

ClassFeatureFactor::ClassFeatureFactor(const ClassConstraints& constraints, double sigma2)
    : parts_(std::make_unique<Parts>(constraints, sigma2)) {}

ClassFeatureFactor::~ClassFeatureFactor() = default;

void ClassFeatureFactor::factor(std::vector<double> h, const Product& product) {
  parts_->factor(std::move(h), product);
}

void ClassFeatureFactor::solve(std::span<const double> r, std::span<double> d) const {
  const auto count = std::ssize(r);
  Eigen::Map<Eigen::VectorXd>(d.data(), count) = parts_->solve(Eigen::Map<const Eigen::VectorXd>(r.data(), count));
}

}  // namespace medlar

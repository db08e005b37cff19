// A pivoted QR finds the directions: examples may be linearly dependent, and then fewer directions than examples are
// kept.
#include "medlar/priors/families/gaussian_span.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace medlar {

std::shared_ptr<const GaussianSpan> GaussianSpan::of(std::span<const double> x, std::span<const ColumnMoments> moments,
                                                     double strength) {
  const Index d = std::ssize(moments), rows = std::ssize(x) / d;
  if (rows + 1 >= d) return nullptr;
  auto span = std::make_shared<GaussianSpan>();
  span->columns = d;
  span->level = static_cast<double>(d) + strength;
  for (const ColumnMoments& each : moments) span->scale.push_back(each.variance > 0 ? std::sqrt(each.variance) : 1.0);
  Eigen::MatrixXd all(d, rows + 1);
  all.leftCols(rows) = Eigen::Map<const Eigen::MatrixXd>(x.data(), d, rows);
  for (Index i = 0; i < d; ++i) all(i, rows) = moments[static_cast<std::size_t>(i)].mean;
  all.array().colwise() /= Eigen::Map<const Eigen::ArrayXd>(span->scale.data(), d);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor(all);
  span->directions = std::max<Index>(1, factor.rank());
  span->basis.resize(static_cast<std::size_t>(d * span->directions));
  Eigen::Map<Eigen::MatrixXd>(span->basis.data(), d, span->directions) =
      factor.householderQ() * Eigen::MatrixXd::Identity(d, span->directions);
  return span;
}

std::vector<double> GaussianSpan::numbers() const {
  std::vector<double> all{level};
  all.insert(all.end(), scale.begin(), scale.end());
  all.insert(all.end(), basis.begin(), basis.end());
  return all;
}

std::shared_ptr<const GaussianSpan> GaussianSpan::from(std::span<const double> numbers, Index columns) {
  const auto d = static_cast<std::size_t>(columns);
  if (numbers.size() < 1 + 2 * d || (numbers.size() - 1) % d != 0) return nullptr;
  auto span = std::make_shared<GaussianSpan>();
  span->columns = columns;
  span->directions = static_cast<Index>((numbers.size() - 1) / d) - 1;
  span->level = numbers[0];
  span->scale.assign(numbers.begin() + 1, numbers.begin() + 1 + columns);
  span->basis.assign(numbers.begin() + 1 + columns, numbers.end());
  const bool sound = span->level > 0 && span->directions < columns &&
                     std::all_of(span->scale.begin(), span->scale.end(), [](double each) { return each > 0; });
  return sound ? span : nullptr;
}

double GaussianSpan::log_scale() const {
  double sum = 0;
  for (const double each : scale) sum += std::log(each);
  return sum;
}

double GaussianSpan::project(std::span<const double> x, std::span<double> z) const {
  const Eigen::Map<const Eigen::MatrixXd> B(basis.data(), columns, directions);
  const Eigen::VectorXd scaled =
      Eigen::Map<const Eigen::ArrayXd>(x.data(), columns) / Eigen::Map<const Eigen::ArrayXd>(scale.data(), columns);
  Eigen::Map<Eigen::VectorXd> inside(z.data(), directions);
  inside = B.transpose() * scaled;
  return (scaled - B * inside).squaredNorm();
}

}  // namespace medlar

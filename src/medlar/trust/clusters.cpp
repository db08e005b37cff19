// Features that say nearly the same. Switches are independent under the fitted distribution, so at least one switch of
// a cluster is on with probability 1 - prod (1 - P): for twenty copies of a gene with P = 0.1 each that is 0.88.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "medlar/error.hpp"
#include "medlar/linalg/threads.hpp"
#include "medlar/models/predicting.hpp"
#include "medlar/prepare/transforms.hpp"
#include "medlar/selection.hpp"

namespace medlar {
namespace {

constexpr Eigen::Index kBlock = 64;   // features that are compared with all others at once
constexpr double kMostNumbers = 2e8;  // examples x features, kept as float: 0.8 GB

using Standard = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;

// Columns of mean 0 and length 1; a column that never varies is 0.
Standard standard_columns(const Model& model, const Matrix& x) {
  const auto n = std::ssize(model.features);
  if (static_cast<double>(x.rows()) * static_cast<double>(n) > kMostNumbers) {
    throw OptionError(
        fmt::format("clusters compare {} examples x {} features, but at most {:.0e} numbers; leave "
                    "features out, or --cluster off",
                    x.rows(), n, kMostNumbers));
  }
  Standard z = Standard::Zero(x.rows(), n);
  Index t = 0;
  for_each_block(model, x, n, [&](const Matrix& inputs) {
    for (Index row = 0; row < inputs.rows(); ++row, ++t) {
      for_each(inputs.row(row), [&](Index i, double value) { z(t, i) = static_cast<float>(value); });
    }
  });
  for (Eigen::Index i = 0; i < z.cols(); ++i) {
    const Eigen::ArrayXd exact = z.col(i).cast<double>().array();
    const Eigen::ArrayXd centred = exact - exact.mean();
    const double length = std::sqrt(centred.square().sum());
    const bool varies = length > 1e-6 * (std::abs(exact.mean()) + length) * std::sqrt(static_cast<double>(z.rows()));
    z.col(i) = varies ? Eigen::ArrayXf((centred / length).cast<float>()) : Eigen::ArrayXf::Zero(z.rows());
  }
  return z;
}

// The most included first; of equals the largest |coefficient|.
std::vector<Index> by_inclusion(const Model& model) {
  std::vector<Index> order(model.features.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) {
    const Feature &a = model.features[static_cast<std::size_t>(i)], &b = model.features[static_cast<std::size_t>(j)];
    if (a.inclusion != b.inclusion) return a.inclusion > b.inclusion;
    return std::abs(a.coefficient) > std::abs(b.coefficient);
  });
  return order;
}

double joint_inclusion(const Model& model, const std::vector<Index>& members) {
  double log_none = 0;
  std::set<Index> groups;
  for (const Index i : members) {
    const Feature& feature = model.features[static_cast<std::size_t>(i)];
    if (feature.group >= 0 && !groups.insert(feature.group).second) continue;  // the same switch
    log_none += std::log1p(-feature.inclusion);
  }
  return -std::expm1(log_none);
}

}  // namespace

Clusters find_clusters(const Model& model, const Dataset& data, double correlation) {
  if (!(correlation > 0 && correlation <= 1)) {
    throw OptionError(fmt::format("cluster = {}, but must lie in (0, 1]", correlation));
  }
  set_linear_algebra_threads(model.settings.threads);
  const Standard z = standard_columns(model, data.x);
  const auto least = static_cast<float>(correlation - 1e-6);  // rounding of float
  const std::vector<Index> order = by_inclusion(model);
  std::vector<bool> taken(order.size(), false);
  for (std::size_t i = 0; i < order.size(); ++i) taken[i] = model.features[i].kept;  // those stand for nobody
  Clusters found{correlation, {}};
  std::vector<Index> leaders;
  const auto flush = [&] {
    Standard block(z.rows(), std::ssize(leaders));
    for (std::size_t k = 0; k < leaders.size(); ++k) block.col(static_cast<Eigen::Index>(k)) = z.col(leaders[k]);
    const Standard r = z.transpose() * block;
    for (std::size_t k = 0; k < leaders.size(); ++k) {
      const auto first = static_cast<std::size_t>(leaders[k]);
      if (taken[first]) continue;
      taken[first] = true;
      Cluster cluster{{leaders[k]}, 0, model.features[first].coefficient};
      for (const Index i : order) {
        const float agreement = r(i, static_cast<Eigen::Index>(k));
        if (taken[static_cast<std::size_t>(i)] || std::abs(agreement) < least) continue;
        taken[static_cast<std::size_t>(i)] = true;
        cluster.members.push_back(i);
        cluster.coefficient += (agreement > 0 ? 1 : -1) * model.features[static_cast<std::size_t>(i)].coefficient;
      }
      if (cluster.members.size() < 2) continue;
      cluster.inclusion = joint_inclusion(model, cluster.members);
      found.list.push_back(std::move(cluster));
    }
    leaders.clear();
  };
  for (const Index i : order) {
    if (taken[static_cast<std::size_t>(i)]) continue;
    leaders.push_back(i);
    if (std::ssize(leaders) == kBlock) flush();
  }
  if (!leaders.empty()) flush();
  std::stable_sort(found.list.begin(), found.list.end(),
                   [](const Cluster& a, const Cluster& b) { return a.inclusion > b.inclusion; });
  return found;
}

}  // namespace medlar

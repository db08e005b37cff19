// With Q the standardised columns of the pool, f what is projected, W the weights (mean 1) and T the examples,
//   u = (Q' W Q + ridge T I)^-1 Q' W f.
// Only Q'WQ and Q'Wf are needed, whatever the list. Elimination keeps the inverse: without feature i the penalised
// squares rise by |u_i|^2 / (inverse)_ii, and the inverse of the rest is a rank-one change.
#include "medlar/answer/projection.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "medlar/linalg/cholesky.hpp"
#include "medlar/models/predicting.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/prepare/labels.hpp"
#include "medlar/thresholds/lists.hpp"

namespace medlar {
namespace {

constexpr double kLeastRidge = 1e-9;  // keeps the system definite

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The coefficients of one feature, one per output.
std::span<const double> coefficients_of(const Model& model, std::size_t feature) {
  if (!model.multiclass) return {&model.features[feature].coefficient, 1};
  const std::size_t classes = model.labels.size();
  return {model.multiclass->coefficient.data() + feature * classes, classes};
}

std::vector<double> biases_of(const Model& model) {
  return model.multiclass ? model.multiclass->class_bias : std::vector<double>{model.bias};
}

// The weighted standard deviation of each feature over the rows.
VectorXd spreads(const Model& model, const Dataset& data, const VectorXd& weight) {
  const auto n = std::ssize(model.features);
  VectorXd sum = VectorXd::Zero(n), squares = VectorXd::Zero(n);
  Index t = 0;
  for_each_block(model, data.x, n, [&](const Matrix& inputs) {
    for (Index r = 0; r < inputs.rows(); ++r, ++t) {
      for_each(inputs.row(r), [&](Index i, double x) {
        sum[i] += weight[t] * x;
        squares[i] += weight[t] * x * x;
      });
    }
  });
  const double total = weight.sum();
  return (squares / total - (sum / total).cwiseAbs2()).cwiseMax(0).cwiseSqrt();
}

// The columns of the pool in each row, and the scores of the reference there.
void gather(const Model& model, const Matrix& x, std::span<const Index> pool, MatrixXd& columns, MatrixXd* scores) {
  std::vector<Index> place(model.features.size(), -1);
  for (std::size_t j = 0; j < pool.size(); ++j) place[at(pool[j])] = static_cast<Index>(j);
  const std::vector<double> bias = biases_of(model);
  columns = MatrixXd::Zero(x.rows(), std::ssize(pool));
  if (scores != nullptr)
    *scores = Eigen::Map<const VectorXd>(bias.data(), std::ssize(bias)).transpose().replicate(x.rows(), 1);
  Index t = 0;
  for_each_block(model, x, std::ssize(model.features), [&](const Matrix& inputs) {
    for (Index r = 0; r < inputs.rows(); ++r, ++t) {
      for_each(inputs.row(r), [&](Index i, double value) {
        if (place[at(i)] >= 0) columns(t, place[at(i)]) = value;
        if (scores == nullptr) return;
        const auto w = coefficients_of(model, at(i));
        for (std::size_t k = 0; k < w.size(); ++k) (*scores)(t, static_cast<Index>(k)) += w[k] * value;
      });
    }
  });
}

VectorXd weights_of(const Dataset& data) {
  VectorXd weight = VectorXd::Ones(data.examples());
  if (!data.weights.empty()) {
    const double largest = *std::max_element(data.weights.begin(), data.weights.end());
    for (Index t = 0; t < weight.size(); ++t) weight[t] = data.weights[at(t)] / largest;
    weight /= weight.mean();
  }
  return weight;
}

// What all lists of one reference share.
struct Pool {
  std::vector<Index> features;  // kept ones first, then from the largest |coefficient| x sd
  Index kept = 0;               // stay in every list, without a ridge
  VectorXd mean, sd;            // of each
  MatrixXd gram, with_scores;   // Q'WQ; Q'W f
  MatrixXd with_targets;        // Q'W y
  VectorXd score_mean;          // of each output
  VectorXd target_mean;         // likewise
  double examples = 0;
};

std::vector<Index> largest_features(const Model& model, const VectorXd& spread) {
  std::vector<std::pair<double, Index>> size;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < model.features.size(); ++i) {
    double squares = 0;
    for (const double w : coefficients_of(model, i)) squares += w * w;
    const auto place = static_cast<Index>(i);
    const bool stays = model.features[i].kept && squares > 0;
    kept += stays ? 1 : 0;
    if (squares > 0 && spread[place] > 0)
      size.emplace_back(stays ? -HUGE_VAL : -std::sqrt(squares) * spread[place], place);
  }
  const std::size_t most = std::min<std::size_t>(size.size(), kLongestList + kept);
  std::partial_sort(size.begin(), size.begin() + static_cast<std::ptrdiff_t>(most), size.end());
  std::vector<Index> chosen;
  for (std::size_t j = 0; j < most; ++j) chosen.push_back(size[j].second);
  return chosen;
}

// Numbers as they are; of two labels 1 and -1, of several 1 for the label of the example, as margins of 1 have it.
MatrixXd targets_of(const Model& model, const Dataset& data, Index outputs) {
  if (model.task == Task::regress) return Eigen::Map<const VectorXd>(data.target.values.data(), data.examples());
  const ClassLabels classes = class_labels(data, model.settings);
  MatrixXd y = MatrixXd::Zero(data.examples(), outputs);
  for (Index t = 0; t < y.rows(); ++t) {
    const Index label = classes.y[at(t)];
    if (outputs == 1) y(t, 0) = label == 1 ? 1 : -1;
    if (outputs > 1 && label < outputs) y(t, label) = 1;
  }
  return y;
}

Pool pool_of(const Model& model, const Dataset& data) {
  Pool pool;
  const VectorXd weight = weights_of(data);
  const VectorXd spread = spreads(model, data, weight);
  pool.features = largest_features(model, spread);
  for (const Index i : pool.features) pool.kept += model.features[at(i)].kept ? 1 : 0;
  pool.examples = static_cast<double>(data.examples());
  MatrixXd q, f;
  gather(model, data.x, pool.features, q, &f);
  const auto centred = [&](MatrixXd& m) {
    VectorXd mean = (m.transpose() * weight) / pool.examples;
    m.rowwise() -= mean.transpose();
    return mean;
  };
  pool.mean = centred(q);
  pool.score_mean = centred(f);
  pool.sd.resize(std::ssize(pool.features));
  for (Index j = 0; j < pool.sd.size(); ++j) pool.sd[j] = spread[pool.features[at(j)]];
  q = q * pool.sd.cwiseInverse().asDiagonal();
  const MatrixXd weighted = weight.asDiagonal() * q;
  pool.gram = weighted.transpose() * q;
  pool.with_scores = weighted.transpose() * f;
  MatrixXd y = targets_of(model, data, f.cols());
  pool.target_mean = centred(y);
  pool.with_targets = weighted.transpose() * y;
  return pool;
}

MatrixXd goal_of(const Pool& pool, const ListSpec& spec) {
  if (spec.share_of_targets == 0) return pool.with_scores;
  return (1 - spec.share_of_targets) * pool.with_scores + spec.share_of_targets * pool.with_targets;
}

MatrixXd ridge_system(const Pool& pool, std::span<const Index> places, double ridge) {
  const Index k = std::ssize(places);
  MatrixXd m(k, k);
  for (Index a = 0; a < k; ++a) {
    for (Index b = 0; b < k; ++b) m(a, b) = pool.gram(places[at(a)], places[at(b)]);
  }
  for (Index a = 0; a < k; ++a) m(a, a) += (places[at(a)] < pool.kept ? kLeastRidge : ridge) * pool.examples;
  return m;
}

MatrixXd rows_of(const MatrixXd& m, std::span<const Index> places) {
  MatrixXd part(std::ssize(places), m.cols());
  for (Index a = 0; a < part.rows(); ++a) part.row(a) = m.row(places[at(a)]);
  return part;
}

// The places of the pool in the order in which elimination keeps them: the last one dropped comes first.
std::vector<Index> eliminated(const Pool& pool, const MatrixXd& goal, double ridge) {
  std::vector<Index> places(pool.features.size());
  std::iota(places.begin(), places.end(), Index{0});
  Cholesky factor;
  factor.factor(ridge_system(pool, places, ridge));
  MatrixXd inverse(std::ssize(places), std::ssize(places)), u(goal.rows(), goal.cols());
  for (Index j = 0; j < inverse.cols(); ++j) inverse.col(j) = factor.solve(VectorXd::Unit(inverse.cols(), j));
  u.noalias() = inverse * goal;
  std::vector<Index> order(places.size());
  for (std::size_t left = places.size(); left > 0; --left) {
    Index least = std::ssize(places) - 1;
    for (Index j = 0; j + 1 < std::ssize(places); ++j) {
      if (places[at(j)] < pool.kept) continue;
      const double here = u.row(j).squaredNorm() / inverse(j, j),
                   there = u.row(least).squaredNorm() / inverse(least, least);
      if (here < there) least = j;
    }
    order[left - 1] = places[at(least)];
    places.erase(places.begin() + least);
    const VectorXd column = inverse.col(least) / inverse(least, least);
    const Eigen::RowVectorXd gone = u.row(least), across = inverse.row(least);
    u -= column * gone;
    inverse -= column * across;
    const Index last = inverse.cols() - 1, after = last - least;  // take the row and the column out
    inverse.block(least, 0, after, last + 1) = inverse.bottomRows(after).eval();
    inverse.block(0, least, last + 1, after) = inverse.rightCols(after).eval();
    inverse.conservativeResize(last, last);
    u.middleRows(least, after) = u.bottomRows(after).eval();
    u.conservativeResize(last, Eigen::NoChange);
  }
  return order;
}

ProjectedList solved(const Pool& pool, const ListSpec& spec, std::span<const Index> places) {
  Cholesky factor;
  factor.factor(ridge_system(pool, places, spec.ridge));
  const MatrixXd goal = rows_of(goal_of(pool, spec), places);
  MatrixXd u(goal.rows(), goal.cols());
  for (Index k = 0; k < goal.cols(); ++k) u.col(k) = factor.solve(goal.col(k));
  std::vector<Index> by_size(places.size());
  std::iota(by_size.begin(), by_size.end(), Index{0});
  std::stable_sort(by_size.begin(), by_size.end(), [&](Index a, Index b) { return u.row(a).norm() > u.row(b).norm(); });
  ProjectedList list;
  const double share = spec.share_of_targets;
  for (Index k = 0; k < u.cols(); ++k) {
    list.bias.push_back((1 - share) * pool.score_mean[k] + share * pool.target_mean[k]);
  }
  for (const Index a : by_size) {
    const Index place = places[at(a)];
    list.features.push_back(pool.features[at(place)]);
    for (Index k = 0; k < u.cols(); ++k) {
      list.coefficient.push_back(u(a, k) / pool.sd[place]);
      list.bias[at(k)] -= list.coefficient.back() * pool.mean[place];
    }
  }
  return list;
}

}  // namespace

std::vector<ProjectedList> project(const Model& reference, const Dataset& fitted, std::span<const ListSpec> specs) {
  std::vector<ProjectedList> lists;
  if (specs.empty()) return lists;
  const Pool pool = pool_of(reference, fitted);
  double least_ridge = specs.front().ridge;
  for (const ListSpec& spec : specs) least_ridge = std::min(least_ridge, spec.ridge);
  std::map<double, std::vector<Index>> orders;  // by elimination, for each share of the targets
  std::vector<Index> by_size(pool.features.size());
  std::iota(by_size.begin(), by_size.end(), Index{0});
  for (const ListSpec& spec : specs) {
    if (pool.features.empty()) {
      ProjectedList none;
      none.bias = biases_of(reference);
      lists.push_back(std::move(none));
      continue;
    }
    const std::vector<Index>* order = &by_size;
    if (spec.order == ListOrder::elimination) {
      std::vector<Index>& own = orders[spec.share_of_targets];
      if (own.empty()) own = eliminated(pool, goal_of(pool, spec), least_ridge);
      order = &own;
    }
    const std::size_t count = std::min(order->size(), at(spec.features + pool.kept));
    lists.push_back(solved(pool, spec, std::span(*order).first(count)));
  }
  return lists;
}

std::vector<std::vector<float>> scores_of(const Model& reference, std::span<const ProjectedList> lists,
                                          const Matrix& rows) {
  std::vector<Index> pool;
  for (const ProjectedList& list : lists) pool.insert(pool.end(), list.features.begin(), list.features.end());
  std::sort(pool.begin(), pool.end());
  pool.erase(std::unique(pool.begin(), pool.end()), pool.end());
  MatrixXd columns;
  gather(reference, rows, pool, columns, nullptr);
  std::vector<std::vector<float>> all;
  for (const ProjectedList& list : lists) {
    const std::size_t outputs = list.bias.size();
    std::vector<float>& scores = all.emplace_back(at(rows.rows()) * outputs);
    VectorXd score(rows.rows());
    for (std::size_t k = 0; k < outputs; ++k) {
      score.setConstant(list.bias[k]);
      for (std::size_t j = 0; j < list.features.size(); ++j) {
        const auto place = std::lower_bound(pool.begin(), pool.end(), list.features[j]) - pool.begin();
        score += list.coefficient[j * outputs + k] * columns.col(place);
      }
      for (Index t = 0; t < score.size(); ++t) scores[at(t) * outputs + k] = static_cast<float>(score[t]);
    }
  }
  return all;
}

}  // namespace medlar

// With fewer examples than features the sample correlations are singular, and copies made from them would be poor.
// correlations_by_parents() builds a positive definite matrix from regressions. Features are ordered so that each is
// the one that correlates most strongly with an earlier one (Prim's algorithm; with one parent each this is the tree of
// Chow and Liu 1968). Its parents are chosen among the earlier ones, one by one by partial correlation, as long as that
// exceeds sqrt(2 log n / T), about the largest value among n useless features. Then z_i = b_i' z_parents + sqrt(d_i)
// e_i gives the correlations row by row.
#include "medlar/trust/correlation_model.hpp"

#include <algorithm>
#include <cmath>

#include "medlar/linalg/give_up.hpp"

namespace medlar {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kMostParents = 20, kExamplesPerParent = 10;
constexpr double kLeastRest = 1e-3;  // of a feature's variance: the least that others leave unexplained

MatrixXd sample_correlations(const RowMatrix& z) {
  MatrixXd R = z.transpose() * z / static_cast<double>(z.rows());
  R.diagonal().setOnes();
  return R;
}

std::vector<Index> strongest_first(const MatrixXd& R) {
  constexpr double kTaken = -2;
  std::vector<Index> order;
  VectorXd nearest = VectorXd::Constant(R.rows(), -1);
  for (Index next = 0; std::ssize(order) < R.rows(); nearest.maxCoeff(&next)) {
    order.push_back(next);
    pause_after(static_cast<std::size_t>(R.rows()));
    nearest(next) = kTaken;
    for (Index i = 0; i < R.rows(); ++i) {
      if (nearest(i) > kTaken) nearest(i) = std::max(nearest(i), std::abs(R(i, next)));
    }
  }
  return order;
}

// Forward selection of parents for feature i among 0 .. i - 1. Column k of `along` holds the covariances of all
// features with the k-th parent, after removing the parents before it, at unit variance.
std::vector<Index> parents_of(Index i, const MatrixXd& R, double least, MatrixXd& along) {
  VectorXd with = R.col(i).head(i), rest = VectorXd::Ones(i);  // remaining covariances with i, and remaining variances
  double left = 1;
  std::vector<Index> parents;
  while (std::ssize(parents) < along.cols() && left > kLeastRest) {
    const VectorXd gain = (rest.array() > kLeastRest).select(with.array().square() / rest.array(), 0.0);
    Index best = 0;
    if (gain.maxCoeff(&best) <= least * least * left) break;
    const Index k = std::ssize(parents);
    auto column = along.col(k).head(i);
    column =
        (R.col(best).head(i) - along.topLeftCorner(i, k) * along.row(best).head(k).transpose()) / std::sqrt(rest(best));
    const double part = with(best) / std::sqrt(rest(best));
    with -= part * column;
    rest -= column.cwiseAbs2();
    left -= part * part;
    parents.push_back(best);
  }
  return parents;
}

}  // namespace

MatrixXd thresholded_correlations(const RowMatrix& z, double least) {
  MatrixXd S = sample_correlations(z);
  S = S.unaryExpr([least](double r) {
    const double by = least * std::sqrt(std::max(1 - r * r, 0.0));
    return r > by ? r - by : r < -by ? r + by : 0.0;
  });
  S.diagonal().setOnes();
  return S;
}

MatrixXd correlations_by_parents(const RowMatrix& z) {
  const Index n = z.cols();
  const double features = std::max<double>(static_cast<double>(n), 2), T = static_cast<double>(z.rows());
  const double least = std::sqrt(2 * std::log(features) / T);
  MatrixXd R = sample_correlations(z);
  const std::vector<Index> order = strongest_first(R);
  R = R(order, order).eval();
  MatrixXd along(n, std::clamp<Index>(z.rows() / kExamplesPerParent, 1, kMostParents));
  MatrixXd S = MatrixXd::Identity(n, n);
  for (Index i = 1; i < n; ++i) {
    pause_after(static_cast<std::size_t>(i * along.cols()));
    const std::vector<Index> parents = parents_of(i, R, least, along);
    if (parents.empty()) continue;
    const VectorXd of = R.col(i)(parents);
    const VectorXd b = MatrixXd(R(parents, parents)).llt().solve(of);
    const VectorXd implied = S.topRows(i)(Eigen::all, parents) * b;
    const double variance = std::max(1 - of.dot(b), kLeastRest) + implied(parents).dot(b);
    S.col(i).head(i) = implied / std::sqrt(variance);
    S.row(i).head(i) = S.col(i).head(i).transpose();
  }
  MatrixXd made(n, n);
  made(order, order) = S;
  return made;
}

std::vector<Index> correlated_groups(const MatrixXd& correlation, double least) {
  std::vector<Index> group(static_cast<std::size_t>(correlation.rows())), members;
  Index last = -1;
  for (const Index i : strongest_first(correlation)) {
    const bool joins = !members.empty() && std::all_of(members.begin(), members.end(),
                                                       [&](Index j) { return std::abs(correlation(i, j)) >= least; });
    if (!joins) members.clear(), ++last;
    members.push_back(i);
    group[static_cast<std::size_t>(i)] = last;
  }
  return group;
}

}  // namespace medlar

// Sums over all trees on a set of nodes (docs/theory.md#trees), with the first two derivatives of their logarithm in
// the weights.
//
//   A(w) = log sum over trees of the product of e^{w_uv} over the edges
//   A' = P(edge),   A'' = covariance of the edges
//
// Nodes are eliminated one after the other, the last first. With column c_i = w_ik of node k,
//
//   s = log sum_i e^{c_i},   A += s,   w_ij <- log(e^{w_ij} + e^{c_i + c_j - s})
//
// These are sums of logarithms and never differences, so weights of any size keep their digits. The share of w_ij that
// goes through k is stored, because the derivatives need it. A product with A'' then takes neither exponentials nor
// logarithms.
#pragma once

#include <span>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

// Edge u < v has place v (v - 1)/2 + u.
inline Index edge_place(Index u, Index v) {
  return v * (v - 1) / 2 + u;
}

class TreeSums {
 public:
  TreeSums(std::span<const double> w, Index nodes);

  double log_sum() const { return log_sum_; }
  const std::vector<double>& edges() const { return edges_; }  // P(edge)
  std::vector<double> covariance_product(std::span<const double> d) const;

 private:
  Index nodes_;
  double log_sum_ = 0;
  // By node k and pair i < j < k: the share of w_ij through k, and dA/dw_ij after k is eliminated.
  std::vector<double> through_, inner_;
  std::vector<double> ends_;    // e^{c_i - s}, by edge
  std::vector<double> of_sum_;  // dA/ds of each node
  std::vector<double> edges_;
};

// log_sum() alone.
double log_tree_sum(std::span<const double> w, Index nodes);

}  // namespace medlar

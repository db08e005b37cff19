// The log-partition of trees over discrete variables, one tree per class (docs/theory.md#trees).
//
//   P0(tree) ~ product of beta_uv over its edges
//   A_k(V) = log det of the reduced Laplacian with weights beta_uv e^{V_uv}, less its value at V = 0
//
// This is the matrix-tree theorem; P(edge) is the derivative of A_k. Each class has its own tables, hence its own
// statistics. Those of an example are laid out class by class, and class k uses its own part only. The sums over trees
// are those of tree_sums.hpp.
#pragma once

#include <span>
#include <vector>

#include "medlar/priors/families/tree_sums.hpp"

namespace medlar {

// The tree of largest weight, as places of its edges.
std::vector<Index> most_probable_tree(std::span<const double> w, Index nodes);

class TreePartition {
 public:
  // log beta of every edge, class by class; empty: every tree is as likely as any other, in every class.
  TreePartition(Index nodes, Index classes, std::vector<double> prior = {});

  Index edges() const { return edges_; }
  Index statistics() const { return classes_ * edges_; }  // per class, which uses its own part only
  Index dimension() const { return classes_ * statistics(); }
  double value(std::span<const double> v) const;
  void mean(std::span<const double> v, std::span<double> out) const;
  double largest_step(std::span<const double>, std::span<const double>) const { return 1; }  // finite everywhere

  class Curvature {
   public:
    Curvature(const TreePartition& owner, std::span<const double> v);
    void product(std::span<const double> d, std::span<double> out) const;
    std::vector<double> diagonal() const;  // p (1 - p) of each edge in its own class, 0 elsewhere

   private:
    const TreePartition& owner_;
    std::vector<TreeSums> sums_;  // of each class
  };
  Curvature curvature(std::span<const double> v) const { return {*this, v}; }

 private:
  std::size_t own(Index k) const { return static_cast<std::size_t>(k * statistics() + k * edges_); }
  std::vector<double> weights(std::span<const double> v, Index k) const;  // log beta + V_k

  Index nodes_, classes_, edges_;
  std::vector<double> prior_;
  double at_zero_ = 0;  // over all classes
};

}  // namespace medlar

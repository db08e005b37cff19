#include "medlar/priors/families/tree_partition.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace medlar {

std::vector<Index> most_probable_tree(std::span<const double> w, Index nodes) {
  std::vector<Index> order(w.size()), group(static_cast<std::size_t>(nodes)), tree;
  std::iota(order.begin(), order.end(), Index{0});
  std::iota(group.begin(), group.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return w[static_cast<std::size_t>(a)] > w[static_cast<std::size_t>(b)]; });
  for (const Index e : order) {
    Index v = 1;
    while (edge_place(0, v + 1) <= e) ++v;
    const Index u = e - edge_place(0, v), from = group[static_cast<std::size_t>(v)],
                to = group[static_cast<std::size_t>(u)];
    if (from == to) continue;
    std::replace(group.begin(), group.end(), from, to);
    tree.push_back(e);
  }
  return tree;
}

TreePartition::TreePartition(Index nodes, Index classes, std::vector<double> prior)
    : nodes_(nodes), classes_(classes), edges_(nodes * (nodes - 1) / 2), prior_(std::move(prior)) {
  prior_.resize(static_cast<std::size_t>(classes_ * edges_), 0.0);
  const auto edges = static_cast<std::size_t>(edges_);
  for (std::size_t first = 0; first < prior_.size(); first += edges) {
    at_zero_ += log_tree_sum(std::span(prior_).subspan(first, edges), nodes);
  }
}

std::vector<double> TreePartition::weights(std::span<const double> v, Index k) const {
  const auto first = prior_.begin() + static_cast<std::ptrdiff_t>(k * edges_);
  std::vector<double> w(first, first + static_cast<std::ptrdiff_t>(edges_));
  for (std::size_t e = 0; e < w.size(); ++e) w[e] += v[own(k) + e];
  return w;
}

double TreePartition::value(std::span<const double> v) const {
  double sum = 0;
  for (Index k = 0; k < classes_; ++k) sum += log_tree_sum(weights(v, k), nodes_);
  return sum - at_zero_;  // summed in the same order, so exactly 0 at 0
}

void TreePartition::mean(std::span<const double> v, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (Index k = 0; k < classes_; ++k) {
    const TreeSums sums(weights(v, k), nodes_);
    std::copy(sums.edges().begin(), sums.edges().end(), out.begin() + static_cast<std::ptrdiff_t>(own(k)));
  }
}

TreePartition::Curvature::Curvature(const TreePartition& owner, std::span<const double> v) : owner_(owner) {
  for (Index k = 0; k < owner.classes_; ++k) sums_.emplace_back(owner.weights(v, k), owner.nodes_);
}

void TreePartition::Curvature::product(std::span<const double> d, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    const std::size_t first = owner_.own(static_cast<Index>(k));
    const auto along = d.subspan(first, sums_[k].edges().size());
    if (std::all_of(along.begin(), along.end(), [](double each) { return each == 0; })) continue;
    const std::vector<double> turned = sums_[k].covariance_product(along);
    std::copy(turned.begin(), turned.end(), out.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

std::vector<double> TreePartition::Curvature::diagonal() const {
  std::vector<double> variance(static_cast<std::size_t>(owner_.dimension()), 0.0);
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    const std::vector<double>& p = sums_[k].edges();
    const std::size_t first = owner_.own(static_cast<Index>(k));
    for (std::size_t e = 0; e < p.size(); ++e) variance[first + e] = p[e] * (1 - p[e]);
  }
  return variance;
}

}  // namespace medlar

// Sums over trees against the enumeration of every tree on 3 to 6 nodes, and their derivatives.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "medlar/priors/families/tree_partition.hpp"
#include "support/derivatives.hpp"

namespace medlar::test {
namespace {

// Every tree, by choosing n - 1 edges that join all nodes.
void for_each_tree(Index nodes, const std::function<void(const std::vector<Index>&)>& visit) {
  const Index edges = nodes * (nodes - 1) / 2;
  std::vector<std::pair<Index, Index>> ends;
  for (Index v = 1; v < nodes; ++v) {
    for (Index u = 0; u < v; ++u) ends.push_back({u, v});
  }
  std::vector<Index> chosen;
  const std::function<void(Index)> extend = [&](Index from) {
    if (std::ssize(chosen) == nodes - 1) {
      std::vector<Index> group(static_cast<std::size_t>(nodes));
      for (Index i = 0; i < nodes; ++i) group[static_cast<std::size_t>(i)] = i;
      for (const Index e : chosen) {
        const Index a = group[static_cast<std::size_t>(ends[static_cast<std::size_t>(e)].first)];
        const Index b = group[static_cast<std::size_t>(ends[static_cast<std::size_t>(e)].second)];
        if (a == b) return;
        for (Index& each : group) each = each == a ? b : each;
      }
      visit(chosen);
      return;
    }
    for (Index e = from; e < edges; ++e) {
      chosen.push_back(e);
      extend(e + 1);
      chosen.pop_back();
    }
  };
  extend(0);
}

std::vector<double> weights(Index nodes, unsigned seed, double size) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, size);
  std::vector<double> w(static_cast<std::size_t>(nodes * (nodes - 1) / 2));
  for (double& each : w) each = normal(random);
  return w;
}

TEST(Trees, TheSumTheEdgesAndTheirCovarianceAreThoseOfTheEnumeration) {
  for (Index nodes = 3; nodes <= 6; ++nodes) {
    const std::vector<double> w = weights(nodes, static_cast<unsigned>(nodes), 1.5), d = weights(nodes, 99, 1);
    double sum = 0, along = 0;
    std::vector<double> p(w.size(), 0.0), joint(w.size(), 0.0);
    Index trees = 0;
    double best = -HUGE_VAL;
    std::vector<Index> heaviest;
    for_each_tree(nodes, [&](const std::vector<Index>& tree) {
      double log_weight = 0, step = 0;
      for (const Index e : tree) log_weight += w[static_cast<std::size_t>(e)], step += d[static_cast<std::size_t>(e)];
      const double weight = std::exp(log_weight);
      sum += weight;
      along += weight * step;
      for (const Index e : tree)
        p[static_cast<std::size_t>(e)] += weight, joint[static_cast<std::size_t>(e)] += weight * step;
      if (log_weight > best) best = log_weight, heaviest = tree;
      ++trees;
    });
    EXPECT_EQ(trees, static_cast<Index>(std::pow(nodes, nodes - 2)));  // Cayley
    EXPECT_NEAR(log_tree_sum(w, nodes), std::log(sum), 1e-12);
    const TreeSums sums(w, nodes);
    EXPECT_EQ(sums.log_sum(), log_tree_sum(w, nodes));
    const std::vector<double> edges = sums.edges(), product = sums.covariance_product(d);
    double total = 0;
    for (std::size_t e = 0; e < w.size(); ++e) {
      EXPECT_NEAR(edges[e], p[e] / sum, 1e-12);
      EXPECT_NEAR(product[e], joint[e] / sum - p[e] / sum * along / sum, 1e-12);
      total += edges[e];
    }
    EXPECT_NEAR(total, static_cast<double>(nodes - 1), 1e-12);
    std::vector<Index> found = most_probable_tree(w, nodes);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, heaviest);
  }
}

// Two clusters joined by edges of weight e^-45: a determinant in doubles would call the Laplacian singular.
TEST(Trees, ClustersThatHardlyMeetKeepTheirDigits) {
  std::vector<double> w(6, -45.0);
  w[static_cast<std::size_t>(edge_place(0, 1))] = 0;
  w[static_cast<std::size_t>(edge_place(2, 3))] = 0;
  EXPECT_NEAR(log_tree_sum(w, 4), std::log(4.0) - 45, 1e-12);  // both strong edges and one of four weak ones, nearly
  const std::vector<double> p = TreeSums(w, 4).edges();
  EXPECT_NEAR(p[static_cast<std::size_t>(edge_place(0, 1))], 1, 1e-12);
  EXPECT_NEAR(p[static_cast<std::size_t>(edge_place(0, 2))], 0.25, 1e-12);
}

// Beyond what can be enumerated: the covariance is the derivative of the edges, also where some are all but certain.
TEST(Trees, TheCovarianceIsTheDerivativeOfTheEdges) {
  for (const double size : {0.5, 3.0, 12.0}) {
    constexpr Index nodes = 17;
    const std::vector<double> w = weights(nodes, 31, size), d = weights(nodes, 32, 1);
    const std::vector<double> product = TreeSums(w, nodes).covariance_product(d);
    double total = 0;
    for (std::size_t e = 0; e < w.size(); ++e) {
      const double slope = finite_difference(
          [&](double h) {
            std::vector<double> moved(w);
            for (std::size_t i = 0; i < w.size(); ++i) moved[i] += h * d[i];
            return TreeSums(moved, nodes).edges()[e];
          },
          0, 1e-2);
      EXPECT_NEAR(product[e], slope, 1e-8);
      total += product[e];
    }
    EXPECT_NEAR(total, 0, 1e-12);  // every tree has as many edges
  }
}

// log beta moves the weights of every class by its own part.
TEST(Trees, ThePartitionOfAPriorIsThatOfMovedWeights) {
  constexpr Index nodes = 4;
  const std::vector<double> first = weights(nodes, 5, 1), second = weights(nodes, 6, 1);
  std::vector<double> prior = first;
  prior.insert(prior.end(), second.begin(), second.end());
  const TreePartition partition(nodes, 2, prior);
  const std::vector<double> v = [&] {
    std::vector<double> all;
    for (unsigned part = 0; part < 4; ++part) {
      const std::vector<double> w = weights(nodes, 20 + part, 0.7);
      all.insert(all.end(), w.begin(), w.end());
    }
    return all;
  }();
  const auto moved = [&](const std::vector<double>& beta, std::size_t from) {
    std::vector<double> w = beta;
    for (std::size_t e = 0; e < w.size(); ++e) w[e] += v[from + e];
    return w;
  };
  const std::size_t edges = first.size();  // class 0 looks at part 0, class 1 at part 3
  const double wanted = log_tree_sum(moved(first, 0), nodes) - log_tree_sum(first, nodes) +
                        log_tree_sum(moved(second, 3 * edges), nodes) - log_tree_sum(second, nodes);
  EXPECT_NEAR(partition.value(v), wanted, 1e-12);
  EXPECT_EQ(partition.value(std::vector<double>(v.size(), 0.0)), 0);
  std::vector<double> mean(v.size()), turned(v.size());
  partition.mean(v, mean);
  const std::vector<double> p = TreeSums(moved(second, 3 * edges), nodes).edges();
  for (std::size_t e = 0; e < edges; ++e) EXPECT_EQ(mean[3 * edges + e], p[e]);
  partition.curvature(v).product(v, turned);
  const auto along = std::span(v).subspan(3 * edges, edges);
  const std::vector<double> covariance = TreeSums(moved(second, 3 * edges), nodes).covariance_product(along);
  for (std::size_t e = 0; e < edges; ++e) EXPECT_EQ(turned[3 * edges + e], covariance[e]);
  const std::vector<double> diagonal = partition.curvature(v).diagonal();
  for (std::size_t i = 0; i < v.size(); ++i) {
    std::vector<double> unit(v.size(), 0.0);
    unit[i] = 1;
    partition.curvature(v).product(unit, turned);
    EXPECT_NEAR(diagonal[i], turned[i], 1e-12) << i;
  }
}

}  // namespace
}  // namespace medlar::test

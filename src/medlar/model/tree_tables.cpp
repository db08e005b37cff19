// See the header.
#include "medlar/model/tree_tables.hpp"

#include <algorithm>
#include <cmath>

#include "medlar/families/tree_partition.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {

std::vector<std::vector<Index>> variable_levels(const std::vector<std::vector<Index>>& variables, const Matrix& x) {
  std::vector<std::pair<std::size_t, Index>> place(at(x.columns()));  // of each feature: variable, level
  for (std::size_t u = 0; u < variables.size(); ++u) {
    for (std::size_t l = 0; l < variables[u].size(); ++l) place[at(variables[u][l])] = {u, static_cast<Index>(l)};
  }
  std::vector<std::vector<Index>> levels;
  for (Index t = 0; t < x.rows(); ++t) {
    std::vector<Index>& row = levels.emplace_back();
    for (const auto& variable : variables) row.push_back(variable.size() == 1 ? 0 : -1);
    for_each(x.row(t), [&](Index i, double value) {
      const auto [u, level] = place[at(i)];
      if (value == 0) return;
      row[u] = std::isnan(value) ? -1 : variables[u].size() == 1 ? 1 : level;
    });
  }
  return levels;
}

PairCounts::PairCounts(const std::vector<std::vector<Index>>& variables, double smoothing) : smoothing_(smoothing) {
  for (const auto& variable : variables) {
    sizes_.push_back(level_count(variable));
    single_.emplace_back(at(sizes_.back()), 0.0);
  }
  single_total_.assign(sizes_.size(), 0.0);
  for (std::size_t v = 1; v < sizes_.size(); ++v) {
    for (std::size_t u = 0; u < v; ++u) pair_.emplace_back(at(sizes_[u] * sizes_[v]), 0.0);
  }
  pair_total_.assign(pair_.size(), 0.0);
}

void PairCounts::add(std::span<const Index> levels, double weight) {
  for (std::size_t v = 0; v < levels.size(); ++v) {
    if (levels[v] < 0) continue;
    single_[v][at(levels[v])] += weight;
    single_total_[v] += weight;
    for (std::size_t u = 0; u < v; ++u) {
      if (levels[u] < 0) continue;
      const auto e = at(edge_place(static_cast<Index>(u), static_cast<Index>(v)));
      pair_[e][at(levels[u] * sizes_[v] + levels[v])] += weight;
      pair_total_[e] += weight;
    }
  }
}

double PairCounts::single(Index u, std::span<const Index> levels, double less) const {
  const Index level = levels[at(u)];
  if (level < 0) return 0;
  return std::log((single_[at(u)][at(level)] - less + smoothing_ / static_cast<double>(sizes_[at(u)])) /
                  (single_total_[at(u)] - less + smoothing_));
}

double PairCounts::pair(Index u, Index v, std::span<const Index> levels, double less) const {
  const Index a = levels[at(u)], b = levels[at(v)];
  if (a < 0 || b < 0) return 0;
  const auto e = at(edge_place(u, v));
  const double cells = static_cast<double>(sizes_[at(u)] * sizes_[at(v)]);
  const double joint = std::log((pair_[e][at(a * sizes_[at(v)] + b)] - less + smoothing_ / cells) /
                                (pair_total_[e] - less + smoothing_));
  return joint - single(u, levels, less) - single(v, levels, less);
}

GenerativeTree PairCounts::tables() const {
  GenerativeTree tree;
  std::vector<Index> levels(sizes_.size(), -1);
  for (std::size_t u = 0; u < sizes_.size(); ++u) {
    auto& table = tree.single.emplace_back();
    for (levels[u] = 0; levels[u] < sizes_[u]; ++levels[u]) table.push_back(single(static_cast<Index>(u), levels, 0));
    levels[u] = -1;
  }
  for (std::size_t v = 1; v < sizes_.size(); ++v) {
    for (std::size_t u = 0; u < v; ++u) {
      auto& table = tree.pair.emplace_back();
      for (levels[u] = 0; levels[u] < sizes_[u]; ++levels[u]) {
        for (levels[v] = 0; levels[v] < sizes_[v]; ++levels[v]) {
          table.push_back(pair(static_cast<Index>(u), static_cast<Index>(v), levels, 0));
        }
      }
      levels[u] = levels[v] = -1;
    }
  }
  return tree;
}

double tree_fixed(const GenerativeTree& tree, std::span<const Index> levels) {
  double sum = 0;
  for (std::size_t u = 0; u < levels.size(); ++u) sum += levels[u] < 0 ? 0 : tree.single[u][at(levels[u])];
  return sum;
}

void tree_statistics(const GenerativeTree& tree, const std::vector<std::vector<Index>>& variables,
                     std::span<const Index> levels, std::span<double> out) {
  std::size_t e = 0;
  for (std::size_t v = 1; v < levels.size(); ++v) {
    for (std::size_t u = 0; u < v; ++u, ++e) {
      out[e] = levels[u] < 0 || levels[v] < 0 ? 0 : tree.pair[e][at(levels[u] * level_count(variables[v]) + levels[v])];
    }
  }
}

}  // namespace medlar

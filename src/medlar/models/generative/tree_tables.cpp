// There are as many edges as pairs of variables, and every example would need a logarithm for each with itself left
// out. An example only changes the cells that it is in, so examples of equal weight share one table of left-out ratios,
// filled cell by cell when first needed.
#include "medlar/models/generative/tree_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/priors/families/tree_partition.hpp"

namespace medlar {

std::vector<std::vector<Index>> tree_variables(const Dataset& data) {
  std::vector<std::vector<Index>> variables;
  if (data.group_of.empty()) {
    for (Index i = 0; i < data.features(); ++i) variables.push_back({i});
  } else {
    variables.resize(data.group_names.size());
    for (std::size_t i = 0; i < data.group_of.size(); ++i)
      variables[at(data.group_of[i])].push_back(static_cast<Index>(i));
  }
  if (variables.size() < 2) throw OptionError("family = tree, but there is one column only; a tree needs two or more");
  for (Index t = 0; t < data.examples(); ++t) {
    for_each(data.x.row(t), [&](Index i, double value) {
      if (value == 0 || value == 1 || std::isnan(value)) return;
      throw OptionError(
          fmt::format("family = tree takes categories and bits, but '{}' is {} in example {}; write the "
                      "column as text, leave it out with --ignore, or use another --family",
                      data.names[at(i)], value, t + 1));
    });
  }
  return variables;
}

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
  pause_after(4 * pair_.size());
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

double PairCounts::joint(Index u, Index v, std::span<const Index> levels, double less) const {
  const auto e = at(edge_place(u, v));
  const double cells = static_cast<double>(sizes_[at(u)] * sizes_[at(v)]);
  return std::log((pair_[e][at(levels[at(u)] * sizes_[at(v)] + levels[at(v)])] - less + smoothing_ / cells) /
                  (pair_total_[e] - less + smoothing_));
}

double PairCounts::pair(Index u, Index v, std::span<const Index> levels, double less) const {
  if (levels[at(u)] < 0 || levels[at(v)] < 0) return 0;
  return joint(u, v, levels, less) - single(u, levels, less) - single(v, levels, less);
}

GenerativeTree* LeftOutRatios::kept(double less) {
  const auto found = kept_.find(less);
  if (found != kept_.end()) return &found->second;
  if (kept_.size() == kMostWeights) return nullptr;
  GenerativeTree& fresh = kept_[less];
  for (const auto& table : counts_.single_) fresh.single.emplace_back(table.size(), std::nan(""));
  for (const auto& table : counts_.pair_) fresh.pair.emplace_back(table.size(), std::nan(""));
  return &fresh;
}

void LeftOutRatios::of(std::span<const Index> levels, double less, std::span<double> single, std::span<double> pair) {
  GenerativeTree* const tables = kept(less);
  const auto nodes = std::ssize(levels);
  const auto once = [](double* cell, auto compute) {
    if (cell == nullptr) return compute();
    if (std::isnan(*cell)) *cell = compute();
    return *cell;
  };
  pause_after((tables != nullptr ? 4 : kNumbersOfALog) * pair.size());
  std::size_t e = 0;
  for (Index v = 0; v < nodes; ++v) {
    const Index own = levels[at(v)];
    double* const cell = tables != nullptr && own >= 0 ? &tables->single[at(v)][at(own)] : nullptr;
    single[at(v)] = once(cell, [&] { return counts_.single(v, levels, less); });
    for (Index u = 0; u < v; ++u, ++e) {
      const Index other = levels[at(u)];
      pair[e] = 0;
      if (own < 0 || other < 0) continue;
      double* const both = tables != nullptr ? &tables->pair[e][at(other * counts_.sizes_[at(v)] + own)] : nullptr;
      pair[e] = once(both, [&] { return counts_.joint(u, v, levels, less) - single[at(u)] - single[at(v)]; });
    }
  }
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
  pause_after(4 * out.size());
  for (std::size_t v = 1; v < levels.size(); ++v) {
    for (std::size_t u = 0; u < v; ++u, ++e) {
      out[e] = levels[u] < 0 || levels[v] < 0 ? 0 : tree.pair[e][at(levels[u] * level_count(variables[v]) + levels[v])];
    }
  }
}

StatisticRows tree_rows(const std::vector<GenerativeTree>& trees, const std::vector<std::vector<Index>>& variables,
                        const std::vector<std::vector<Index>>& levels) {
  std::vector<Column> sizes, places;
  for (const auto& variable : variables) sizes.push_back(static_cast<Column>(level_count(variable) + 1));
  for (const std::vector<Index>& example : levels) {
    for (const Index level : example) places.push_back(static_cast<Column>(level + 1));
  }
  std::vector<std::vector<double>> tables;
  for (const GenerativeTree& tree : trees) {
    std::vector<double>& table = tables.emplace_back();
    std::size_t e = 0;
    for (std::size_t v = 1; v < sizes.size(); ++v) {
      for (std::size_t u = 0; u < v; ++u, ++e) {
        auto next = tree.pair[e].begin();
        table.insert(table.end(), at(sizes[v]), 0.0);  // u is missing
        for (Column level = 1; level < sizes[u]; ++level) {
          table.push_back(0);  // v is missing
          table.insert(table.end(), next, next + (sizes[v] - 1));
          next += sizes[v] - 1;
        }
      }
    }
  }
  return StatisticRows(PairTables(std::move(sizes), std::move(places), std::move(tables)));
}

}  // namespace medlar

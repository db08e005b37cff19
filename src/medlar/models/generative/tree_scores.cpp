// The part may come from a file that somebody edited, so all sizes are checked first. An edge belongs to two columns:
// each gets half of what it says.
#include "medlar/models/generative/tree_scores.hpp"

#include <memory>
#include <numeric>

#include "medlar/error.hpp"
#include "medlar/models/generative/tree_tables.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/priors/families/tree_partition.hpp"

namespace medlar {

TreeScores::TreeScores(const Model& model) : part_(*model.generative) {
  const auto nodes = std::ssize(part_.variables);
  const auto edges = at(nodes * (nodes - 1) / 2);
  for (const GenerativeTree& tree : part_.trees) {
    bool whole =
        tree.single.size() == part_.variables.size() && tree.pair.size() == edges && tree.weight.size() == edges;
    for (Index v = 0; whole && v < nodes; ++v) {
      const Index size = level_count(part_.variables[at(v)]);
      whole = std::ssize(tree.single[at(v)]) == size;
      for (Index u = 0; whole && u < v; ++u) {
        const Index cells = size * level_count(part_.variables[at(u)]);
        whole = std::ssize(tree.pair[at(edge_place(u, v))]) == cells;
      }
    }
    for (const std::vector<Index>& variable : part_.variables) {
      for (const Index i : variable) whole = whole && i >= 0 && i < std::ssize(model.features);
    }
    if (!whole) throw DataError("the model's trees do not fit their variables");
    sums_.emplace_back(tree.weight, nodes);
  }
}

std::vector<GenerativeScores::Scored> TreeScores::operator()(const Matrix& x, bool variances) const {
  std::vector<double> u(sums_[0].edges().size());
  std::vector<GenerativeScores::Scored> all;
  for (const std::vector<Index>& levels : variable_levels(part_.variables, x)) {
    GenerativeScores::Scored& scored = all.emplace_back();
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      tree_statistics(part_.trees[k], part_.variables, levels, u);
      const double fixed = tree_fixed(part_.trees[k], levels);
      scored.parts.push_back(std::inner_product(u.begin(), u.end(), sums_[k].edges().begin(), fixed));
      scored.scores.push_back(scored.parts.back() + part_.class_bias[k]);
      if (!variances) continue;
      const std::vector<double> turned = sums_[k].covariance_product(u);
      scored.variances.push_back(std::inner_product(u.begin(), u.end(), turned.begin(), 0.0));
    }
  }
  return all;
}

std::vector<std::vector<double>> TreeScores::by_column(const Matrix& x, std::size_t k) const {
  const std::vector<double>& p = sums_[k].edges();
  std::vector<double> u(p.size());
  std::vector<std::vector<double>> all;
  for (const std::vector<Index>& levels : variable_levels(part_.variables, x)) {
    tree_statistics(part_.trees[k], part_.variables, levels, u);
    std::vector<double>& row = all.emplace_back(at(x.columns()), 0.0);
    const auto add = [&](std::size_t v, double value) {
      if (levels[v] < 0) return;  // missing: it says nothing
      const std::vector<Index>& variable = part_.variables[v];
      row[at(variable.size() == 1 ? variable[0] : variable[at(levels[v])])] += value;
    };
    for (std::size_t v = 0; v < levels.size(); ++v) {
      if (levels[v] >= 0) add(v, part_.trees[k].single[v][at(levels[v])]);
      for (std::size_t w = 0; w < v; ++w) {
        const auto e = at(edge_place(static_cast<Index>(w), static_cast<Index>(v)));
        add(v, 0.5 * p[e] * u[e]);
        add(w, 0.5 * p[e] * u[e]);
      }
    }
  }
  return all;
}

ColumnScores column_scores(const Model& model) {
  if (!model.generative->trees.empty()) {
    return [scores = TreeScores(model)](const Matrix& x, std::size_t k) { return scores.by_column(x, k); };
  }
  const auto scores = std::make_shared<GenerativeScores>(*model.generative, std::ssize(model.features));
  return [scores](const Matrix& x, std::size_t k) { return scores->by_column(x, k); };
}

}  // namespace medlar

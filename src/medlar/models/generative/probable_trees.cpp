// The tree of largest weight in each class, with the probability of its edges (docs/theory.md#trees).
#include "medlar/probable_trees.hpp"

#include <algorithm>

#include "medlar/error.hpp"
#include "medlar/priors/families/tree_partition.hpp"

namespace medlar {
namespace {

// Which column of the file each feature came from.
std::vector<std::string> columns_of_features(const Model& model) {
  std::vector<std::string> names;
  for (const ColumnSchema& column : model.schema.columns) {
    names.insert(names.end(), std::max<std::size_t>(1, column.levels.size()), column.name);
  }
  if (names.size() == model.features.size()) return names;
  names.clear();
  for (const Feature& feature : model.features) names.push_back(feature.name);
  return names;
}

}  // namespace

ProbableTrees most_probable_trees(const Model& model) {
  if (!model.generative || model.generative->trees.empty()) {
    throw OptionError("the model has no trees; train it with --model generative --family tree");
  }
  const GenerativePart& part = *model.generative;
  const auto nodes = std::ssize(part.variables);
  const std::vector<std::string> columns = columns_of_features(model);
  ProbableTrees trees;
  for (const std::vector<Index>& variable : part.variables) {
    if (variable.empty() || variable.front() < 0 || variable.front() >= std::ssize(columns)) {
      throw DataError("the model's trees do not fit their variables");
    }
    trees.variables.push_back(columns[static_cast<std::size_t>(variable.front())]);
  }
  for (const GenerativeTree& tree : part.trees) {
    if (std::ssize(tree.weight) != nodes * (nodes - 1) / 2) {
      throw DataError("the model's trees do not fit their variables");
    }
    const std::vector<double> probability = TreeSums(tree.weight, nodes).edges();
    const std::vector<Index> chosen = most_probable_tree(tree.weight, nodes);
    std::vector<TreeEdge>& edges = trees.edges.emplace_back();
    for (Index v = 1; v < nodes; ++v) {
      for (Index u = 0; u < v; ++u) {
        const Index place = edge_place(u, v);
        if (std::find(chosen.begin(), chosen.end(), place) == chosen.end()) continue;
        edges.push_back({u, v, probability[static_cast<std::size_t>(place)]});
      }
    }
    std::stable_sort(edges.begin(), edges.end(),
                     [](const TreeEdge& a, const TreeEdge& b) { return a.probability > b.probability; });
  }
  return trees;
}

}  // namespace medlar

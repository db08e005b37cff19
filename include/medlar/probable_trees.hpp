// The most probable tree of each class of a generative model of trees.
#pragma once

#include <string>
#include <vector>

#include "medlar/model.hpp"

namespace medlar {

struct TreeEdge {
  // Indices into ProbableTrees::variables.
  Index from = 0, to = 0;
  // Probability that the tree of this class has this edge, under the fitted distribution over all trees.
  double probability = 0;
};

struct ProbableTrees {
  // Columns of the data.
  std::vector<std::string> variables;
  // One tree per label; its edges are sorted by probability, from large to small.
  std::vector<std::vector<TreeEdge>> edges;
};

// Throws OptionError for a model without trees.
ProbableTrees most_probable_trees(const Model& model);

}  // namespace medlar

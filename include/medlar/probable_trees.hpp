// The most probable tree of each class of a generative model of trees.
#pragma once

#include <string>
#include <vector>

#include "medlar/model.hpp"

namespace medlar {

struct TreeEdge {
  Index from = 0, to = 0;  // index into ProbableTrees::variables
  double probability = 0;  // that the tree of this class has the edge, under the fitted distribution over all trees
};

struct ProbableTrees {
  std::vector<std::string> variables;        // columns of the data
  std::vector<std::vector<TreeEdge>> edges;  // one tree per label, by probability from large to small
};

// Throws OptionError for a model without trees.
ProbableTrees most_probable_trees(const Model& model);

}  // namespace medlar

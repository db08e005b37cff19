// A fitted model of trees as a scorer: E[log p(x | tree)] of each class over all trees, and what each column adds.
#pragma once

#include <functional>
#include <vector>

#include "medlar/model.hpp"
#include "medlar/models/generative/generative_scores.hpp"
#include "medlar/priors/families/tree_sums.hpp"

namespace medlar {

class TreeScores {
 public:
  // Throws DataError for a part that does not fit together.
  explicit TreeScores(const Model& model);

  // The same as GenerativeScores with each tree as one member.
  std::vector<GenerativeScores::Scored> operator()(const Matrix& x, bool variances) const;

  // What each feature adds to the score of class k: log p(x_v) and half of the log-ratios of its edges, at the level
  // that the column has.
  std::vector<std::vector<double>> by_column(const Matrix& x, std::size_t k) const;

 private:
  const GenerativePart& part_;
  std::vector<TreeSums> sums_;  // by class
};

// by_column() of the members or of the trees of a generative model, which must outlive it. Rows are those after the
// transforms.
using ColumnScores = std::function<std::vector<std::vector<double>>(const Matrix& x, std::size_t k)>;
ColumnScores column_scores(const Model& model);

}  // namespace medlar

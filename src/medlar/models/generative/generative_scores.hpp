// A fitted generative model as a scorer: E[log p(x | theta_k)] of each class, its variance, and what each member adds.
#pragma once

#include <memory>
#include <vector>

#include "medlar/model.hpp"
#include "medlar/models/generative/marginals.hpp"

namespace medlar {

// The features that a row says nothing of: missing cells, all levels of a category without a value, counts that are all
// 0.
std::vector<Index> absent_features(const GenerativePart& part, const RowView& row);

class GenerativeScores {
 public:
  // Throws DataError for a part that does not fit together. Features are those after the transforms.
  GenerativeScores(const GenerativePart& part, Index features);

  const std::vector<Member>& members() const { return members_; }
  std::size_t classes() const { return classes_; }

  // Scores of all classes, and of each member: scores[k], parts[k * members + j]. The base measure is included.
  struct Scored {
    std::vector<double> scores, parts, variances;  // variances of the parts
  };
  // x is taken after the transforms. Variances are computed only if asked for.
  std::vector<Scored> operator()(const Matrix& x, bool variances) const;

  // What each feature adds to the score of class k.
  std::vector<std::vector<double>> by_column(const Matrix& x, std::size_t k) const;

  // The coefficient of the i-th column of member j in class k.
  double coefficient(std::size_t j, std::size_t k, std::size_t i) const;
  double coefficient_variance(std::size_t j, std::size_t k, std::size_t i) const;

  // Statistics of rows, and the laws of rows that miss some columns. Both refer to this object.
  StatisticMaker maker() const { return {members_, statistics_, false, features_}; }
  Marginals marginals(const StatisticMaker& maker) const;

 private:
  double on(std::size_t j, std::size_t k) const;

  const GenerativePart& part_;
  std::vector<Member> members_;
  Index statistics_ = 0;
  std::size_t classes_ = 0;
  std::vector<std::vector<double>> slope_, curvature_;  // by member and class
  Index features_;
};

}  // namespace medlar

// Rows that miss some columns of a member that takes several together: E[log p] of the columns that are there, under
// the marginal law of each class (priors/families/family.hpp).
#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "medlar/models/generative/generative_statistics.hpp"

namespace medlar {

class Marginals {
 public:
  using Chi = std::function<std::span<const double>(std::size_t member, std::size_t k)>;
  // `maker`, and all that it and `chi` refer to, must outlive it.
  Marginals(const StatisticMaker& maker, const std::vector<Member>& members, std::size_t classes, Chi chi)
      : maker_(maker), members_(members), classes_(classes), chi_(std::move(chi)) {}

  struct Gap {
    std::size_t member = 0;
    std::vector<Index> there;                // positions among the member's columns
    std::vector<double> score, variance;     // by class
    std::vector<double> mean;                // by class: mean score over the examples summed in chi; 0 without a count
    std::vector<std::vector<double>> parts;  // by class: what each of those columns adds
  };
  std::vector<Gap> operator()(const RowView& row);

 private:
  struct Law {
    std::shared_ptr<const Family> family;
    std::vector<double> slope, curvature;
    double mean = 0;
  };
  const std::vector<Law>& laws(std::size_t member, const std::vector<Index>& there);  // by class

  const StatisticMaker& maker_;
  const std::vector<Member>& members_;
  std::size_t classes_;
  Chi chi_;
  std::map<std::pair<std::size_t, std::vector<Index>>, std::vector<Law>> kept_;
};

}  // namespace medlar

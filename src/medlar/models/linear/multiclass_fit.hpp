// A linear model of K > 2 classes over one dataset, for one fit or many, as LinearFit is one of two: the data is
// prepared once, and a fit may begin from its neighbour.
#pragma once

#include <string>
#include <vector>

#include "medlar/fit.hpp"
#include "medlar/models/linear/solve_multiclass.hpp"
#include "medlar/prepare/grouping.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/problem/statistic_rows.hpp"

namespace medlar {

// Whether that many labels are told apart.
bool has_several_classes(const Dataset& data, const Settings& settings);

class MulticlassFit {
 public:
  // The dataset and the settings have been checked.
  MulticlassFit(const Dataset& data, const Settings& asked);
  MulticlassFit(const MulticlassFit&) = delete;
  MulticlassFit& operator=(const MulticlassFit&) = delete;

  const Settings& settings() const { return settings_; }  // as resolved: no "auto" is left
  const std::vector<std::string>& names() const { return prepared_.names; }
  const std::vector<std::string>& labels() const { return labels_; }

  // `settings` are those above, but for p0, c, the prior variance and the limits.
  Solution solve(const Settings& settings, Observer* observer, const Neighbour* from = nullptr) const;

  // The fitted distribution of each coefficient; MulticlassPart says in what sense.
  std::vector<Feature> features(const Settings& settings, const Solution& solution) const;
  MulticlassPart part(const Solution& solution) const;
  // Of each fitted example, over its rivals.
  std::vector<double> multipliers(const Solution& solution) const;
  // The share of wrong labels among the fitted examples.
  double training_error(const Solution& solution) const;
  Model model(const Settings& settings, const Solution& solution) const;

 private:
  ClassPrior prior(const Settings& settings) const;

  const Dataset& data_;
  Settings settings_;
  std::vector<std::string> labels_;
  Examples examples_;
  Prepared prepared_;
  std::vector<Index> y_;
  StatisticRows rows_;  // over prepared_.x
  ClassConstraints constraints_;
  Grouping grouping_;
};

}  // namespace medlar

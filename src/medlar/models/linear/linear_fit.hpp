// A linear model over one dataset, for one fit or many: the data is prepared once, and a fit may begin from its
// neighbour with another p0, c or prior variance.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "medlar/fit.hpp"
#include "medlar/linalg/filled_columns.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/prepare/priors.hpp"
#include "medlar/problem/constraints.hpp"
#include "medlar/solvers/neighbour.hpp"

namespace medlar {

class LinearFit {
 public:
  // The dataset and the settings have been checked.
  LinearFit(const Dataset& data, const Settings& asked);
  LinearFit(const LinearFit&) = delete;
  LinearFit& operator=(const LinearFit&) = delete;

  const Settings& settings() const { return settings_; }  // as resolved: no "auto" is left
  const std::vector<std::string>& names() const { return prepared_.names; }

  // `settings` are those above, but for p0, c, the prior variance and the limits.
  Solution solve(const Settings& settings, Observer* observer, const Neighbour* from = nullptr) const;

  // The same in slices of time, from an earlier fit; see Continuation.
  Model continued(Observer* observer, const Continuation& continuation) const;

  std::vector<double> coefficients(const Solution& solution) const;
  // The fitted distribution of each coefficient.
  std::vector<Feature> features(const Settings& settings, const Solution& solution) const;
  // The probability of inclusion of each feature.
  std::vector<double> inclusion(const Settings& settings, const Solution& solution) const;
  double bias(const Solution& solution) const {
    return solution.primal.bias[0] + centre_ - dot_of_shift(solution.primal.w);
  }
  // Of the fitted examples: the share of wrong labels, or the RMSE.
  double training_error(const Solution& solution) const;
  Model model(const Settings& settings, const Solution& solution) const;

 private:
  Neighbour neighbour(const Model& model) const;
  void leave_empty_columns();
  void shift_features();
  ParameterPrior prior(const Settings& settings) const;         // of what is solved for
  ParameterPrior prior_of_all(const Settings& settings) const;  // features
  const Matrix& rows() const { return filled_ ? filled_->x : prepared_.x; }
  std::vector<double> v_of_all(const Solution& solution) const;
  double dot_of_shift(std::span<const double> w) const;
  Solution solve_by_steps(const Settings& settings, Solution stalled, Observer* observer) const;

  const Dataset& data_;
  Settings settings_;
  std::vector<std::string> labels_;
  Examples examples_;
  Prepared prepared_;
  Grouping grouping_;
  std::optional<FilledColumns> filled_;  // what is solved for, unless it is all
  Constraints constraints_;              // over rows()
  double centre_ = 0;                    // what y was shifted by
  std::vector<double> shift_;            // and the features, if they were
  std::vector<double> target_;           // +1 or -1, or y less the centre
};

}  // namespace medlar

// The linear model of two labels or of numbers.
#pragma once

#include <span>
#include <vector>

#include "medlar/models/linear/linear_fit.hpp"
#include "medlar/problem/constraints.hpp"

namespace medlar {

class OneOutputFit : public LinearFit {
 public:
  OneOutputFit(const Dataset& data, const Settings& asked);

  // In slices of time, from an earlier fit; see Continuation.
  Model continued(Observer* observer, const Continuation& continuation) const;

  double bias(const Solution& solution) const override;
  std::vector<double> multipliers(const Solution& solution) const override { return solution.dual.beta; }

 private:
  Solution solve_rows(const ParameterPrior& prior, const Matrix& x, std::span<const double> known,
                      const Settings& settings, Observer* observer, const Neighbour* from) const override;
  FlatSolution solve_flat(const ParameterPrior& prior, const FlatRows& rows, std::vector<double> t,
                          const Settings& settings, Observer* observer, const Neighbour* from) const override;
  double loss_of_bias(const Settings& settings) const override;
  double score_unit(const Settings& settings) const override;
  std::vector<Settings> steps_to(const Settings& settings) const override;
  double error(std::size_t t, const PrimalPoint& point) const override;

  Neighbour neighbour(const Model& model) const;
  void shift_features();
  double dot_of_shift(std::span<const double> w) const;

  Constraints constraints_;     // over rows()
  double centre_ = 0;           // what y was shifted by
  std::vector<double> shift_;   // and the features, if they were
  std::vector<double> target_;  // +1 or -1, or y less the centre
};

}  // namespace medlar

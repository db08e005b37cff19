// The fits of a path in the order in which they are made, each begun from its neighbours (docs/theory.md#paths).
#pragma once

#include <memory>
#include <vector>

#include "medlar/models/linear/linear_fit.hpp"
#include "medlar/path.hpp"

namespace medlar {

class PathFits {
 public:
  // The dataset and the settings have been checked.
  PathFits(const Dataset& data, const Settings& settings, Swept over)
      : fit_(linear_fit(data, settings)), same_margins_(over != Swept::c) {}

  const LinearFit& fit() const { return *fit_; }

  // Solves at the next value, from the last ones.
  const Report& next(const Settings& tried, double value, Observer* observer);
  // Solves at a value between those that were solved this way, or beyond them: `place` says after how many.
  const Report& insert(const Settings& tried, double value, std::size_t place, Observer* observer);

  // Of the last solve.
  PathStep step() const;
  Model model() const { return fit_->model(tried_, solution_); }

 private:
  const Report& solved(const Settings& tried, double value, Solution solution);
  void go_on();
  void keep();
  const Neighbour* beside(double value, std::size_t place);

  std::unique_ptr<LinearFit> fit_;
  bool same_margins_;  // of all steps
  std::vector<double> values_;
  Neighbour from_;                 // of next(), and what all steps share
  std::vector<Neighbour> solved_;  // of insert(), beside values_ except the last solution
  std::size_t place_ = 0;          // of the last solution among them
  Settings tried_;
  double value_ = 1;
  Solution solution_;
};

}  // namespace medlar

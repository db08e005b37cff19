// A path begins each fit from what the steps before it foretell, or between two steps from both; solvers that foretell
// nothing begin from the nearest pair.
#include "medlar/models/linear/path_fits.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace medlar {
namespace {

// How far to go on for `next`, of the change of the multipliers from `before` to `last`.
double reach(double before, double last, double next) {
  const double done = std::log(last / before), ahead = std::log(next / last);
  return done * ahead > 0 ? std::min(ahead / done, 2.0) : 0;
}

bool even(double reach) {
  return std::abs(reach - 1) < 1e-6;
}

}  // namespace

const Report& PathFits::next(const Settings& tried, double value, Observer* observer) {
  const std::size_t k = values_.size();
  if (k > 0) go_on();
  values_.push_back(value);
  from_.reach = k > 1 ? reach(values_[k - 2], values_[k - 1], value) : 0;
  if (k < 3 || !even(from_.reach) || !even(reach(values_[k - 3], values_[k - 2], values_[k - 1]))) from_.earlier = {};
  return solved(tried, value, fit_->solve(tried, observer, k > 0 ? &from_ : nullptr));
}

const Report& PathFits::insert(const Settings& tried, double value, std::size_t place, Observer* observer) {
  if (!values_.empty()) keep();
  const auto at = static_cast<std::ptrdiff_t>(place);
  solved(tried, value, fit_->solve(tried, observer, place > 0 ? beside(value, place) : nullptr));
  values_.insert(values_.begin() + at, value);
  place_ = place;
  return solution_.report;
}

PathStep PathFits::step() const {
  PathStep step;
  step.value = value_;
  step.bias = fit_->bias(solution_);
  step.training_error = fit_->training_error(solution_);
  for (const Feature& feature : fit_->features(tried_, solution_)) {
    step.inclusion.push_back(feature.inclusion);
    step.coefficient.push_back(feature.coefficient);
    step.selected += feature.inclusion > 0.5 && !feature.kept ? 1 : 0;
  }
  step.classes = fit_->classes(solution_);
  for (const double lambda : fit_->multipliers(solution_)) step.support += lambda != 0 ? 1 : 0;
  step.report = solution_.report;
  return step;
}

const Report& PathFits::solved(const Settings& tried, double value, Solution solution) {
  tried_ = tried;
  value_ = value;
  solution_ = std::move(solution);
  return solution_.report;
}

// The last solution becomes what the next one begins from.
void PathFits::go_on() {
  if (from_.foretells() && solution_.curved) from_.straight = from_.is_straight(solution_.dual.lambda);
  Neighbour next = neighbour_of(std::move(solution_));
  next.earlier = std::move(from_.before);
  if (same_margins_) next.before = std::move(from_.dual);
  next.straight = from_.straight;
  next.same_margins = same_margins_;
  from_ = std::move(next);
}

// The last solution becomes one of all that the next may begin from; what all steps share is kept once.
void PathFits::keep() {
  from_ = neighbour_of(std::move(solution_));
  Neighbour next;
  next.dual = std::move(from_.dual);
  next.primal = std::move(from_.primal);
  next.same_margins = same_margins_;
  solved_.insert(solved_.begin() + static_cast<std::ptrdiff_t>(place_), std::move(next));
}

const Neighbour* PathFits::beside(double value, std::size_t place) {
  Neighbour& before = solved_[place - 1];
  const bool between = place < solved_.size();
  before.rows = from_.rows;
  before.gram = from_.gram;
  before.curved = from_.curved;
  before.columns = between ? nullptr : from_.columns;
  before.before = {};
  if (!same_margins_ || (!between && place < 2)) return &before;
  before.before = solved_[between ? place : place - 2].dual;
  before.reach = between ? -0.5 : reach(values_[place - 2], values_[place - 1], value);
  return &before;
}

}  // namespace medlar

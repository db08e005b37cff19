// The fits of a path of two labels or of numbers (theory 11).
#include <algorithm>
#include <cmath>
#include <utility>

#include "medlar/models/linear/linear_fit.hpp"
#include "medlar/models/linear/path_fits.hpp"

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

class LinearPath : public PathFits {
 public:
  LinearPath(const Dataset& data, const Settings& settings, Swept over)
      : linear_(data, settings), same_margins_(over != Swept::c) {}

  const Settings& settings() const override { return linear_.settings(); }
  const std::vector<std::string>& names() const override { return linear_.names(); }
  std::vector<std::string> labels() const override { return {}; }

  const Report& next(const Settings& tried, double value, Observer* observer) override {
    const std::size_t k = values_.size();
    if (k > 0) go_on();
    values_.push_back(value);
    from_.reach = k > 1 ? reach(values_[k - 2], values_[k - 1], value) : 0;
    if (k < 3 || !even(from_.reach) || !even(reach(values_[k - 3], values_[k - 2], values_[k - 1]))) from_.earlier = {};
    return solved(tried, value, linear_.solve(tried, observer, k > 0 ? &from_ : nullptr));
  }

  const Report& insert(const Settings& tried, double value, std::size_t place, Observer* observer) override {
    if (!values_.empty()) keep();
    const auto at = static_cast<std::ptrdiff_t>(place);
    solved(tried, value, linear_.solve(tried, observer, place > 0 ? beside(value, place) : nullptr));
    values_.insert(values_.begin() + at, value);
    place_ = place;
    return solution_.report;
  }

  PathStep step() const override {
    PathStep step;
    step.value = value_;
    step.bias = linear_.bias(solution_);
    step.training_error = linear_.training_error(solution_);
    step.inclusion = linear_.inclusion(tried_, solution_);
    step.coefficient = linear_.coefficients(solution_);
    step.selected = std::count_if(step.inclusion.begin(), step.inclusion.end(), [](double p) { return p > 0.5; });
    for (const double beta : solution_.dual.beta) step.support += beta != 0 ? 1 : 0;
    step.report = solution_.report;
    return step;
  }

  Model model() const override { return linear_.model(tried_, solution_); }

 private:
  const Report& solved(const Settings& tried, double value, Solution solution) {
    tried_ = tried;
    value_ = value;
    solution_ = std::move(solution);
    return solution_.report;
  }

  // The last solution becomes what the next one begins from.
  void go_on() {
    if (from_.foretells() && solution_.curved) from_.straight = from_.is_straight(solution_.dual.lambda);
    from_.earlier = std::exchange(from_.before, same_margins_ ? std::move(from_.dual) : DualPoint{});
    from_.dual = std::move(solution_.dual);
    from_.primal = std::move(solution_.primal);
    from_.same_margins = same_margins_;
    share_into(from_);
  }

  // The last solution becomes one of all that the next may begin from.
  void keep() {
    Neighbour next;
    next.dual = std::move(solution_.dual);
    next.primal = std::move(solution_.primal);
    next.same_margins = same_margins_;
    share_into(from_);
    solved_.insert(solved_.begin() + static_cast<std::ptrdiff_t>(place_), std::move(next));
  }

  // What all steps share.
  void share_into(Neighbour& prepared) {
    prepared.rows = std::move(solution_.rows);
    prepared.columns = std::move(solution_.columns);
    prepared.gram = std::move(solution_.gram);
    prepared.curved = std::move(solution_.curved);
  }

  const Neighbour* beside(double value, std::size_t place) {
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

  LinearFit linear_;
  bool same_margins_;  // of all steps
  std::vector<double> values_;
  Neighbour from_;
  std::vector<Neighbour> solved_;  // of insert(), beside values_ but for the last solution
  std::size_t place_ = 0;          // of the last solution among them
  Settings tried_;
  double value_ = 1;
  Solution solution_;
};

}  // namespace

std::unique_ptr<PathFits> linear_path(const Dataset& data, const Settings& settings, Swept over) {
  return std::make_unique<LinearPath>(data, settings, over);
}

}  // namespace medlar

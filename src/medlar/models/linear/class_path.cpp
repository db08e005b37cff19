// The fits of a path of several classes: each from the nearest that is solved.
#include <utility>

#include "medlar/models/linear/multiclass_fit.hpp"
#include "medlar/models/linear/path_fits.hpp"

namespace medlar {
namespace {

class ClassPath : public PathFits {
 public:
  ClassPath(const Dataset& data, const Settings& settings, Swept over)
      : classes_(data, settings), same_margins_(over != Swept::c) {}

  const Settings& settings() const override { return classes_.settings(); }
  const std::vector<std::string>& names() const override { return classes_.names(); }
  std::vector<std::string> labels() const override { return classes_.labels(); }

  const Report& next(const Settings& tried, double value, Observer* observer) override {
    const bool first = solution_.dual.lambda.empty();
    const ClassNeighbour from = neighbour(std::move(solution_));
    return solved(tried, value, classes_.solve(tried, observer, first ? nullptr : &from));
  }

  // From the step before it, which has the larger p0 or variance, and so the more features in.
  const Report& insert(const Settings& tried, double value, std::size_t place, Observer* observer) override {
    if (!solution_.dual.lambda.empty()) {
      all_.insert(all_.begin() + static_cast<std::ptrdiff_t>(place_), neighbour(std::move(solution_)));
    }
    solved(tried, value, classes_.solve(tried, observer, place > 0 ? &all_[place - 1] : nullptr));
    place_ = place;
    return solution_.report;
  }

  PathStep step() const override {
    PathStep step;
    step.value = value_;
    step.training_error = classes_.training_error(solution_);
    for (const Feature& feature : classes_.features(tried_, solution_)) {
      step.inclusion.push_back(feature.inclusion);
      step.coefficient.push_back(feature.coefficient);
      step.selected += feature.inclusion > 0.5 ? 1 : 0;
    }
    step.classes = classes_.part(solution_);
    for (const double sum : classes_.multipliers(solution_)) step.support += sum != 0 ? 1 : 0;
    step.report = solution_.report;
    return step;
  }

  Model model() const override { return classes_.model(tried_, solution_); }

 private:
  ClassNeighbour neighbour(ClassSolution solution) const {
    return {std::move(solution.dual), std::move(solution.primal), same_margins_};
  }

  const Report& solved(const Settings& tried, double value, ClassSolution solution) {
    tried_ = tried;
    value_ = value;
    solution_ = std::move(solution);
    return solution_.report;
  }

  MulticlassFit classes_;
  bool same_margins_;                // of all steps
  std::vector<ClassNeighbour> all_;  // of insert(), but for the last solution
  std::size_t place_ = 0;            // of the last solution among them
  Settings tried_;
  double value_ = 1;
  ClassSolution solution_;
};

}  // namespace

std::unique_ptr<PathFits> class_path(const Dataset& data, const Settings& settings, Swept over) {
  return std::make_unique<ClassPath>(data, settings, over);
}

}  // namespace medlar

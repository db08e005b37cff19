// A sweep over p0 (or c, or the prior variance), with one fit for each value. Each fit starts from the one before. The
// data are prepared once. Every fit has its own certificate.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "medlar/model.hpp"
#include "medlar/observer.hpp"

namespace medlar {

struct PathStep {
  // The value of the swept setting.
  double value = 1;
  double bias = 0;
  // Number of features with inclusion > 1/2.
  Index selected = 0;
  // Number of examples with a multiplier above 0.
  Index support = 0;
  // One number per feature, as in Model::features.
  std::vector<double> inclusion, coefficient;
  // Coefficients and biases of each class, if there are more than two.
  std::optional<MulticlassPart> classes = {};
  Report report;
  // On the fitted examples: share of wrong labels, or RMSE.
  double training_error = 0;
  // Mean metric on folds that were left out, if it was measured.
  std::optional<double> left_out = {};
  // Standard error of `left_out`.
  std::optional<double> standard_error = {};
};

struct Path {
  Swept over = Swept::p0;
  // As resolved. The swept setting has the value of the last step.
  Settings settings;
  // Names of the model's features.
  std::vector<std::string> names;
  // Labels, if there are more than two classes.
  std::vector<std::string> labels;
  // Fewer than asked for if the observer or the time limit ended the path.
  std::vector<PathStep> steps;
  bool complete = true;
};

// The usual range of a path, from little regularisation to much.
// - p0: from 1 to 1e-8.
// - c: from 100 / location to 0.01 / location. The exponential margin stops at 1.1 / location, because below that
//   almost nothing is learnt. For a regression: from 100 / sd(y) to 0.1 / sd(y).
// - prior variance: from 10 times its default to 1e-4 of it.
struct PathRange {
  double from = 1, to = 1e-8;
};
PathRange usual_range(const Dataset& data, const Settings& settings, Swept over);

// `count` values, evenly spaced in their logarithm.
std::vector<double> even_values(PathRange range, Index count);
// The usual values of p0.
std::vector<double> usual_p0_path(Index count);

// Fits the values in the given order. settings.max_seconds holds for the whole path.
Path fit_path(const Dataset& data, const Settings& settings, Swept over, std::span<const double> values,
              Observer* observer = nullptr);

// Chooses its own steps over a range of numbers above 0. They are closer together where coefficients change more, so
// one sees where features enter. The path ends before range.to when no coefficient is left. It has fewer than `steps`
// steps if nothing changes in between.
Path fit_adaptive_path(const Dataset& data, const Settings& settings, Swept over, PathRange range, Index steps,
                       Observer* observer = nullptr);

// Like fit_path(), but passes the whole model of each step to `on_model` and keeps none.
using OnModel = std::function<void(const Model&)>;
void fit_along(const Dataset& data, const Settings& settings, Swept over, std::span<const double> values,
               const OnModel& on_model, Observer* observer = nullptr);

}  // namespace medlar

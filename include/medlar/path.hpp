// A sweep over p0 (or c, or the prior variance): one fit for each value, each begun from the one before it, over data
// that is prepared once. Every fit has its own certificate.
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
  double value = 1;  // of what is swept
  double bias = 0;
  Index selected = 0;                          // features with inclusion > 1/2
  Index support = 0;                           // examples with a multiplier above 0
  std::vector<double> inclusion, coefficient;  // one per feature of the model, as in Model::features
  std::optional<MulticlassPart> classes = {};  // of several classes: coefficients and biases of each
  Report report;
  double training_error = 0;                  // share of wrong labels, or RMSE, of the fitted examples
  std::optional<double> left_out = {};        // mean metric on folds that were left out, when it was measured
  std::optional<double> standard_error = {};  // of that mean
};

struct Path {
  Swept over = Swept::p0;
  Settings settings;                // as resolved; the swept one has the value of the last step
  std::vector<std::string> names;   // of the model's features
  std::vector<std::string> labels;  // of several classes
  std::vector<PathStep> steps;      // fewer than were asked for when the observer or the time ended the path
  bool complete = true;
};

// Where a path goes unless told, from little regularisation to much: p0 from 1 to 1e-8; c from 100 / location to 0.01 /
// location, of the exponential margin to 1.1 / location, below which next to nothing is learnt, of numbers from 100 /
// sd(y) to 0.1 / sd(y); the prior variance from 10 times its default to 1e-4 of it.
struct PathRange {
  double from = 1, to = 1e-8;
};
PathRange usual_range(const Dataset& data, const Settings& settings, Swept over);

// So many values, evenly spaced in their logarithm.
std::vector<double> even_values(PathRange range, Index count);
std::vector<double> usual_p0_path(Index count);  // those of p0

// Fits the values in their order. settings.max_seconds holds for the whole path.
Path fit_path(const Dataset& data, const Settings& settings, Swept over, std::span<const double> values,
              Observer* observer = nullptr);

// Steps over a range of numbers above 0, closer together where coefficients change more: where features enter.
// The path ends before range.to when no coefficient is left, and has fewer than `steps` steps when nothing changes in
// between.
Path fit_adaptive_path(const Dataset& data, const Settings& settings, Swept over, PathRange range, Index steps,
                       Observer* observer = nullptr);

// The same as fit_path(), with the whole model of each step handed over and not kept.
using OnModel = std::function<void(const Model&)>;
void fit_along(const Dataset& data, const Settings& settings, Swept over, std::span<const double> values,
               const OnModel& on_model, Observer* observer = nullptr);

}  // namespace medlar

// A sweep over p0 (or c, or the prior variance): one fit for each value, each begun from the one before it, over data
// that is prepared once. Every fit has its own certificate.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
  Report report;
  double training_error = 0;                  // share of wrong labels, or RMSE, of the fitted examples
  std::optional<double> left_out = {};        // mean metric on folds that were left out, when it was measured
  std::optional<double> standard_error = {};  // of that mean
};

struct Path {
  std::string over;                // p0, c, prior-variance
  Settings settings;               // as resolved; the swept one has the value of the last step
  std::vector<std::string> names;  // of the model's features
  std::vector<PathStep> steps;     // fewer than were asked for when the observer or the time ended the path
  bool complete = true;
};

// `count` values of p0 from 1 to 1e-8, evenly spaced in their logarithm.
std::vector<double> usual_p0_path(Index count);

// Fits the values in their order. settings.max_seconds holds for the whole path.
Path fit_path(const Dataset& data, const Settings& settings, std::string_view over, std::span<const double> values,
              Observer* observer = nullptr);

// Steps from `from` to `to` (numbers above 0), closer together where coefficients change more: where features enter.
// The path ends before `to` when no coefficient is left, and has fewer than `steps` steps when nothing changes in
// between.
Path fit_adaptive_path(const Dataset& data, const Settings& settings, std::string_view over, double from, double to,
                       Index steps, Observer* observer = nullptr);

// The same as fit_path(), with the whole model of each step handed over and not kept.
using OnModel = std::function<void(const Model&)>;
void fit_along(const Dataset& data, const Settings& settings, std::string_view over, std::span<const double> values,
               const OnModel& on_model, Observer* observer = nullptr);

}  // namespace medlar

// Hand-made models for the tests of model files and prediction.
#pragma once

#include <cmath>
#include <limits>

#include "medlar/model.hpp"

namespace medlar::tests {

// Two plain features and a group of two, with settings away from their defaults and numbers that are hard to write.
inline Model awkward_model() {
  Model model;
  model.task = Task::classify;
  model.labels = {"no", "yes, \"sure\""};
  model.settings.task = Task::classify;
  model.settings.margin = MarginKind::laplace;
  model.settings.c = 0.1 + 0.2;
  model.settings.p0 = 1e-300;
  model.settings.prior_variance = 1.0 / 3;
  model.settings.feature_p0 = {"priors.txt", {{"age", 0.25}, {"caf\xc3\xa9", 1e-9}}};
  model.settings.groups = GroupsKind::file;
  model.settings.feature_group = {"groups.csv", {{"colour=red", "colour"}, {"colour=blue", "colour"}}};
  model.settings.seed = std::numeric_limits<Index>::max();
  model.schema = {"csv", "sick", "", {{"age", {}, 37.25}, {"caf\xc3\xa9", {}, {}}, {"colour", {"blue", "red"}, {}}}, 4};
  model.transforms = {{TransformKind::expand, {{0}, {1}, {2}, {3}}, {}, {}},
                      {TransformKind::scale, {}, {0.1, -0.0, 1, 2}, {1e-310, 3, 1, 1}}};
  model.group_names = {"colour"};
  model.features = {{"age", 0.1, -1.0 / 3, 0.7, -1},
                    {"caf\xc3\xa9", 1, std::nextafter(1.0, 2.0), 5e-324, -1},
                    {"colour=blue", 0.25, 0.5, std::sqrt(1.0 / 12 + 0.75), 0},
                    {"colour=red", 0.25, -1, std::sqrt(1.0 / 12 + 3), 0}};
  model.bias = -0.125;
  model.bias_sd = 0.25;
  model.typical_sd = 1.75;
  model.examples = 7;
  model.support = {0, 3, 6};
  model.multipliers = {-1e-17, 2.5, 0.1};
  model.report.status = Status::limit;
  model.report.message = "stopped: 20 passes reached";
  model.report.solver = "newton";
  model.report.why = "auto";
  model.report.objective = 1.1;
  model.report.primal = std::numeric_limits<double>::infinity();
  model.report.gap = std::numeric_limits<double>::infinity();
  model.report.relative_gap = std::numeric_limits<double>::infinity();
  model.report.tolerance = 1e-6;
  model.report.iterations = 2;
  model.report.passes = 20;
  model.report.seconds = 0.0123;
  model.report.trace = {{0, 1, 0.001, 0, 7.7, 1, "start"}, {1, 20, 0.01, 1.1, 7.6, 0.9, "newton"}};
  return model;
}

// A classifier without transforms whose score is coefficient . x + bias.
inline Model plain_model(std::vector<Feature> features, double bias = 0) {
  Model model;
  model.task = Task::classify;
  model.labels = {"0", "1"};
  model.settings.task = Task::classify;
  model.settings.prior_variance = 1;
  model.schema.features = static_cast<Index>(features.size());
  model.features = std::move(features);
  model.bias = bias;
  return model;
}

}  // namespace medlar::tests

// Short lists by least squares: the scores of a fit of all features, or the targets, from few features. Labels of few
// examples say less about the best coefficients than the scores of the fit, so lists of classes learn from the scores.
#pragma once

#include <span>
#include <vector>

#include "medlar/answer/list_specs.hpp"
#include "medlar/model.hpp"

namespace medlar {

// Coefficients of the model's features after its transforms.
struct ProjectedList {
  std::vector<Index> features;      // from the largest |coefficient| x sd to the smallest
  std::vector<double> coefficient;  // feature by feature, one per output
  std::vector<double> bias;         // one per output
};

// The lists of these specifications from a fit to this data. A list may have fewer features than asked for, where fewer
// have a coefficient.
std::vector<ProjectedList> project(const Model& reference, const Dataset& fitted, std::span<const ListSpec> specs);

// The scores of each list, row by row, one per output.
std::vector<std::vector<float>> scores_of(const Model& reference, std::span<const ProjectedList> lists,
                                          const Matrix& rows);

}  // namespace medlar

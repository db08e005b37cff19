#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/model.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {

double LeftOutErrors::half_width(double level) const {
  const double place = std::ceil(level * (static_cast<double>(examples) + 1));  // counted from 1
  if (sorted.empty() || place > static_cast<double>(examples)) return HUGE_VAL;
  const double share = (place - 1) / std::max<double>(1, static_cast<double>(examples) - 1);
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(std::ceil(share * last))];
}

Model list_model(const Model& model) {
  if (!model.list) {
    throw OptionError(
        "the model keeps no list of features; tune makes one for linear models, so fit it by tune, or leave out --use");
  }
  const FeatureList& list = *model.list;
  Model narrow = model;
  for (Feature& feature : narrow.features) feature.inclusion = feature.coefficient = feature.sd = 0;
  const std::size_t outputs = list.bias.size();
  if (narrow.multiclass) std::fill(narrow.multiclass->coefficient.begin(), narrow.multiclass->coefficient.end(), 0.0);
  for (std::size_t j = 0; j < list.features.size(); ++j) {
    Feature& feature = narrow.features[at(list.features[j])];
    const double* const own = list.coefficient.data() + j * outputs;
    feature.inclusion = 1;
    feature.coefficient = own[0];
    if (!narrow.multiclass) continue;
    double squares = 0;
    for (std::size_t k = 0; k < outputs; ++k) squares += own[k] * own[k];
    feature.coefficient = std::sqrt(squares);
    std::copy_n(own, outputs, narrow.multiclass->coefficient.begin() + list.features[j] * static_cast<Index>(outputs));
  }
  if (narrow.multiclass) narrow.multiclass->class_bias = list.bias;
  if (!narrow.multiclass) narrow.bias = list.bias[0];
  narrow.bias_sd = narrow.typical_sd = 0;
  narrow.recalibration = list.recalibration;
  narrow.errors = list.errors;
  narrow.support.clear();
  narrow.multipliers.clear();
  narrow.stability.reset();
  narrow.discoveries.reset();
  narrow.clusters.reset();
  if (narrow.answer) narrow.answer->predictor = list.score;
  return narrow;
}

}  // namespace medlar

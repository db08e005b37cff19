// What each feature adds to a score: E[L(x)] = b + sum_i w_i x_i, w_i = E[theta_i s_i].   [MED 4.1]
// Of a generative model and of an anomaly detector: E[log p(x)], feature by feature (docs/theory.md#generative,
// #anomalies).
#include "medlar/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "medlar/error.hpp"
#include "medlar/models/generative/tree_scores.hpp"
#include "medlar/models/generative/values.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/models/latent/latent_features.hpp"
#include "medlar/models/predicting.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/scores_by_class.hpp"

namespace medlar {
namespace {

// Keeps the `most` largest in the list, in order; the others become one number.
void keep_largest(Explanation& each, Index most) {
  const auto kept = std::min(each.largest.size(), static_cast<std::size_t>(most));
  const auto middle = each.largest.begin() + static_cast<std::ptrdiff_t>(kept);
  std::partial_sort(each.largest.begin(), middle, each.largest.end(), [](const Contribution& a, const Contribution& b) {
    if (std::abs(a.added) != std::abs(b.added)) return std::abs(a.added) > std::abs(b.added);
    return a.feature < b.feature;
  });
  each.others = static_cast<Index>(each.largest.size() - kept);
  for (auto other = middle; other != each.largest.end(); ++other) each.added_by_others += other->added;
  each.largest.erase(middle, each.largest.end());
}

// What is explained, and where it begins: b, b_a - b_b, or the typical score.
void begin(const Model& model, const Matrix& x, std::vector<Explanation>& explained) {
  if (model.task == Task::anomaly) {
    const std::vector<double>& typical = model.generative->typical;
    for (Explanation& each : explained) each.bias = std::accumulate(typical.begin(), typical.end(), 0.0);
  } else if (model.labels.size() <= 2) {
    const double bias =
        model.generative ? model.generative->class_bias[1] - model.generative->class_bias[0] : model.bias;
    for (Explanation& each : explained) each.bias = bias;
  } else {
    const std::vector<double>& bias = model.generative ? model.generative->class_bias : model.multiclass->class_bias;
    const std::vector<std::vector<double>> scores = scores_by_class(model, x);
    for (std::size_t t = 0; t < scores.size(); ++t) {
      const std::vector<double>& f = scores[t];
      Explanation& each = explained[t];
      each.label = std::max_element(f.begin(), f.end()) - f.begin();
      each.rival = each.label == 0 ? 1 : 0;
      for (Index k = 0; k < std::ssize(f); ++k) {
        if (k != each.label && f[at(k)] > f[at(each.rival)]) each.rival = k;
      }
      each.bias = bias[at(each.label)] - bias[at(each.rival)];
    }
  }
}

// w_i x_i; for several classes (w_ia - w_ib) x_i.
void add_coefficients(const Model& model, const Matrix& inputs, std::span<Explanation> explained) {
  const std::size_t classes = model.multiclass ? model.multiclass->class_bias.size() : 0;
  for (Index t = 0; t < inputs.rows(); ++t) {
    Explanation& each = explained[at(t)];
    for_each(inputs.row(t), [&](Index i, double value) {
      const double* w = classes > 0 ? model.multiclass->coefficient.data() + at(i) * classes : nullptr;
      const double added = value * (w ? w[each.label] - w[each.rival] : model.features[at(i)].coefficient);
      if (added != 0) each.largest.push_back({i, value, added});
    });
  }
}

// What each column says for one class, less what it says for the other or what is typical.
void add_columns(const Model& model, const ColumnScores& by_column, const Matrix& inputs,
                 std::span<Explanation> explained) {
  std::vector<std::vector<std::vector<double>>> parts;  // by class, example and column
  for (std::size_t k = 0; k < model.generative->class_bias.size(); ++k) parts.push_back(by_column(inputs, k));
  for (Index t = 0; t < inputs.rows(); ++t) {
    Explanation& each = explained[at(t)];
    std::vector<double> values(model.features.size(), 0.0);
    for_each(inputs.row(t), [&](Index i, double value) { values[at(i)] = value; });
    std::vector<bool> absent(values.size(), false);
    const bool odd = model.task == Task::anomaly, two = !odd && model.labels.size() == 2;
    const std::size_t first = odd ? 0 : two ? 1 : at(each.label), second = odd || two ? 0 : at(each.rival);
    const std::vector<double>& less = odd ? model.generative->typical : parts[second][at(t)];
    if (odd) {  // a missing cell is no reason, and its column is left out of what is typical
      for (const Index i : absent_features(*model.generative, inputs.row(t))) {
        absent[at(i)] = true;
        each.bias -= less[at(i)];
      }
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (absent[i]) continue;
      const double added = parts[first][at(t)][i] - less[i];
      if (added != 0) each.largest.push_back({static_cast<Index>(i), values[i], added});
    }
  }
}

}  // namespace

bool explainable(const Model& model) {
  return model.settings.model == ModelKind::linear || model.generative ||
         (model.latent && scores_latent_features(model));
}

std::vector<Explanation> explain(const Model& model, const Matrix& x, Index most) {
  if (!explainable(model)) {
    throw OptionError(fmt::format("a {} model has no score that is a sum over its features", model.settings.model));
  }
  if (most < 1) throw OptionError(fmt::format("most = {}, but at least one contribution must be asked for", most));
  require_features(model, x);
  require_values(model, x);
  std::vector<Explanation> explained(at(x.rows()));
  begin(model, x, explained);
  const ColumnScores by_column = model.generative ? column_scores(model) : ColumnScores();
  std::size_t done = 0;
  for_each_block(model, model.latent ? latent_features(model, x) : x, std::ssize(model.features),
                 [&](const Matrix& inputs) {
                   const auto block = std::span(explained).subspan(done, at(inputs.rows()));
                   by_column ? add_columns(model, by_column, inputs, block) : add_coefficients(model, inputs, block);
                   done += block.size();
                 });
  for (Explanation& each : explained) keep_largest(each, most);
  return explained;
}

}  // namespace medlar

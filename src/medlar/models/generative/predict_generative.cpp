// Prediction by a generative model: E[log p(x | theta_k)] + b_k of each class, and how odd an example is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "medlar/anomaly.hpp"
#include "medlar/calibration/calibrate.hpp"
#include "medlar/error.hpp"
#include "medlar/models/generative/generative_scores.hpp"
#include "medlar/models/generative/tree_scores.hpp"
#include "medlar/models/generative/typical.hpp"
#include "medlar/models/generative/values.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/models/predicting.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {

namespace {

// Calls visit(example, its scores) in order, by members or by trees; with the variances of the scores if asked for.
template <class Visit>
void for_each_scored(const Model& model, const Matrix& x, bool variances, Visit visit) {
  const Index columns = std::ssize(model.features);
  Index example = 0;
  const auto pass = [&](const auto& scores) {
    for_each_block(model, x, columns, [&](const Matrix& rows) {
      for (const GenerativeScores::Scored& scored : scores(rows, variances)) visit(example++, scored);
    });
  };
  if (model.generative->trees.empty()) {
    pass(GenerativeScores(*model.generative, columns));
  } else {
    pass(TreeScores(model));
  }
}

// The variance of L_a - L_b, or of L_a alone if b is a (docs/theory.md#generative-switches for the switches).
double variance(const GenerativePart& part, const GenerativeScores::Scored& scored, std::size_t a, std::size_t b) {
  const std::size_t members = part.members.size();
  if (members == 0) return scored.variances[a] + (a != b ? scored.variances[b] : 0.0);  // trees
  double sum = 0;
  for (std::size_t j = 0; j < members; ++j) {
    const std::vector<double>& inclusion = part.members[j].inclusion;
    const auto term = [&](std::size_t k, double p) {
      const double mean = p > 0 ? scored.parts[k * members + j] / p : 0;
      return p * scored.variances[k * members + j] + p * (1 - p) * mean * mean;
    };
    if (inclusion.size() == 1 && a != b) {  // one switch for both classes
      const double p = inclusion[0],
                   difference = p > 0 ? (scored.parts[a * members + j] - scored.parts[b * members + j]) / p : 0;
      sum += p * (scored.variances[a * members + j] + scored.variances[b * members + j]) +
             p * (1 - p) * difference * difference;
      continue;
    }
    const auto p_of = [&](std::size_t k) { return inclusion.empty() ? 1.0 : inclusion[inclusion.size() == 1 ? 0 : k]; };
    sum += term(a, p_of(a));
    if (a != b) sum += term(b, p_of(b));
  }
  return sum;
}

Prediction classified(const GenerativePart& part, const GenerativeScores::Scored& scored) {
  const std::size_t classes = scored.scores.size();
  Prediction prediction;
  if (classes == 2) {
    prediction.score = scored.scores[1] - scored.scores[0];
    prediction.sd = std::sqrt(std::max(0.0, variance(part, scored, 1, 0)));
    prediction.label = prediction.score > 0 ? 1 : 0;
    prediction.probability = 1 / (1 + std::exp(-part.slope * prediction.score));
    return prediction;
  }
  const auto best =
      static_cast<std::size_t>(std::max_element(scored.scores.begin(), scored.scores.end()) - scored.scores.begin());
  prediction.label = static_cast<Index>(best);
  prediction.score = scored.scores[best];
  prediction.sd = std::sqrt(std::max(0.0, variance(part, scored, best, best)));
  prediction.probabilities = softmax(scored.scores, part.slope);
  prediction.probability = prediction.probabilities[best];
  return prediction;
}

// The share of normal examples that score no higher, which is small for what is odd. `gaps`: see typical_of_gaps.
Prediction judged(const GenerativePart& part, const GenerativeScores::Scored& scored, double gaps) {
  Prediction prediction;
  prediction.score = scored.scores[0];
  prediction.sd = std::sqrt(std::max(0.0, variance(part, scored, 0, 0)));
  const double whole = prediction.score + gaps;
  prediction.label = whole < part.threshold ? 1 : 0;
  const auto below = std::upper_bound(part.levels.begin(), part.levels.end(), whole) - part.levels.begin();
  prediction.probability = (static_cast<double>(below) + 1) / (static_cast<double>(part.levels.size()) + 1);
  return prediction;
}

void require_detector(const Model& model, std::string_view what) {
  if (model.task == Task::anomaly && model.generative) return;
  throw OptionError(fmt::format("the model's task is {}, but only an anomaly detector has {}", model.task, what));
}

}  // namespace

std::vector<Prediction> predict_generative(const Model& model, const Matrix& x) {
  const GenerativePart& part = *model.generative;
  const bool odd = model.task == Task::anomaly;
  require_values(model, x);
  const std::vector<double> gaps = odd ? typical_of_gaps(model, x) : std::vector<double>();
  std::vector<Prediction> predictions;
  for_each_scored(model, x, true, [&](Index example, const GenerativeScores::Scored& scored) {
    predictions.push_back(odd ? judged(part, scored, gaps[at(example)]) : classified(part, scored));
    require_finite(predictions.back(), example, false);
  });
  return predictions;
}

std::vector<double> typical_of_gaps(const Model& model, const Matrix& x) {
  require_detector(model, "what is typical");
  std::vector<double> sums(at(x.rows()), 0.0);
  const GenerativePart& part = *model.generative;
  std::optional<TypicalOfGaps> typical;  // whole rows need none
  std::size_t t = 0;
  for_each_block(model, x, std::ssize(model.features), [&](const Matrix& rows) {
    for (Index row = 0; row < rows.rows(); ++row, ++t) {
      if (absent_features(part, rows.row(row)).empty()) continue;
      if (!typical) typical.emplace(part, part.typical, std::ssize(model.features));
      sums[t] = (*typical)(rows.row(row));
    }
  });
  return sums;
}

std::vector<double> generative_class_scores(const Model& model, const Matrix& x) {
  const auto examples = static_cast<std::size_t>(x.rows());
  std::vector<double> f(model.generative->class_bias.size() * examples);
  for_each_scored(model, x, false, [&](Index example, const GenerativeScores::Scored& scored) {
    for (std::size_t k = 0; k < scored.scores.size(); ++k) f[k * examples + at(example)] = scored.scores[k];
  });
  return f;
}

std::vector<std::vector<double>> contributions(const Model& model, const Matrix& x) {
  require_detector(model, "contributions");
  require_values(model, x);
  const ColumnScores by_column = column_scores(model);
  std::vector<std::vector<double>> all;
  for_each_block(model, x, std::ssize(model.features), [&](const Matrix& rows) {
    for (std::vector<double>& each : by_column(rows, 0)) all.push_back(std::move(each));
  });
  return all;
}

}  // namespace medlar

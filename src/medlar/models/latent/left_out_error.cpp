// With few examples many choices have the same number of errors, so ties need a finer measure. It must not prefer wide
// priors, whose scores are large, so it is taken at the scale that suits the scores best.
#include "medlar/models/latent/left_out_error.hpp"

#include <algorithm>
#include <cmath>

#include "medlar/folds.hpp"
#include "medlar/models/latent/latent_features.hpp"
#include "medlar/models/latent/latent_labels.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/prepare/rows.hpp"
#include "medlar/thresholds/rough_fits.hpp"

namespace medlar {
namespace {

constexpr Index kChoiceFolds = 5;

bool two_labels(const ClassLabels& classes, const std::vector<Index>& rows) {
  return std::any_of(rows.begin(), rows.end(), [&](Index t) {
    return classes.y[static_cast<std::size_t>(t)] != classes.y[static_cast<std::size_t>(rows.front())];
  });
}

// What a model predicts for an example that was left out: the logarithms of its class probabilities, up to a constant.
struct LeftOutSequence {
  std::vector<double> logits;
  std::size_t truth = 0;  // past the end: a label that this fold's model has not seen
};

LeftOutSequence left_out(const Model& model, const Prediction& prediction, const std::string& label) {
  LeftOutSequence each{{0, 2 * prediction.score}, 0};
  each.truth =
      static_cast<std::size_t>(std::find(model.labels.begin(), model.labels.end(), label) - model.labels.begin());
  if (prediction.probabilities.empty()) return each;
  each.logits.clear();
  for (const double p : prediction.probabilities) each.logits.push_back(std::log(p));
  return each;
}

// (1 - P(truth))^2 where the logits are multiplied by s.
double squared_doubt(const LeftOutSequence& each, double s) {
  if (each.truth >= each.logits.size()) return 1;
  const double highest = *std::max_element(each.logits.begin(), each.logits.end());
  double sum = 0;
  for (const double logit : each.logits) sum += std::exp(s * (logit - highest));
  const double doubt = 1 - std::exp(s * (each.logits[each.truth] - highest)) / sum;
  return doubt * doubt;
}

// The share of wrong labels. Ties are broken by the mean squared doubt, at the scale of the scores that makes it least.
// At a fixed scale, wide priors with their large scores would win.
double class_error(const std::vector<LeftOutSequence>& all) {
  double wrong = 0, least = HUGE_VAL;
  for (const LeftOutSequence& each : all) {
    const auto best = std::max_element(each.logits.begin(), each.logits.end()) - each.logits.begin();
    wrong += static_cast<std::size_t>(best) == each.truth ? 0 : 1;
  }
  for (double log_scale = -2; log_scale <= 4; log_scale += 0.25) {
    double doubt = 0;
    for (const LeftOutSequence& each : all) doubt += squared_doubt(each, std::exp(log_scale));
    least = std::min(least, doubt);
  }
  return (wrong + 0.01 * least) / static_cast<double>(all.size());
}

}  // namespace

double left_out_error(const Dataset& features, const Settings& tried, Index split) {
  const Dataset known = subset(features, labelled_rows(features));
  Settings loose = tried;
  loose.tolerance = std::max(tried.tolerance, kGapOfChoice);
  const bool classify = resolve_task(known, tried) == Task::classify;
  const ClassLabels classes = classify ? class_labels(known, tried) : ClassLabels{};
  const Index folds = std::min<Index>(kChoiceFolds, known.examples());
  double squares = 0;
  std::vector<LeftOutSequence> all;
  const std::vector<Index> fold_of = assign_folds(known.target, known.examples(), folds, tried.seed + split);
  for (const auto& [inside, outside] : folds_from(fold_of)) {
    if (classify && !two_labels(classes, inside)) {  // nothing to fit
      all.insert(all.end(), outside.size(), LeftOutSequence{{0}, 1});
      continue;
    }
    const Dataset fitted = fitted_part(known, inside);
    const Model model = fit_expected(fitted, loose, nullptr);
    const Matrix left = left_out_part(known, outside, fitted).x;
    const std::vector<Prediction> predicted =
        model.multiclass ? predict_multiclass(model, left, class_sharpness(model)) : predict_linear(model, left);
    for (std::size_t j = 0; j < outside.size(); ++j) {
      const auto t = static_cast<std::size_t>(outside[j]);
      if (classify) {
        all.push_back(left_out(model, predicted[j], classes.labels[static_cast<std::size_t>(classes.y[t])]));
      } else {
        squares += std::pow(predicted[j].score - known.target.values[t], 2);
      }
    }
  }
  return classify ? class_error(all) : squares / static_cast<double>(known.examples());
}

}  // namespace medlar

// What a model answers to the questions "which features, how sure, how good?": the short list of features beside the
// predictor, what left-out examples have shown, and sentences that say so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "medlar/trust.hpp"

namespace medlar {

// How good something is for examples that were left out of its fit.
struct LeftOutScore {
  // Share of wrong labels, or root mean squared error.
  double error = 0;
  // Log loss, or mean squared error.
  double loss = 0;
  friend bool operator==(const LeftOutScore&, const LeftOutScore&) = default;
};

// The best list of so many features.
struct ListStep {
  Index features = 0;
  LeftOutScore score;
  // How much larger its loss is than that of the best list, and the standard error of this difference, example by
  // example.
  double behind = 0, standard_error = 0;
  friend bool operator==(const ListStep&, const ListStep&) = default;
};

// Left-out |errors| of a number that is predicted, from small to large; many are thinned to evenly spaced ones.
struct LeftOutErrors {
  // Number of errors before thinning.
  Index examples = 0;
  std::vector<double> sorted;
  // Half the width of the interval that holds a new value with this probability: the ceil(level (examples + 1))-th
  // error. Infinite where there are too few.
  double half_width(double level) const;
  friend bool operator==(const LeftOutErrors&, const LeftOutErrors&) = default;
};

// The fewest features that predict nearly as well as any list does, with coefficients of their own. Coefficients are
// those of the model's features after its transforms; all others are exactly 0.
struct FeatureList {
  // From the largest |coefficient| x sd to the smallest. Empty if nothing predicts better than knowing nothing.
  std::vector<Index> features;
  // One per feature of the list; of several labels one per feature and label.
  std::vector<double> coefficient;
  // One, or one per label.
  std::vector<double> bias;
  // How the coefficients were made.
  ListMaker made_by = ListMaker::projection;
  // The fit whose scores were projected and whose coefficients ranked the features.
  double reference_p0 = 1;
  std::optional<double> reference_variance;
  // Least squares with this ridge, as a share of the examples, to the scores of the reference mixed with this share of
  // the targets.
  double ridge = 0, share_of_targets = 0;
  std::optional<Recalibration> recalibration;
  std::optional<LeftOutErrors> errors;
  // By cross-validation.
  LeftOutScore score;
  // How much larger its loss is than that of the predictor, and the standard error of this difference.
  double cost = 0, cost_error = 0;
  // The best list of each number of features.
  std::vector<ListStep> curve;
  // Whether it predicts as well as the predictor: within one standard error.
  bool as_good() const { return cost <= cost_error; }
  friend bool operator==(const FeatureList&, const FeatureList&) = default;
};

// What cross-validation says of the model as it stands.
struct LeftOutAnswer {
  LeftOutScore predictor;
  // Of predicting the shares of the labels, or the mean, for everybody.
  LeftOutScore nothing;
  // How much smaller the loss of the predictor is than that of knowing nothing, and the standard error of this.
  double gain = 0, gain_error = 0;
  // Number of examples that were left out, and folds and repetitions.
  Index examples = 0, folds = 0, repeats = 1;
  friend bool operator==(const LeftOutAnswer&, const LeftOutAnswer&) = default;
};

struct Model;

// The list of a tuned model as a model of its own. Throws OptionError if it keeps none.
Model list_model(const Model& model);

// What the model answers, in plain sentences. Empty if nothing was measured on examples that were left out.
std::vector<std::string> verdict(const Model& model);

}  // namespace medlar

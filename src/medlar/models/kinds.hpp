// The kinds of model (settings.model): how each is fitted and how it predicts. A new kind is one more row of kinds()
// and one file for each function. What it keeps beyond the fields of every Model is a part of its own there.
#pragma once

#include <span>
#include <vector>

#include "medlar/fit.hpp"

namespace medlar {

struct Kind {
  ModelKind model;
  // The dataset and the settings have been checked.
  Model (*fit)(const Dataset& data, const Settings& asked, Observer* observer);
  // x has the columns of the model's schema.
  std::vector<Prediction> (*predict)(const Model& model, const Matrix& x);
};

std::span<const Kind> kinds();

// The row of settings.model.
const Kind& kind_of(const Settings& settings);

// Refuses rows that do not have the columns of the model's schema, and sequences of another shape.
void require_features(const Model& model, const Matrix& x);

Model fit_linear(const Dataset& data, const Settings& asked, Observer* observer);
Model continue_linear(const Dataset& data, const Settings& asked, Observer* observer, const Continuation& continuation);
Model fit_latent(const Dataset& data, const Settings& asked, Observer* observer);
std::vector<Prediction> predict_linear(const Model& model, const Matrix& x);
// With sharpness s > 0 the probabilities are in proportion to e^{s L_k}.
std::vector<Prediction> predict_multiclass(const Model& model, const Matrix& x, double sharpness = 0);

Model fit_generative(const Dataset& data, const Settings& asked, Observer* observer);
std::vector<Prediction> predict_generative(const Model& model, const Matrix& x);
// Scores of all classes, class by class; rows before the model's transforms.
std::vector<double> generative_class_scores(const Model& model, const Matrix& x);
std::vector<Prediction> predict_latent(const Model& model, const Matrix& x);

Model fit_kernel(const Dataset& data, const Settings& asked, Observer* observer);
// For more than two classes. The settings are resolved except gamma, c and the prior variance.
Model fit_kernel_classes(const Dataset& data, const Settings& resolved, Observer* observer);
std::vector<Prediction> predict_kernel(const Model& model, const Matrix& x);
// For several classes, example by example: the score of each class, or, two by two, the score against its strongest
// rival.
std::vector<std::vector<double>> kernel_class_scores(const Model& model, const Matrix& x);

}  // namespace medlar

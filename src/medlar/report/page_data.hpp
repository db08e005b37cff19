// The numbers of a report page as JSON: what the script of the page (web/src) reads. web/src/data.ts has the same
// fields as types.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/metrics.hpp"
#include "medlar/model.hpp"
#include "medlar/path.hpp"

namespace medlar {

using PageJson = nlohmann::ordered_json;

// What was fitted, in a sentence.
std::string what_was_fitted(const Model& model);

// A number, or null if it is undefined or infinite.
PageJson page_number(double value);
PageJson page_numbers(const std::vector<double>& values);

// At most `most` of the positions 0 .. size - 1, evenly taken, the first and the last among them.
std::vector<std::size_t> thinned(std::size_t size, std::size_t most);

// The model's part of the page, with at most `top` features.
PageJson model_part(const Model& model, Index top);

// How far the selection can be trusted: stability, discoveries, clusters; null if none was measured.
PageJson trust_part(const Model& model);

// Predicted and observed shares of examples by predicted probability.
PageJson calibration_bins(const std::vector<CalibrationBin>& bins);

// Which curve gives the probabilities, and how reliable they were before and after.
PageJson recalibration_part(const Recalibration& curve);

// What cross-validation tried; every candidate with its mean and standard error, and which the race dropped.
PageJson tuning_part(const Tuning& tuning);

// What a path selects at each of its steps.
PageJson path_part(const Path& path);

// The most probable tree of each class; null without trees.
PageJson tree_part(const Model& model);

// The template of a latent transformation, and the coefficients in its shape; null without one.
PageJson template_part(const Model& model);

// How the model predicts `data`, which has a target unless the model is an anomaly detector.
PageJson data_part(const Model& model, const Dataset& data);

// Scores beside the threshold of an anomaly detector.
PageJson anomaly_part(const Model& model, const std::vector<Prediction>& predicted);

// Single examples of the data: why each got its score. `truth` compares them, if the data has a target.
PageJson explained_part(const Model& model, const Dataset& data, const Comparison* truth);

// Under which states or shifts a latent model sees the examples; null for other models.
PageJson latent_data_part(const Model& model, const Dataset& data);

}  // namespace medlar

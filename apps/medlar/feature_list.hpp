// Features in tables and JSON, with all that the model keeps about each: inclusion, coefficient, sd, and where they
// were measured stability, knockoff, probability and cluster. features, stability, train and tune share it.
#pragma once

#include <string_view>
#include <vector>

#include "command.hpp"

namespace medlar::cli {

// By which rule features are selected: the one whose errors are bounded, where it was measured. knockoffs: discovered
// at the rate asked for; stability: stable; else inclusion: above 1/2, which bounds nothing.
std::string_view selection_rule(const Model& model);
Index selected_features(const Model& model);
bool is_selected(const Model& model, std::size_t feature);
bool has_probabilities(const Model& model);

// Indices of features in the order asked for: inclusion, |coefficient|, stability or
// probability from large to small, or by name.
std::vector<std::size_t> sorted_features(const Model& model, const std::string& sort);

std::string feature_table(const Model& model, const std::vector<std::size_t>& features);
Json feature_json(const Model& model, std::size_t feature);
Json clusters_json(const Model& model);

// What the marks of the table mean, and the clusters; empty when the model keeps neither.
std::string trust_remarks(const Model& model);

}  // namespace medlar::cli

// Features in tables and JSON, with all that the model keeps about each: inclusion, coefficient, sd, and, if measured,
// stability, knockoff, probability and cluster. features, stability, train and tune share it.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace medlar::cli {

bool has_probabilities(const Model& model);

// "selected (stable): 3 of 200 features", with the rule by which they are.
std::string selected_text(const Model& model);

// Indices of features in the order asked for: the selected ones first and then by |coefficient|; inclusion,
// |coefficient|, stability or probability from large to small; or by name.
std::vector<std::size_t> sorted_features(const Model& model, const std::string& sort);

// `verbose` adds inclusion and sd, which tell of the prior as much as of the data.
std::string feature_table(const Model& model, const std::vector<std::size_t>& features, bool verbose);
Json feature_json(const Model& model, std::size_t feature);
Json clusters_json(const Model& model);

// What the marks of the table mean, and the clusters; empty when the model keeps neither.
std::string trust_remarks(const Model& model);

}  // namespace medlar::cli

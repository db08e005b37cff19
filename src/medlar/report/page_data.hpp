// The numbers of a report page as JSON: what the script of the page (web/src) reads. web/src/data.ts has the same
// fields as types.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/model.hpp"

namespace medlar {

using PageJson = nlohmann::ordered_json;

// What was fitted, in a sentence.
std::string what_was_fitted(const Model& model);

// A number, or null for what is undefined or infinite.
PageJson page_number(double value);
PageJson page_numbers(const std::vector<double>& values);

// At most `most` of the positions 0 .. size - 1, evenly taken, the first and the last among them.
std::vector<std::size_t> thinned(std::size_t size, std::size_t most);

// The model's part of the page, with at most `top` features.
PageJson model_part(const Model& model, Index top);

// How the model predicts `data`, which has a target.
PageJson data_part(const Model& model, const Dataset& data);

}  // namespace medlar

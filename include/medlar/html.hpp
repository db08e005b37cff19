// One self-contained page about a model: what was fitted, its certificate, its features, and how well it predicts.
#pragma once

#include <string>

#include "medlar/dataset.hpp"
#include "medlar/model.hpp"
#include "medlar/path.hpp"

namespace medlar {

// `data`, if given, was read with the model's schema and has a target, which an anomaly detector can do without. `top`
// is how many features the page has, those of the largest inclusion; it says so when there are more. `path`, if given,
// was fitted with the model's settings, and the page has a slider along it.
std::string html_report(const Model& model, const Dataset* data = nullptr, Index top = 5000,
                        const Path* path = nullptr);

}  // namespace medlar

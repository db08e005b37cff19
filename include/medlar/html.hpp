// One self-contained page about a model: what was fitted, its certificate, its features, and how well it predicts.
#pragma once

#include <string>

#include "medlar/dataset.hpp"
#include "medlar/model.hpp"
#include "medlar/path.hpp"

namespace medlar {

// `data`, if given, must be read with the model's schema and have a target (optional for an anomaly detector). The page
// has the `top` features of largest inclusion, and says so if there are more. `path`, if given, must be fitted with the
// model's settings; the page then has a slider along it.
std::string html_report(const Model& model, const Dataset* data = nullptr, Index top = 5000,
                        const Path* path = nullptr);

}  // namespace medlar

// From a dataset to a certified model.
#pragma once

#include "medlar/model.hpp"
#include "medlar/observer.hpp"

namespace medlar {

// Throws OptionError or DataError for what cannot be fitted; a solve that ended early is told by Model::report.
Model fit(const Dataset& data, const Settings& settings = {}, Observer* observer = nullptr);

}  // namespace medlar

// From a dataset to a certified model.
#pragma once

#include "medlar/model.hpp"
#include "medlar/observer.hpp"

namespace medlar {

// Throws OptionError or DataError for what cannot be fitted; a solve that ended early is told by Model::report.
Model fit(const Dataset& data, const Settings& settings = {}, Observer* observer = nullptr);

// A model of latent labels, fitted again with further examples whose labels are unknown, from where it stands. Its
// transforms stay as they are. Throws OptionError for a model that keeps no examples.
Model transduce(const Model& model, const Dataset& unlabelled, Observer* observer = nullptr);

}  // namespace medlar

// From a dataset to a certified model.
#pragma once

#include <functional>

#include "medlar/model.hpp"
#include "medlar/observer.hpp"

namespace medlar {

// Throws OptionError or DataError for what cannot be fitted; a solve that ended early is told by Model::report. What
// the observer throws, it hears also while data are prepared, ends the fit without a model.
Model fit(const Dataset& data, const Settings& settings = {}, Observer* observer = nullptr);

// A long fit of a linear model (two labels or a real target) that may have to be taken up again.
struct Continuation {
  const Model* from = nullptr;             // goes on from where this fit to the same data ended; p0, c may differ
  std::function<void(const Model&)> keep;  // hears the best model so far, after these seconds and then at
  double first_seconds = 10;               // intervals that double
};
// Throws OptionError for another kind of model, DataError if `from` was fitted to other data.
Model fit(const Dataset& data, const Settings& settings, Observer* observer, const Continuation& continuation);

// A model of latent labels, fitted again with further examples whose labels are unknown, from where it stands. Its
// transforms stay as they are. Throws OptionError for a model that keeps no examples.
Model transduce(const Model& model, const Dataset& unlabelled, Observer* observer = nullptr);

}  // namespace medlar

// From a dataset to a certified model.
#pragma once

#include <functional>

#include "medlar/model.hpp"
#include "medlar/observer.hpp"

namespace medlar {

// Fits a model. Throws OptionError or DataError for what cannot be fitted. Model::report says if the solve ended early.
// The observer is also polled during preparation; an exception it throws aborts the fit without a model.
Model fit(const Dataset& data, const Settings& settings = {}, Observer* observer = nullptr);

// A long fit of a linear model (two labels or a regression) that may have to be continued later.
struct Continuation {
  // Continues from this fit to the same data; p0 and c may differ.
  const Model* from = nullptr;
  // Receives the best model so far, first after first_seconds and then at intervals that double.
  std::function<void(const Model&)> keep;
  double first_seconds = 10;
};
// Throws OptionError for another kind of model, DataError if `from` was fitted to other data.
Model fit(const Dataset& data, const Settings& settings, Observer* observer, const Continuation& continuation);

// Fits a model of latent labels again, with more examples whose labels are unknown, starting from where it stands. Its
// transforms stay as they are. Throws OptionError for a model that keeps no examples.
Model transduce(const Model& model, const Dataset& unlabelled, Observer* observer = nullptr);

}  // namespace medlar

// The parts of a latent fit (docs/theory.md#latent; [MED 7]), each in a file of its own, and what they share.
#pragma once

#include "medlar/models/kinds.hpp"
#include "medlar/prepare/priors.hpp"

namespace medlar {

// settings.latent = labels: examples with a label, with a believed one, or with none.
Model fit_latent_labels(const Dataset& data, const Settings& asked, Observer* observer);

// Fits the examples of model.latent, whose transformed rows are x. The model has its labels, settings and transforms.
// If it was fitted before, the fit starts there. Support counts among the kept examples.
void solve_latent_labels(Model& model, const Matrix& x, const std::vector<std::string>& names, const Grouping& grouping,
                         Observer* observer);

// settings.latent = shifts:R, matrices:FILE, translation:FILE
Model fit_latent_transformation(const Dataset& data, const Settings& asked, Observer* observer);

// settings.latent = alignment:S
Model fit_latent_alignment(const Dataset& data, const Settings& asked, Observer* observer);

// A fit of features without U: linear, or of latent labels where some are missing or only believed.
Model fit_expected(const Dataset& data, const Settings& asked, Observer* observer);

// The rows that have a target; a DataError if there are none.
std::vector<Index> labelled_rows(const Dataset& data);

// Refuses what a latent fit by descent cannot do: a hinge, another solver.
void check_latent_settings(const Settings& settings);

// Sets c and the prior variance. The variance is 1 with selection. Without it, 3 / mean |x|^2, so that scores of random
// coefficients have variance 3 whatever the number of features.
void resolve_latent_scale(Settings& settings, const Matrix& x);
// The same from a dataset that is still to be prepared.
void resolve_latent_scale_of(const Dataset& data, Settings& settings);

}  // namespace medlar

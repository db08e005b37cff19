// The parts of a latent fit (docs/theory.md#latent; [MED 7]), each in a file of its own, and what they share.
#pragma once

#include "medlar/models/kinds.hpp"
#include "medlar/prepare/priors.hpp"

namespace medlar {

// settings.latent = labels: examples with a label, with a believed one, or with none.
Model fit_latent_labels(const Dataset& data, const Settings& asked, Observer* observer);

// Fits the examples of model.latent, whose transformed rows are x; the model holds labels, settings and transforms. A
// model that was fitted before is where the fit starts. Support counts among the examples kept.
void solve_latent_labels(Model& model, const Matrix& x, const std::vector<std::string>& names, const Grouping& grouping,
                         Observer* observer);

// settings.latent = shifts:R, matrices:FILE, translation:FILE
Model fit_latent_transformation(const Dataset& data, const Settings& asked, Observer* observer);

// settings.latent = alignment:S
Model fit_latent_alignment(const Dataset& data, const Settings& asked, Observer* observer);

// A fit of features from which U is gone: linear, or of latent labels where some are missing or only believed.
Model fit_expected(const Dataset& data, const Settings& asked, Observer* observer);

// The rows whose target is there; a DataError if there are none.
std::vector<Index> labelled_rows(const Dataset& data);

// Refuses what no latent fit by descent knows: a hinge, another solver.
void check_latent_settings(const Settings& settings);

// c, and the prior variance: 1 with selection; without it 3 / mean |x|^2, so that the scores of random coefficients
// have variance 3, whatever the number of features.
void resolve_latent_scale(Settings& settings, const Matrix& x);
// The same from a dataset that is still to be prepared.
void resolve_latent_scale_of(const Dataset& data, Settings& settings);

}  // namespace medlar

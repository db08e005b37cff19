// The paper's alternation for transformations and alignments: known labels, a latent U for each example
// (docs/theory.md#latent). Of more than two classes, for each class against all others.
#pragma once

#include "medlar/models/latent/latent_labels.hpp"
#include "medlar/models/latent/variables/transformation_terms.hpp"
#include "medlar/prepare/priors.hpp"

namespace medlar {

// The class and omega of every example that counts, once labels, margin and task of the model are settled.
struct KnownLabels {
  std::vector<Index> rows, y;
  std::vector<double> weight;
};
KnownLabels known_labels_of(const Dataset& data, Model& model);

// Fits and fills in what every model has; returns the typical multiplier of each problem. The features have these
// names. The labels of the terms are set here.
std::vector<double> solve_literal(Model& model, TransformationTerms& terms, const KnownLabels& known,
                                  const std::vector<std::string>& names, const Grouping& grouping, Observer* observer);

// The part has channels, their scale, the number of states and perhaps a chain that was given.
Model fit_literal_alignment(const Dataset& data, const Settings& asked, AlignmentPart part, Observer* observer);

}  // namespace medlar

// The paper's alternation for transformations and alignments: known labels, and a latent U for each example
// (docs/theory.md#latent). With more than two classes, each class is fitted against all others.
#pragma once

#include "medlar/models/latent/latent_labels.hpp"
#include "medlar/models/latent/variables/transformation_terms.hpp"
#include "medlar/prepare/priors.hpp"

namespace medlar {

// The class and omega of every example that counts. Labels, margin and task of the model are settled here.
struct KnownLabels {
  std::vector<Index> rows, y;
  std::vector<double> weight;
};
KnownLabels known_labels_of(const Dataset& data, Model& model);

// Fits, and fills in the fields that every model has. The features have these names. The labels of the terms are set
// here. Returns the typical multiplier of each problem.
std::vector<double> solve_literal(Model& model, TransformationTerms& terms, const KnownLabels& known,
                                  const std::vector<std::string>& names, const Grouping& grouping, Observer* observer);

// The part must have its channels, their scale, the number of states and possibly a given chain.
Model fit_literal_alignment(const Dataset& data, const Settings& asked, AlignmentPart part, Observer* observer);

}  // namespace medlar

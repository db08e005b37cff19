// The states of an alignment: how they are learnt from the signals, and the rows that the discriminant sees.
#pragma once

#include "medlar/alignment.hpp"
#include "medlar/model.hpp"
#include "medlar/models/latent/variables/state_features.hpp"

namespace medlar {

// A chain from a file of S columns: the probabilities of the first state, then those of the next one, state by state.
Chain read_chain(const std::string& path);

// Fills in the chain and the emissions that part.path asks for.
void learn_states(AlignmentPart& part, const std::vector<Sequence>& sequences);

// gamma(tau, s) = P0(u_tau = s | x) of one sequence, already shifted and scaled.
std::vector<double> state_gamma(const AlignmentPart& part, const Sequence& sequence);

// The features of the states for every row. state_feature_count() is their number.
Matrix state_rows(const AlignmentPart& part, const Matrix& x);
Index state_feature_count(const AlignmentPart& part);

}  // namespace medlar

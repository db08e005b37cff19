// The expected alignment of sequences under a latent model of alignment.
#pragma once

#include <string>
#include <vector>

#include "medlar/model.hpp"

namespace medlar {

// For each row, time by time, the probability of every state, given the signal alone: length x states numbers. Throws
// OptionError for a model without alignment.
std::vector<std::vector<double>> expected_alignment(const Model& model, const Matrix& x);

// For each row, time by time, what one unit of each channel adds to the score: length x channels numbers, sum_s
// gamma(tau, s) w_{s,c} over the states. w is the coefficient of the channel's level, divided by the state's share of
// the time. With more than two classes it is the score of the predicted one.
std::vector<std::vector<double>> weights_over_time(const Model& model, const Matrix& x);

// The names of the channels: those of their columns if they have any, else channel1, channel2, ...
std::vector<std::string> channel_names(const Schema& schema, Index channels);

}  // namespace medlar

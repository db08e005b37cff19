// Sequences as the rows of a dataset: feature i is channel i % channels at time i / channels. Where all are of one
// length the matrix is dense; else a row stores every value of its sequence, zeros too, and nothing beyond.
#pragma once

#include <string>
#include <vector>

#include "medlar/dataset.hpp"

namespace medlar {

// values are time by time. Gives x, names, groups and schema.channels; the target is the caller's.
void lay_sequences(const std::vector<std::vector<double>>& sequences, Index channels,
                   const std::vector<std::string>& channel_names, Dataset& data);

// One line per sequence and time becomes one row per sequence: lines of the same id, in the order of time if it is
// given. What stands beside the channels must not change within a sequence.
void fold_sequences(const std::vector<std::string>& id, const std::vector<double>& time, Dataset& data);

}  // namespace medlar

// Sequences as rows of a dataset: feature i is channel i % channels at time i / channels. The matrix is dense if all
// sequences have the same length. Otherwise a row stores every value of its sequence, zeros too, and nothing beyond.
#pragma once

#include <string>
#include <vector>

#include "medlar/dataset.hpp"

namespace medlar {

// Values are time by time. Sets x, names, groups and schema.channels; the caller sets the target.
void lay_sequences(const std::vector<std::vector<double>>& sequences, Index channels,
                   const std::vector<std::string>& channel_names, Dataset& data);

// Turns one line per sequence and time into one row per sequence: lines of the same id, in the order of time if it is
// given. Anything else than the channels must not change within a sequence.
void fold_sequences(const std::vector<std::string>& id, const std::vector<double>& time, Dataset& data);

}  // namespace medlar

// Sequences of several channels as rows of a matrix: feature i is channel i % channels at time i / channels. A row
// stores every value of its sequence, zeros too, and nothing beyond, so that its length is known.
#pragma once

#include <vector>

#include "medlar/matrix.hpp"

namespace medlar {

struct Sequence {
  std::size_t channels = 0;
  std::vector<double> values;  // time by time
  std::size_t length() const { return values.size() / channels; }
  double at(std::size_t tau, std::size_t channel) const { return values[tau * channels + channel]; }
};

// Each value becomes (x - shift[channel]) * factor[channel]; both may be empty.
std::vector<Sequence> sequences_of(const Matrix& x, Index channels, const std::vector<double>& shift,
                                   const std::vector<double>& factor);

}  // namespace medlar

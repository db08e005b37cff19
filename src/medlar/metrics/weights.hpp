// Weights of examples as the metrics take them: none, or one per example.
#pragma once

#include <fmt/format.h>

#include <span>

#include "medlar/error.hpp"

namespace medlar {

inline double weight_at(std::span<const double> weights, std::size_t t) {
  return weights.empty() ? 1 : weights[t];
}

inline void check_lengths(std::size_t predictions, std::size_t targets, std::span<const double> weights) {
  if (predictions != targets || (!weights.empty() && weights.size() != targets)) {
    throw OptionError(fmt::format("{} predictions, {} targets and {} weights do not belong together", predictions,
                                  targets, weights.size()));
  }
  for (const double weight : weights) {
    if (!(weight >= 0)) throw OptionError(fmt::format("a weight is {}, but must be >= 0", weight));
  }
}

}  // namespace medlar

// From left-out scores to probabilities, by curves whose two numbers have a prior. Few examples that the scores
// separate then give no certainty, and many examples decide for themselves.
#pragma once

#include <span>

#include "medlar/model.hpp"

namespace medlar {

// Two labels: log slope ~ t(3) about log usual_slope, intercept ~ N(0, 3^2). Weights count examples: an example that
// was left out r times has the weight 1/r each time. Empty weights count once each. `examples` is how many different
// examples there are; probabilities stay inside [1/(examples + 2), 1 - 1/(examples + 2)].
Recalibration map_platt(std::span<const double> score, std::span<const Index> y, std::span<const double> weights,
                        Index examples, double usual_slope);

// Several labels: one slope with the same prior. `scores` holds the scores of an example one after the other. Equal
// shares have the weight 1/(examples + 1).
Recalibration map_temperature(std::span<const double> scores, std::span<const Index> y, std::span<const double> weights,
                              Index examples, double usual_slope);

}  // namespace medlar

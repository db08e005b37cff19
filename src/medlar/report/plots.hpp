// Pictures of a report as inline SVG.
#pragma once

#include <span>
#include <string>

#include "medlar/metrics.hpp"

namespace medlar {

// A bar whose length is the probability of inclusion.
std::string inclusion_bar(double inclusion);

// The coefficient as a dot and one standard deviation to each side, on an axis that reaches `reach` from zero.
std::string coefficient_whisker(double coefficient, double sd, double reach);

std::string roc_plot(std::span<const RocPoint> curve);

// One dot per example, predicted value against true value. At most 2000 dots, evenly taken.
std::string scatter_plot(std::span<const double> truth, std::span<const Prediction> predicted);

}  // namespace medlar

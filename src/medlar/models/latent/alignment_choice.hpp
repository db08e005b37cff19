// Chooses the states of an alignment, what is measured in them, and the width of the prior over their coefficients: the
// choice with the fewest errors on examples that were left out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "medlar/model.hpp"
#include "medlar/prepare/time_left.hpp"

namespace medlar {

struct AlignmentChoice {
  AlignmentPart part;
  Settings settings;
  std::shared_ptr<const Dataset> features = {};  // kept where there is room, and shared by priors of several widths
  double error = 0;                              // on examples left out, summed over the splits
  Index splits = 0;
  double mean_error() const { return error / static_cast<double>(splits); }
};

// The dataset whose features are those of the states.
Dataset measured(const Dataset& data, const AlignmentPart& part);

// Tries each choice with narrower and wider priors, unless the user gave the width, for up to half of the time.
AlignmentChoice choose_alignment(std::vector<AlignmentChoice> choices, const Dataset& data, const FitTime& time,
                                 std::string& why);

}  // namespace medlar

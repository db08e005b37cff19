// By what an alignment is chosen: fits of features from which U is gone, judged on examples that were left out.
#pragma once

#include "medlar/dataset.hpp"
#include "medlar/settings.hpp"

namespace medlar {

// The share of wrong labels, ties broken by how doubtful they are, or the mean squared error of the value, in the folds
// of the split of this number.
double left_out_error(const Dataset& features, const Settings& tried, Index split);

}  // namespace medlar

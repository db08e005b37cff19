// How an alignment is chosen: fits of features without U, judged on examples that were left out.
#pragma once

#include "medlar/dataset.hpp"
#include "medlar/settings.hpp"

namespace medlar {

// The error over the folds of split number `split`: the share of wrong labels, with ties broken by their doubt, or the
// mean squared error of the value.
double left_out_error(const Dataset& features, const Settings& tried, Index split);

}  // namespace medlar

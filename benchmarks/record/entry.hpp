// One line of the record: how a fit ended, its certificate, and what it found.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/model.hpp"
#include "medlar/path.hpp"

namespace medlar::bench {

using Line = nlohmann::ordered_json;

// Fields of a line: name, status, solver, passes, iterations, J, F, gap, relative_gap, tolerance; bits: a hash of the
// coefficients and biases; norm and head: their length and the first of them; rest: a hash of all other numbers that
// the model keeps; predictions: a hash of what it says of the first examples.
Line line_of(const std::string& name, const Model& model, const Dataset& data);
Line line_of(const std::string& name, const PathStep& step);

// Numbers that no solve has certified, such as scores of folds.
Line line_of(const std::string& name, const std::vector<double>& numbers);

// The status is "refused"; the message says why.
Line line_of_refusal(const std::string& name, const std::string& message);

}  // namespace medlar::bench

// How a model was chosen and how far it can be trusted, in a model file: the parts "tuning", "stability",
// "discoveries", "clusters" and "recalibration". Each is there only if the model has it.
#pragma once

#include "medlar/model.hpp"
#include "medlar/modelfile/json_field.hpp"

namespace medlar {

void write_trust(const Model& model, Json& json);

// The features must have been read before.
void read_trust(const JsonField& top, Model& model);

}  // namespace medlar

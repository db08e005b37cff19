// How a model was chosen and how far it can be trusted, in a model file: the parts "tuning", "stability",
// "discoveries", "clusters" and "recalibration", each there only when the model has it.
#pragma once

#include "medlar/model.hpp"
#include "medlar/modelfile/json_field.hpp"

namespace medlar {

void write_trust(const Model& model, Json& json);

// The features have been read.
void read_trust(const JsonField& top, Model& model);

}  // namespace medlar

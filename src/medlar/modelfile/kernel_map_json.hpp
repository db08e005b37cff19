// Fourier and Nystrom maps in model files.
#pragma once

#include "medlar/model.hpp"
#include "medlar/modelfile/json_field.hpp"

namespace medlar {

void write_map(const Transform& map, Json& entry);

// `inputs` is the number of input features. Every length is checked.
void read_map(const JsonField& field, Index inputs, Transform& map);

}  // namespace medlar

// What a tuned model answers: "answer", "list" and "errors", and "evident" of a linear model that was not tuned. Each
// is there only if the model has it.
#pragma once

#include "medlar/model.hpp"
#include "medlar/modelfile/json_field.hpp"

namespace medlar {

void write_answer(const Model& model, Json& json);
void read_answer(const JsonField& top, Model& model);

}  // namespace medlar

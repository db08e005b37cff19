// The part of a model file that only generative models have.
#pragma once

#include "medlar/model.hpp"
#include "medlar/modelfile/json_field.hpp"

namespace medlar {

Json generative_json(const GenerativePart& part);
GenerativePart generative_from(const JsonField& field);

}  // namespace medlar

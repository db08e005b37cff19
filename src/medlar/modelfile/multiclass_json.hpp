// The part of a model file that only linear models of more than two classes have.
#pragma once

#include "medlar/model.hpp"
#include "medlar/modelfile/json_field.hpp"

namespace medlar {

Json multiclass_json(const MulticlassPart& part, std::size_t features);
MulticlassPart multiclass_from(const JsonField& field, std::size_t features, std::size_t classes);

}  // namespace medlar

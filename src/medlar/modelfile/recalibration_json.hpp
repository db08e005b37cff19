// The curve from score to probability in a model file.
#pragma once

#include "medlar/modelfile/json_field.hpp"
#include "medlar/trust.hpp"

namespace medlar {

Json recalibration_json(const Recalibration& part);
Recalibration recalibration_from(const JsonField& field);

}  // namespace medlar

// The part of a model file that only a tuned model has: every candidate of the cross-validation.
#pragma once

#include "medlar/model.hpp"
#include "medlar/model/json_field.hpp"

namespace medlar {

Json tuning_json(const Tuning& tuning);
Tuning tuning_from(const JsonField& field);

}  // namespace medlar

// What was tried to choose a model's settings, in a model file.
#pragma once

#include <optional>
#include <vector>

#include "medlar/modelfile/json_field.hpp"
#include "medlar/tuning.hpp"

namespace medlar {

Json numbers_json(const std::vector<double>& values);

// null if there is no value.
Json optional_number(const std::optional<double>& value);
std::optional<double> optional_from(const JsonField& field, const char* name);

Json tuning_json(const Tuning& tuning);
Tuning tuning_from(const JsonField& field);

}  // namespace medlar

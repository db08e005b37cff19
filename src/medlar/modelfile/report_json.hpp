// How a solve ended, in a model file.
#pragma once

#include "medlar/modelfile/json_field.hpp"
#include "medlar/report.hpp"

namespace medlar {

Json report_json(const Report& report);
Report report_from(const JsonField& field);

}  // namespace medlar

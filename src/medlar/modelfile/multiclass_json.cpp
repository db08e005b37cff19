// Coefficients have one line per feature, with one number per class.
#include "medlar/modelfile/multiclass_json.hpp"

#include <fmt/format.h>

namespace medlar {

Json multiclass_json(const MulticlassPart& part, std::size_t features) {
  const std::size_t classes = part.class_bias.size();
  Json bias = Json::array(), rows = Json::array();
  for (const double each : part.class_bias) bias.push_back(json_number(each));
  for (std::size_t i = 0; i < features; ++i) {
    Json row = Json::array();
    for (std::size_t k = 0; k < classes; ++k) row.push_back(json_number(part.coefficient[i * classes + k]));
    rows.push_back(std::move(row));
  }
  return {{"class_bias", std::move(bias)}, {"coefficients", std::move(rows)}};
}

MulticlassPart multiclass_from(const JsonField& field, std::size_t features, std::size_t classes) {
  MulticlassPart part;
  part.class_bias = field.at("class_bias").finites();
  if (part.class_bias.size() != classes) {
    field.at("class_bias").refuse(fmt::format("has {} values for {} labels", part.class_bias.size(), classes));
  }
  const auto rows = field.at("coefficients").items();
  if (rows.size() != features) {
    field.at("coefficients").refuse(fmt::format("has {} rows for {} features", rows.size(), features));
  }
  for (const JsonField& row : rows) {
    const std::vector<double> values = row.finites();
    if (values.size() != classes) row.refuse(fmt::format("has {} values for {} labels", values.size(), classes));
    part.coefficient.insert(part.coefficient.end(), values.begin(), values.end());
  }
  return part;
}

}  // namespace medlar

// Model to JSON: {"format": "medlar-model", "version": 1, ...}, one feature per line. deserialise.cpp reads it back.
#include <fmt/format.h>

#include "medlar/io.hpp"
#include "medlar/model.hpp"
#include "medlar/modelfile/answer_json.hpp"
#include "medlar/modelfile/generative_json.hpp"
#include "medlar/modelfile/json_text.hpp"
#include "medlar/modelfile/kernel_map_json.hpp"
#include "medlar/modelfile/multiclass_json.hpp"
#include "medlar/modelfile/report_json.hpp"
#include "medlar/modelfile/trust_json.hpp"
#include "medlar/models/kernel/kernel_part.hpp"
#include "medlar/models/latent/latent_part.hpp"
#include "medlar/options/option_text.hpp"

namespace medlar {
namespace {

Json texts(const std::vector<std::string>& values) {
  Json list = Json::array();
  for (const std::string& value : values) list.push_back(escaped(value));
  return list;
}

Json plain(double value) {
  return json_number(value);
}
Json plain(const std::string& value) {
  return escaped(value);
}

template <class Value>
Json by_feature(const ByFeature<Value>& given) {
  Json values = Json::array();
  for (const auto& [name, value] : given.entries) values.push_back(Json::array({escaped(name), plain(value)}));
  return {{"source", escaped(given.source)}, {"values", std::move(values)}};
}

// A number where the option is one, so that other programs need not parse text.
Json option_json(const Option& option, const Settings& settings) {
  const std::string text = option.get(settings);
  if (option.numeric) {
    const auto whole = integer_in(text);
    if (whole && fmt::format("{}", *whole) == text) return *whole;
    if (const auto value = number_in(text)) return json_number(*value);
  }
  return escaped(text);
}

// Values by feature are written themselves, because the file they came from may be gone.
Json settings_json(const Settings& settings) {
  Json object = Json::object();
  for (const Option& option : options()) object[std::string(option.name)] = option_json(option, settings);
  if (!settings.feature_p0.empty()) object["feature-priors"] = by_feature(settings.feature_p0);
  if (!settings.feature_prior_variance.empty()) {
    object["feature-prior-variance"] = by_feature(settings.feature_prior_variance);
  }
  if (!settings.prior_mean.empty()) object["prior-mean"] = by_feature(settings.prior_mean);
  if (settings.groups == GroupsKind::file) object["groups"] = by_feature(settings.feature_group);
  return object;
}

Json schema_json(const Schema& schema) {
  Json columns = Json::array();
  for (const ColumnSchema& column : schema.columns) {
    Json entry = {{"name", escaped(column.name)}};
    if (column.categorical()) entry["levels"] = texts(column.levels);
    if (column.other) entry["other"] = true;
    if (column.fill) entry["fill"] = json_number(*column.fill);
    if (column.open) entry["open"] = true;
    columns.push_back(std::move(entry));
  }
  Json object = {{"format", escaped(schema.format)},
                 {"target", escaped(schema.target)},
                 {"weights", escaped(schema.weights)},
                 {"features", schema.features},
                 {"columns", std::move(columns)}};
  if (schema.file_columns > 0) object["file_columns"] = schema.file_columns;
  if (!schema.sequence_id.empty()) object["sequence_id"] = escaped(schema.sequence_id);
  if (!schema.time.empty()) object["time"] = escaped(schema.time);
  if (schema.channels > 0) object["channels"] = schema.channels;
  if (!schema.beliefs.empty()) object["beliefs"] = escaped(schema.beliefs);
  if (!schema.indices.empty()) object["indices"] = schema.indices;
  return object;
}

Json transforms_json(const std::vector<Transform>& transforms) {
  Json list = Json::array();
  for (const Transform& transform : transforms) {
    Json entry = {{"kind", word_of(transform.kind)}};
    if (!transform.factors.empty()) entry["factors"] = transform.factors;
    if (!transform.shift.empty()) entry["shift"] = json_numbers(transform.shift);
    if (!transform.factor.empty()) entry["factor"] = json_numbers(transform.factor);
    if (transform.inputs > 0) write_map(transform, entry);
    list.push_back(std::move(entry));
  }
  return list;
}

Json features_json(const std::vector<Feature>& features) {
  Json list = Json::array();
  for (const Feature& feature : features) {
    Json entry = {{"name", escaped(feature.name)},
                  {"inclusion", json_number(feature.inclusion)},
                  {"coefficient", json_number(feature.coefficient)},
                  {"sd", json_number(feature.sd)}};
    if (feature.group >= 0) entry["group"] = feature.group;
    if (feature.kept) entry["kept"] = true;
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::string to_json(const Model& model) {
  Json json = {{"format", "medlar-model"},
               {"version", 1},
               {"task", word_of(model.task)},
               {"labels", texts(model.labels)},
               {"settings", settings_json(model.settings)},
               {"schema", schema_json(model.schema)},
               {"transforms", transforms_json(model.transforms)},
               {"features", features_json(model.features)},
               {"group_names", texts(model.group_names)},
               {"bias", json_number(model.bias)},
               {"bias_sd", json_number(model.bias_sd)},
               {"typical_sd", json_number(model.typical_sd)},
               {"examples", model.examples},
               {"support", model.support},
               {"multipliers", json_numbers(model.multipliers)},
               {"report", report_json(model.report)}};
  if (model.kernel) json["kernel"] = kernel_json(*model.kernel);
  if (model.multiclass) json["multiclass"] = multiclass_json(*model.multiclass, model.features.size());
  if (model.generative) json["generative"] = generative_json(*model.generative);
  if (model.latent) json["latent"] = latent_json(*model.latent);
  write_trust(model, json);
  write_answer(model, json);
  return laid_out(json);
}

void save_model(const Model& model, const std::string& path) {
  write_file_atomically(path, to_json(model));
}

}  // namespace medlar

// JSON to model. Every field is checked for presence, type, range and length before it is believed.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>

#include "medlar/error.hpp"
#include "medlar/model.hpp"
#include "medlar/modelfile/answer_json.hpp"
#include "medlar/modelfile/generative_json.hpp"
#include "medlar/modelfile/json_field.hpp"
#include "medlar/modelfile/kernel_map_json.hpp"
#include "medlar/modelfile/multiclass_json.hpp"
#include "medlar/modelfile/report_json.hpp"
#include "medlar/modelfile/trust_json.hpp"
#include "medlar/models/generative/generative.hpp"
#include "medlar/models/kernel/kernel_part.hpp"
#include "medlar/models/latent/latent_features.hpp"
#include "medlar/models/latent/latent_part.hpp"
#include "medlar/options/vocabulary.hpp"

namespace medlar {
namespace {

constexpr Index newest_version = 1;
constexpr Index many = std::numeric_limits<Index>::max();

double value_of(const JsonField& field, double) {
  return field.finite();
}
std::string value_of(const JsonField& field, const std::string&) {
  return field.text();
}

template <class Value>
ByFeature<Value> by_feature(const JsonField& field) {
  ByFeature<Value> given{field.at("source").text(), {}, {}};
  for (const JsonField& entry : field.at("values").items()) {
    const auto pair = entry.items();
    if (pair.size() != 2) entry.refuse("must be a name and a value");
    given.entries.emplace_back(pair[0].text(), value_of(pair[1], Value{}));
  }
  return given;
}

Settings settings_from(const JsonField& field) {
  Settings settings;
  for (const std::string& name : field.keys()) {
    const JsonField entry = field.at(name);
    if (entry.is_object() && name == "feature-priors") {
      settings.feature_p0 = by_feature<double>(entry);
    } else if (entry.is_object() && name == "feature-prior-variance") {
      settings.feature_prior_variance = by_feature<double>(entry);
    } else if (entry.is_object() && name == "prior-mean") {
      settings.prior_mean = by_feature<double>(entry);
    } else if (entry.is_object() && name == "groups") {
      settings.feature_group = by_feature<std::string>(entry);
      settings.groups = GroupsKind::file;
    } else {
      const std::string text = entry.number_or_text();
      try {
        set_option(settings, name, text);
      } catch (const Error& error) {
        entry.refuse(fmt::format("cannot be used: {}", error.what()));
      }
    }
  }
  return settings;
}

void check_size(const JsonField& field, std::size_t size, Index wanted, const char* of_what) {
  if (static_cast<Index>(size) != wanted) field.refuse(fmt::format("has {} values for {} {}", size, wanted, of_what));
}

Schema schema_from(const JsonField& field) {
  Schema schema;
  schema.format = field.at("format").text();
  schema.target = field.at("target").text();
  schema.weights = field.at("weights").text();
  if (field.has("file_columns")) schema.file_columns = field.at("file_columns").count();
  if (field.has("sequence_id")) schema.sequence_id = field.at("sequence_id").text();
  if (field.has("time")) schema.time = field.at("time").text();
  if (field.has("channels")) schema.channels = field.at("channels").count();
  if (field.has("beliefs")) schema.beliefs = field.at("beliefs").text();
  schema.features = field.at("features").count();
  if (field.has("indices")) {
    const JsonField indices = field.at("indices");
    Index previous = 0;
    for (const JsonField& entry : indices.items()) {
      const Index index = entry.integer(1, many);
      if (index <= previous) entry.refuse(fmt::format("follows {}; indices increase", previous));
      schema.indices.push_back(previous = index);
    }
    check_size(indices, schema.indices.size(), schema.features, "features");
  }
  Index made = 0;
  for (const JsonField& entry : field.at("columns").items()) {
    ColumnSchema column;
    column.name = entry.at("name").text();
    if (entry.has("levels")) column.levels = entry.at("levels").texts();
    if (entry.has("fill")) column.fill = entry.at("fill").finite();
    column.open = entry.has("open");
    column.other = entry.has("other");
    made += column.categorical() ? static_cast<Index>(column.levels.size()) : 1;
    schema.columns.push_back(std::move(column));
  }
  std::set<std::string_view> names;
  for (const ColumnSchema& column : schema.columns) {
    if (names.insert(column.name).second) continue;
    field.refuse(fmt::format("has two columns '{}'", column.name));
  }
  for (const std::string& role : {schema.target, schema.weights, schema.beliefs, schema.sequence_id, schema.time}) {
    if (names.contains(role)) field.refuse(fmt::format("has '{}' as a feature and in another role", role));
  }
  if (!schema.columns.empty() && schema.channels == 0 && made != schema.features) {
    field.refuse(fmt::format("has columns that make {} features, but says {}", made, schema.features));
  }
  return schema;
}

// Reads one transform of `inputs` features, and sets `inputs` to the number of its outputs.
Transform transform_from(const JsonField& field, Index& inputs) {
  Transform transform;
  transform.kind = field.at("kind").word(
      {TransformKind::expand, TransformKind::scale, TransformKind::fourier, TransformKind::nystrom});
  if (transform.kind == TransformKind::expand) {
    for (const JsonField& product : field.at("factors").items()) {
      auto& factors = transform.factors.emplace_back();
      for (const JsonField& input : product.items()) factors.push_back(input.integer(0, inputs - 1));
      if (factors.empty()) product.refuse("names no feature");
    }
    inputs = static_cast<Index>(transform.factors.size());
  } else if (transform.kind == TransformKind::scale) {
    if (field.has("shift")) {
      transform.shift = field.at("shift").finites();
      check_size(field.at("shift"), transform.shift.size(), inputs, "features");
    }
    transform.factor = field.at("factor").finites();
    check_size(field.at("factor"), transform.factor.size(), inputs, "features");
    if (std::find(transform.factor.begin(), transform.factor.end(), 0.0) != transform.factor.end()) {
      field.at("factor").refuse("has a 0, which would take a feature away");
    }
  } else {
    read_map(field, inputs, transform);
    inputs = transform.outputs();
  }
  return transform;
}

Feature feature_from(const JsonField& field, Index groups) {
  Feature feature;
  feature.name = field.at("name").text();
  feature.inclusion = field.at("inclusion").at_least(0);
  if (feature.inclusion > 1) field.at("inclusion").refuse(fmt::format("is {}, but must be <= 1", feature.inclusion));
  feature.coefficient = field.at("coefficient").finite();
  feature.sd = field.at("sd").at_least(0);
  if (field.has("kept")) feature.kept = field.at("kept").yes();
  if (field.has("group")) feature.group = field.at("group").integer(0, groups - 1);
  return feature;
}

void read_labels(const JsonField& top, Model& model) {
  model.task = top.at("task").word({Task::classify, Task::regress, Task::anomaly});
  model.labels = top.at("labels").texts();
  if (std::set<std::string>(model.labels.begin(), model.labels.end()).size() != model.labels.size()) {
    top.at("labels").refuse("has the same label twice");
  }
  const bool regress = model.task == Task::regress, several = model.task == Task::classify && model.labels.size() > 2;
  if (!several && model.labels.size() != (regress ? 0 : 2)) {
    top.at("labels").refuse(
        fmt::format("has {} labels, but must have {} to {}", model.labels.size(), regress ? "0" : "2", model.task));
  }
}

// Features of the file itself are named by their indices.
void check_names(const JsonField& schema, const Model& model) {
  const std::vector<Index>& indices = model.schema.indices;
  const bool changed = std::any_of(model.transforms.begin(), model.transforms.end(),
                                   [](const Transform& each) { return each.kind != TransformKind::scale; });
  if (indices.size() != model.features.size() || changed || model.settings.model == ModelKind::latent) return;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (model.features[i].name == std::to_string(indices[i])) continue;
    schema.refuse(fmt::format("has index {} for feature '{}'", indices[i], model.features[i].name));
  }
}

void read_features(const JsonField& top, Model& model) {
  model.schema = schema_from(top.at("schema"));
  Index made = latent_feature_count(model, model.schema.features);
  for (const JsonField& entry : top.at("transforms").items()) model.transforms.push_back(transform_from(entry, made));
  model.group_names = top.at("group_names").texts();
  const auto entries = top.at("features").items();
  if (model.settings.model == ModelKind::kernel) made = 0;  // it has support vectors instead
  check_size(top.at("features"), entries.size(), made, "features of the schema and its transforms");
  for (const JsonField& entry : entries) {
    model.features.push_back(feature_from(entry, static_cast<Index>(model.group_names.size())));
  }
  check_names(top.at("schema"), model);
  model.bias = top.at("bias").finite();
  model.bias_sd = top.at("bias_sd").at_least(0);
  if (top.has("typical_sd")) model.typical_sd = top.at("typical_sd").at_least(0);
}

void read_support(const JsonField& top, Model& model) {
  model.examples = top.at("examples").count();
  for (const JsonField& entry : top.at("support").items()) {
    model.support.push_back(entry.integer(0, model.examples - 1));
  }
  model.multipliers = top.at("multipliers").finites();
  check_size(top.at("multipliers"), model.multipliers.size(), static_cast<Index>(model.support.size()),
             "examples of support");
}

}  // namespace

Model model_from_json(std::string_view text, const std::string& source) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw DataError(
        fmt::format("{}: this is no model file, for it is not JSON: its text errs or breaks off after {} of {} "
                    "bytes",
                    source, error.byte > 0 ? error.byte - 1 : 0, text.size()));
  } catch (const Json::exception&) {
    throw DataError(fmt::format("{}: this is no model file, for it holds a number too large for a double", source));
  }
  const JsonField top(json, source, "");
  if (!top.has("format") || json["format"] != "medlar-model") {
    throw DataError(
        fmt::format("{}: this is no model file: it must be a JSON object with \"format\": \"medlar-model\"", source));
  }
  const Index version = top.at("version").integer(1, many);
  if (version > newest_version) {
    top.at("version").refuse(
        fmt::format("is {}, but this medlar reads up to {}; use a newer medlar", version, newest_version));
  }
  Model model;
  read_labels(top, model);
  model.settings = settings_from(top.at("settings"));
  if (top.has("latent")) model.latent = latent_from(top.at("latent"), model.labels.size());
  if (model.settings.model == ModelKind::latent && !model.latent)
    top.refuse("has no latent part, but its model is latent");
  read_features(top, model);
  read_support(top, model);
  if (model.settings.model == ModelKind::kernel) model.kernel = kernel_part_from(top.at("kernel"), model);
  model.report = report_from(top.at("report"));
  if (model.task == Task::classify && model.labels.size() > 2 && !top.has("multiclass") && !top.has("generative") &&
      !model.kernel) {
    top.refuse(fmt::format("has {} labels, but no part \"multiclass\" or \"generative\" with a score for each",
                           model.labels.size()));
  }
  if (top.has("multiclass")) {
    model.multiclass = multiclass_from(top.at("multiclass"), model.features.size(), model.labels.size());
  }
  if (top.has("generative")) {
    model.generative = generative_from(top.at("generative"));
    leave_open(model);  // which files of earlier versions do not say
    const std::size_t classes = model.task == Task::anomaly ? 1 : model.labels.size();
    check_size(top.at("generative").at("class_bias"), model.generative->class_bias.size(), static_cast<Index>(classes),
               "classes");
  }
  if (model.task == Task::anomaly) {
    const JsonField part = top.at("generative");
    check_size(part.at("typical"), model.generative->typical.size(), std::ssize(model.features), "features");
  }
  read_trust(top, model);
  read_answer(top, model);
  return model;
}

Model load_model(const std::string& path) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) {
    throw DataError(fmt::format("{}: this is a folder; name the model file in it", path));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw DataError(fmt::format("{}: cannot open the model: {}", path, std::strerror(errno)));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) throw DataError(fmt::format("{}: cannot read the model: {}", path, std::strerror(errno)));
  return model_from_json(text, path);
}

}  // namespace medlar

#include "medlar/modelfile/answer_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "medlar/modelfile/recalibration_json.hpp"
#include "medlar/modelfile/tuning_json.hpp"

namespace medlar {
namespace {

Json score_json(const LeftOutScore& score) {
  return {{"error", json_number(score.error)}, {"loss", json_number(score.loss)}};
}
LeftOutScore score_from(const JsonField& field) {
  return {field.at("error").number(), field.at("loss").number()};
}

Json errors_json(const LeftOutErrors& errors) {
  return {{"examples", errors.examples}, {"sorted", numbers_json(errors.sorted)}};
}
LeftOutErrors errors_from(const JsonField& field) {
  LeftOutErrors errors{field.at("examples").count(), field.at("sorted").finites()};
  if (std::ssize(errors.sorted) > errors.examples) field.at("sorted").refuse("has more errors than examples");
  for (std::size_t k = 0; k < errors.sorted.size(); ++k) {
    if (errors.sorted[k] < 0 || (k > 0 && errors.sorted[k] < errors.sorted[k - 1])) {
      field.at("sorted").refuse("must rise from a number >= 0");
    }
  }
  return errors;
}

std::vector<Index> places_from(const JsonField& field, std::size_t features) {
  std::vector<Index> places;
  std::vector<bool> seen(features, false);
  for (const JsonField& entry : field.items()) {
    places.push_back(entry.integer(0, static_cast<Index>(features) - 1));
    if (seen[static_cast<std::size_t>(places.back())]) entry.refuse("names a feature twice");
    seen[static_cast<std::size_t>(places.back())] = true;
  }
  return places;
}

Json answer_json(const LeftOutAnswer& answer) {
  return {{"predictor", score_json(answer.predictor)},
          {"nothing", score_json(answer.nothing)},
          {"gain", json_number(answer.gain)},
          {"gain_error", json_number(answer.gain_error)},
          {"examples", answer.examples},
          {"folds", answer.folds},
          {"repeats", answer.repeats}};
}
LeftOutAnswer answer_from(const JsonField& field) {
  return {score_from(field.at("predictor")), score_from(field.at("nothing")), field.at("gain").number(),
          field.at("gain_error").number(),   field.at("examples").count(),    field.at("folds").count(),
          field.at("repeats").count()};
}

Json list_json(const FeatureList& list) {
  Json curve = Json::array();
  for (const ListStep& step : list.curve) {
    Json entry = score_json(step.score);
    entry["features"] = step.features;
    entry["behind"] = json_number(step.behind);
    entry["standard_error"] = json_number(step.standard_error);
    curve.push_back(std::move(entry));
  }
  Json json = {{"features", list.features},
               {"coefficient", numbers_json(list.coefficient)},
               {"bias", numbers_json(list.bias)},
               {"made_by", word_of(list.made_by)},
               {"reference_p0", json_number(list.reference_p0)},
               {"reference_variance", optional_number(list.reference_variance)},
               {"ridge", json_number(list.ridge)},
               {"share_of_targets", json_number(list.share_of_targets)},
               {"score", score_json(list.score)},
               {"cost", json_number(list.cost)},
               {"cost_error", json_number(list.cost_error)},
               {"curve", std::move(curve)}};
  if (list.recalibration) json["recalibration"] = recalibration_json(*list.recalibration);
  if (list.errors) json["errors"] = errors_json(*list.errors);
  return json;
}

FeatureList list_from(const JsonField& field, const Model& model) {
  FeatureList list;
  list.features = places_from(field.at("features"), model.features.size());
  list.coefficient = field.at("coefficient").finites();
  list.bias = field.at("bias").finites();
  const std::size_t outputs = model.multiclass ? model.labels.size() : 1;
  if (list.bias.size() != outputs) field.at("bias").refuse(fmt::format("must hold {} numbers", outputs));
  if (list.coefficient.size() != outputs * list.features.size()) {
    field.at("coefficient").refuse(fmt::format("must hold {} numbers", outputs * list.features.size()));
  }
  list.made_by =
      field.at("made_by").word({ListMaker::projection, ListMaker::blend, ListMaker::refit, ListMaker::candidate});
  list.reference_p0 = field.at("reference_p0").finite();
  list.reference_variance = optional_from(field, "reference_variance");
  list.ridge = field.at("ridge").finite();
  list.share_of_targets = field.at("share_of_targets").finite();
  list.score = score_from(field.at("score"));
  list.cost = field.at("cost").number();
  list.cost_error = field.at("cost_error").number();
  for (const JsonField& step : field.at("curve").items()) {
    list.curve.push_back({step.at("features").count(), score_from(step), step.at("behind").number(),
                          step.at("standard_error").number()});
  }
  if (field.has("recalibration")) list.recalibration = recalibration_from(field.at("recalibration"));
  if (field.has("errors")) list.errors = errors_from(field.at("errors"));
  return list;
}

}  // namespace

void write_answer(const Model& model, Json& json) {
  if (model.answer) json["answer"] = answer_json(*model.answer);
  if (model.list) json["list"] = list_json(*model.list);
  if (model.errors) json["errors"] = errors_json(*model.errors);
  if (model.evident) json["evident"] = *model.evident;
}

void read_answer(const JsonField& top, Model& model) {
  if (top.has("answer")) model.answer = answer_from(top.at("answer"));
  if (top.has("list")) model.list = list_from(top.at("list"), model);
  if (top.has("errors")) model.errors = errors_from(top.at("errors"));
  if (!top.has("evident")) return;
  model.evident = places_from(top.at("evident"), model.features.size());
  if (!std::is_sorted(model.evident->begin(), model.evident->end())) top.at("evident").refuse("must rise");
}

}  // namespace medlar

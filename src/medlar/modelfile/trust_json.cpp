#include "medlar/modelfile/trust_json.hpp"

#include <fmt/format.h>

#include "medlar/modelfile/recalibration_json.hpp"
#include "medlar/modelfile/report_json.hpp"
#include "medlar/modelfile/tuning_json.hpp"

namespace medlar {
namespace {

std::vector<double> one_per_feature(const JsonField& field, std::size_t features) {
  std::vector<double> values = field.finites();
  if (values.size() != features) field.refuse(fmt::format("has {} values for {} features", values.size(), features));
  return values;
}

Json stability_json(const Stability& part) {
  return {{"refits", part.refits},
          {"share", part.share},
          {"top", part.top},
          {"different", part.different},
          {"threshold", part.threshold},
          {"chosen", part.chosen},
          {"false_bound", optional_number(part.false_bound)},
          {"fraction", numbers_json(part.fraction)}};
}

Stability stability_from(const JsonField& field, std::size_t features) {
  Stability part;
  part.refits = field.at("refits").count();
  part.share = field.at("share").finite();
  part.top = field.at("top").count();
  part.different = field.at("different").count();
  part.threshold = field.at("threshold").finite();
  part.chosen = field.at("chosen").finite();
  part.false_bound = optional_from(field, "false_bound");
  part.fraction = one_per_feature(field.at("fraction"), features);
  return part;
}

Json discoveries_json(const Discoveries& part) {
  return {{"fdr", part.fdr},
          {"construction", word_of(part.construction)},
          {"threshold", json_number(part.threshold)},
          {"statistic", numbers_json(part.statistic)},
          {"probability", numbers_json(part.probability)},
          {"units", part.units},
          {"expected", part.expected},
          {"draws", part.draws},
          {"report", report_json(part.report)}};
}

Discoveries discoveries_from(const JsonField& field, std::size_t features) {
  Discoveries part;
  part.fdr = field.at("fdr").finite();
  part.construction = field.at("construction").word({KnockoffKind::gaussian, KnockoffKind::markov});
  part.threshold = field.at("threshold").number();
  part.statistic = one_per_feature(field.at("statistic"), features);
  part.probability = one_per_feature(field.at("probability"), features);
  part.units = field.at("units").count();
  part.expected = field.at("expected").at_least(0);
  part.draws = field.at("draws").count();
  part.report = report_from(field.at("report"));
  return part;
}

Json clusters_json(const Clusters& part) {
  Json list = Json::array();
  for (const Cluster& cluster : part.list) {
    list.push_back({{"inclusion", cluster.inclusion},
                    {"coefficient", json_number(cluster.coefficient)},
                    {"members", cluster.members}});
  }
  return {{"correlation", part.correlation}, {"list", std::move(list)}};
}

Clusters clusters_from(const JsonField& field, std::size_t features) {
  Clusters part;
  part.correlation = field.at("correlation").finite();
  for (const JsonField& entry : field.at("list").items()) {
    Cluster cluster{{}, entry.at("inclusion").at_least(0), entry.at("coefficient").finite()};
    for (const JsonField& member : entry.at("members").items()) {
      cluster.members.push_back(member.integer(0, static_cast<Index>(features) - 1));
    }
    if (cluster.members.size() < 2) entry.at("members").refuse("names fewer than two features");
    part.list.push_back(std::move(cluster));
  }
  return part;
}

}  // namespace

void write_trust(const Model& model, Json& json) {
  if (model.recalibration) json["recalibration"] = recalibration_json(*model.recalibration);
  if (model.tuning) json["tuning"] = tuning_json(*model.tuning);
  if (model.stability) json["stability"] = stability_json(*model.stability);
  if (model.discoveries) json["discoveries"] = discoveries_json(*model.discoveries);
  if (model.clusters) json["clusters"] = clusters_json(*model.clusters);
}

void read_trust(const JsonField& top, Model& model) {
  const std::size_t features = model.features.size();
  if (top.has("recalibration")) model.recalibration = recalibration_from(top.at("recalibration"));
  if (top.has("tuning")) model.tuning = tuning_from(top.at("tuning"));
  if (top.has("stability")) model.stability = stability_from(top.at("stability"), features);
  if (top.has("discoveries")) model.discoveries = discoveries_from(top.at("discoveries"), features);
  if (top.has("clusters")) model.clusters = clusters_from(top.at("clusters"), features);
}

}  // namespace medlar

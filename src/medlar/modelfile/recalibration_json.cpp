// A curve must rise, or an edited file would order examples differently from their scores.
#include "medlar/modelfile/recalibration_json.hpp"

#include <fmt/format.h>

#include <limits>

#include "medlar/modelfile/tuning_json.hpp"

namespace medlar {
namespace {

constexpr Index kAny = std::numeric_limits<Index>::max();

Json reliability_json(const Reliability& part) {
  Json bins = Json::array();
  for (const CalibrationBin& bin : part.bins) {
    bins.push_back({{"low", bin.low},
                    {"high", bin.high},
                    {"examples", bin.examples},
                    {"predicted", bin.predicted},
                    {"observed", bin.observed},
                    {"standard_error", bin.standard_error}});
  }
  return {{"brier", part.brier}, {"log_loss", part.log_loss}, {"error", part.error}, {"bins", std::move(bins)}};
}

Reliability reliability_from(const JsonField& field) {
  Reliability part{field.at("brier").finite(), field.at("log_loss").finite(), field.at("error").finite(), {}};
  for (const JsonField& bin : field.at("bins").items()) {
    part.bins.push_back({bin.at("low").finite(), bin.at("high").finite(), bin.at("examples").count(),
                         bin.at("predicted").finite(), bin.at("observed").finite(), bin.at("standard_error").finite()});
  }
  return part;
}

}  // namespace

Json recalibration_json(const Recalibration& part) {
  Json json = {{"kind", word_of(part.kind)}, {"folds", part.folds}};
  if (part.kind != CurveKind::isotonic) {
    json["slope"] = json_number(part.slope);
    json["intercept"] = json_number(part.intercept);
    if (part.kind == CurveKind::folds) json["floor"] = json_number(part.floor);
  } else {
    json["score"] = numbers_json(part.score);
    json["probability"] = numbers_json(part.probability);
  }
  json["before"] = reliability_json(part.before);
  json["after"] = reliability_json(part.after);
  return json;
}

Recalibration recalibration_from(const JsonField& field) {
  Recalibration part;
  part.kind = field.at("kind").word({CurveKind::platt, CurveKind::isotonic, CurveKind::folds});
  part.folds = field.at("folds").integer(0, kAny);
  if (part.kind != CurveKind::isotonic) {
    part.slope = field.at("slope").at_least(0);
    part.intercept = field.at("intercept").finite();
    if (part.kind == CurveKind::folds) {
      part.floor = field.at("floor").at_least(0);
      if (part.floor > 0.5) field.at("floor").refuse("must be at most 0.5");
    }
  } else {
    part.score = field.at("score").finites();
    part.probability = field.at("probability").finites();
    if (part.score.empty() || part.score.size() != part.probability.size()) {
      field.at("probability")
          .refuse(fmt::format("has {} values for {} scores", part.probability.size(), part.score.size()));
    }
    for (std::size_t k = 0; k < part.score.size(); ++k) {
      const bool rises =
          k == 0 || (part.score[k] > part.score[k - 1] && part.probability[k] >= part.probability[k - 1]);
      if (!rises || part.probability[k] < 0 || part.probability[k] > 1) {
        field.refuse("must rise with the score, from probabilities >= 0 to probabilities <= 1");
      }
    }
  }
  part.before = reliability_from(field.at("before"));
  part.after = reliability_from(field.at("after"));
  return part;
}

}  // namespace medlar

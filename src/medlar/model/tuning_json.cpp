// See the header. The fields are those of `medlar tune --json`.
#include "medlar/model/tuning_json.hpp"

namespace medlar {
namespace {

Json if_given(const std::optional<double>& value) {
  return value ? json_number(*value) : Json(nullptr);
}

std::optional<double> finite_if_given(const JsonField& field) {
  return field.is_number() ? std::optional<double>(field.finite()) : std::nullopt;
}

TuneScore score_from(const JsonField& field) {
  TuneScore score;
  TuneCandidate& candidate = score.candidate;
  candidate.p0 = field.at("p0").finite();
  candidate.c = finite_if_given(field.at("c"));
  candidate.prior_variance = finite_if_given(field.at("prior_variance"));
  if (field.at("kept").is_number()) candidate.kept = field.at("kept").count();
  score.mean = field.at("mean").finite();
  score.standard_error = field.at("standard_error").number();  // of one fold it is undefined
  score.folds = field.at("folds").finites();
  score.selected = field.at("selected").at_least(0);
  score.converged = field.at("converged").yes();
  return score;
}

}  // namespace

Json tuning_json(const Tuning& tuning) {
  Json candidates = Json::array();
  for (const TuneScore& score : tuning.scores) {
    Json folds = Json::array();
    for (const double each : score.folds) folds.push_back(json_number(each));
    candidates.push_back({{"p0", json_number(score.candidate.p0)},
                          {"c", if_given(score.candidate.c)},
                          {"prior_variance", if_given(score.candidate.prior_variance)},
                          {"kept", score.candidate.kept ? Json(*score.candidate.kept) : Json(nullptr)},
                          {"mean", json_number(score.mean)},
                          {"standard_error", json_number(score.standard_error)},
                          {"folds", std::move(folds)},
                          {"selected", json_number(score.selected)},
                          {"converged", score.converged}});
  }
  return {{"metric", escaped(tuning.metric)},
          {"higher_is_better", tuning.higher_is_better},
          {"folds", tuning.folds},
          {"repeats", tuning.repeats},
          {"best", tuning.best},
          {"one_se", tuning.one_se},
          {"chosen", tuning.chosen},
          {"interrupted", tuning.interrupted},
          {"candidates", std::move(candidates)}};
}

Tuning tuning_from(const JsonField& field) {
  Tuning tuning;
  tuning.metric = field.at("metric").text();
  tuning.higher_is_better = field.at("higher_is_better").yes();
  tuning.folds = field.at("folds").count();
  tuning.repeats = field.at("repeats").count();
  tuning.interrupted = field.at("interrupted").yes();
  for (const JsonField& entry : field.at("candidates").items()) tuning.scores.push_back(score_from(entry));
  if (tuning.scores.empty()) field.at("candidates").refuse("is empty, but something was chosen");
  const auto place = [&](const char* name) {
    return static_cast<std::size_t>(field.at(name).integer(0, std::ssize(tuning.scores) - 1));
  };
  tuning.best = place("best");
  tuning.one_se = place("one_se");
  tuning.chosen = place("chosen");
  return tuning;
}

}  // namespace medlar

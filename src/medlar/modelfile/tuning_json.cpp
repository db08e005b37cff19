// Fields that came later (kept, epsilon, ranks_lists, margin, competes, dropped, out_of_time) may be missing, because
// older files must still load.
#include "medlar/modelfile/tuning_json.hpp"

namespace medlar {

Json numbers_json(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(json_number(value));
  return list;
}

Json optional_number(const std::optional<double>& value) {
  return value ? json_number(*value) : Json(nullptr);
}

std::optional<double> optional_from(const JsonField& field, const char* name) {
  if (!field.has(name) || !field.at(name).is_number()) return {};
  return field.at(name).number();
}

Json tuning_json(const Tuning& tuning) {
  Json scores = Json::array();
  for (const TuneScore& score : tuning.scores) {
    const TuneCandidate& candidate = score.candidate;
    Json entry = {{"p0", json_number(candidate.p0)},
                  {"c", optional_number(candidate.c)},
                  {"prior_variance", optional_number(candidate.prior_variance)}};
    if (candidate.ranks_lists) entry["ranks_lists"] = true;
    if (candidate.margin) entry["margin"] = word_of(*candidate.margin);
    if (!candidate.competes) entry["competes"] = false;
    if (candidate.epsilon) entry["epsilon"] = json_number(*candidate.epsilon);
    if (candidate.ranking) {
      entry["kept"] = candidate.ranking->kept;
      entry["ranking_p0"] = json_number(candidate.ranking->p0);
      entry["ranking_variance"] = optional_number(candidate.ranking->prior_variance);
    }
    entry["mean"] = json_number(score.mean);
    entry["standard_error"] = json_number(score.standard_error);
    entry["folds"] = numbers_json(score.folds);
    entry["selected"] = json_number(score.selected);
    entry["converged"] = score.converged;
    entry["dropped"] = score.dropped;
    scores.push_back(std::move(entry));
  }
  return {{"metric", escaped(tuning.metric)},
          {"higher_is_better", tuning.higher_is_better},
          {"folds", tuning.folds},
          {"repeats", tuning.repeats},
          {"best", tuning.best},
          {"one_se", tuning.one_se},
          {"chosen", tuning.chosen},
          {"interrupted", tuning.interrupted},
          {"out_of_time", tuning.out_of_time},
          {"candidates", std::move(scores)}};
}

Tuning tuning_from(const JsonField& field) {
  Tuning tuning;
  tuning.metric = field.at("metric").text();
  tuning.higher_is_better = field.at("higher_is_better").yes();
  tuning.folds = field.at("folds").count();
  tuning.repeats = field.at("repeats").count();
  tuning.interrupted = field.at("interrupted").yes();
  tuning.out_of_time = field.has("out_of_time") && field.at("out_of_time").yes();
  for (const JsonField& entry : field.at("candidates").items()) {
    TuneScore score;
    score.candidate.p0 = entry.at("p0").finite();
    score.candidate.c = optional_from(entry, "c");
    score.candidate.prior_variance = optional_from(entry, "prior_variance");
    score.candidate.epsilon = optional_from(entry, "epsilon");
    score.candidate.ranks_lists = entry.has("ranks_lists") && entry.at("ranks_lists").yes();
    if (entry.has("margin")) {
      score.candidate.margin = entry.at("margin").word({MarginKind::exponential, MarginKind::tube});
    }
    score.candidate.competes = !entry.has("competes") || entry.at("competes").yes();
    if (entry.has("kept") && entry.at("kept").is_number()) {
      score.candidate.ranking = Ranking{optional_from(entry, "ranking_p0").value_or(Ranking{}.p0),
                                        optional_from(entry, "ranking_variance"), entry.at("kept").count()};
    }
    score.mean = entry.at("mean").number();
    score.standard_error = entry.at("standard_error").number();
    score.folds = entry.at("folds").finites();
    score.selected = entry.at("selected").number();
    score.converged = entry.at("converged").yes();
    score.dropped = entry.has("dropped") && entry.at("dropped").yes();
    tuning.scores.push_back(std::move(score));
  }
  if (tuning.scores.empty()) field.at("candidates").refuse("is empty, but something was chosen");
  const Index last = std::ssize(tuning.scores) - 1;
  tuning.best = static_cast<std::size_t>(field.at("best").integer(0, last));
  tuning.one_se = static_cast<std::size_t>(field.at("one_se").integer(0, last));
  tuning.chosen = static_cast<std::size_t>(field.at("chosen").integer(0, last));
  return tuning;
}

}  // namespace medlar

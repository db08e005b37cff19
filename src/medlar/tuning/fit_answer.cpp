// The chosen candidate and the list are each judged on the same left-out examples, so their difference is paired: with
// few examples the spread of one way's loss is large, and that of a difference is not.
#include <algorithm>
#include <cmath>
#include <map>

#include "medlar/answer/judge.hpp"
#include "medlar/answer/projection.hpp"
#include "medlar/metrics.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/thresholds/lists.hpp"
#include "medlar/tune.hpp"
#include "medlar/tuning/lanes.hpp"

namespace medlar {
namespace {

constexpr std::size_t kMostErrors = 2000;

LeftOutErrors sorted_errors(std::vector<double> errors) {
  LeftOutErrors kept{std::ssize(errors), {}};
  std::sort(errors.begin(), errors.end());
  const std::size_t count = std::min(errors.size(), kMostErrors);
  for (std::size_t k = 0; k < count; ++k) {
    kept.sorted.push_back(errors[count == errors.size() ? k : k * (errors.size() - 1) / (count - 1)]);
  }
  return kept;
}

// A fold whose fit did not see every label scores nothing, and its examples are judged by nobody.
std::vector<std::vector<Index>> rows_with_scores(const LeftOutScores& scores, std::size_t candidate) {
  std::vector<std::vector<Index>> rows = scores.rows;
  for (std::size_t fold = 0; fold < rows.size(); ++fold) {
    if (scores.of_candidate[candidate][fold].empty()) rows[fold].clear();
  }
  return rows;
}

// A list that was tried: by projection (a specification), or a candidate that refits few features.
struct Tried {
  std::size_t place = 0;  // of the specification, or of the candidate
  bool projected = true;
  Index features = 0;
  Judged judged;
};

class AnswerOfTune {
 public:
  AnswerOfTune(const Dataset& data, const Settings& settings, const Tuning& tuned, std::size_t chosen,
               const Model& model)
      : data_(data),
        settings_(settings),
        scores_(*tuned.left_out.scores),
        chosen_(chosen),
        in_log_odds_(model.settings.margin == MarginKind::logistic),
        rows_(rows_with_scores(scores_, chosen)),
        judge_(data, settings, rows_, usual_slope(model)),
        predictor_(judge_.of(scores_.of_candidate[chosen])),
        nothing_(judge_.nothing()) {}

  LeftOutAnswer answer(const Tuning& tuned) const {
    const Difference gain = judge_.between(nothing_, predictor_);
    Index examples = 0;
    for (const auto& rows : rows_) examples += std::ssize(rows);
    examples = std::min(examples, std::ssize(predictor_.loss));
    return {predictor_.score, nothing_.score, gain.mean, gain.standard_error, examples, tuned.folds, tuned.repeats};
  }

  const Judged& predictor() const { return predictor_; }

  Recalibration curve(CurveKind kind, Index folds) const {
    Recalibration curve = judge_.measured(scores_.of_candidate[chosen_], scores_.own[chosen_], kind, folds);
    if (kind != CurveKind::folds) return curve;
    curve.slope = predictor_.curve.slope;  // of all repetitions
    curve.intercept = predictor_.curve.intercept;
    curve.floor = predictor_.curve.floor;
    return curve;
  }

  // The lists whose scores are known for all folds, one judgement each.
  std::vector<Tried> tried() const {
    std::vector<Tried> all;
    const auto whole = [&](const auto& by_fold) {
      for (std::size_t fold = 0; fold < rows_.size(); ++fold) {
        if (by_fold[fold].size() != rows_[fold].size() * at(judge_.outputs())) return false;
        if (!std::all_of(by_fold[fold].begin(), by_fold[fold].end(), [](auto x) { return std::isfinite(x); }))
          return false;
      }
      return true;
    };
    for (std::size_t s = 0; s < scores_.specs.size(); ++s) {
      if (whole(scores_.of_list[s]))
        all.push_back(
            {s, true, scores_.specs[s].features, judge_.of(scores_.of_list[s], slope_of(scores_.specs[s].reference))});
    }
    for (std::size_t k = 0; k < scores_.candidates.size(); ++k) {
      const auto& ranking = scores_.candidates[k].ranking;
      if (ranking && ranking->kept <= kLongestList && whole(scores_.of_candidate[k])) {
        all.push_back({k, false, ranking->kept, judge_.of(scores_.of_candidate[k], slope_of(k))});
      }
    }
    return all;
  }

  // The fewest features that predict nearly as well as the best list; of equally many the best.
  static const Tried& taken(const std::vector<Tried>& all, const Judge& judge) {
    const Tried& best = best_of(all);
    const Tried* taken = &best;
    for (const Tried& each : all) {
      const Difference behind = judge.between(each.judged, best.judged);
      if (behind.mean > kListErrors * behind.standard_error) continue;
      const bool better = each.judged.score.loss < taken->judged.score.loss;
      if (each.features < taken->features || (each.features == taken->features && better)) taken = &each;
    }
    return *taken;
  }

  std::optional<FeatureList> list(Observer* observer) const {
    const std::vector<Tried> all = tried();
    if (all.empty()) return {};
    const Tried& chosen = taken(all, judge_);
    const bool says_something = beats_nothing(predictor_) || beats_nothing(chosen.judged);
    std::optional<FeatureList> made = says_something ? made_of(chosen, observer) : empty_list();
    if (!made) return {};
    made->score = says_something ? chosen.judged.score : nothing_.score;
    const Difference cost = judge_.between(says_something ? chosen.judged : nothing_, predictor_);
    made->cost = cost.mean;
    made->cost_error = cost.standard_error;
    if (judge_.classifies() && says_something) {
      made->recalibration = chosen.judged.curve;
      if (in_log_odds_) to_log_odds(*made);
    }
    if (!judge_.classifies()) made->errors = sorted_errors(chosen.judged.errors);
    made->curve = curve_of_lengths(all);
    return made;
  }

 private:
  // The list in the units of a predictor whose scores are log odds: its curve is then nearly the identity.
  static void to_log_odds(FeatureList& list) {
    const double slope = list.recalibration->slope;
    for (double& each : list.coefficient) each *= slope;
    for (double& each : list.bias) each *= slope;
    list.recalibration->slope = 1;
  }

  // Where a candidate has a margin of its own.
  std::optional<double> slope_of(std::size_t candidate) const {
    const auto& margin = scores_.candidates[candidate].margin;
    return margin ? std::optional(usual_slope(*margin)) : std::nullopt;
  }

  static const Tried& best_of(const std::vector<Tried>& all) {
    return *std::min_element(all.begin(), all.end(),
                             [](const Tried& a, const Tried& b) { return a.judged.score.loss < b.judged.score.loss; });
  }

  bool beats_nothing(const Judged& way) const {
    const Difference gain = judge_.between(nothing_, way);
    return gain.mean > kErrorsAboveNothing * gain.standard_error;
  }

  std::vector<ListStep> curve_of_lengths(const std::vector<Tried>& all) const {
    const Tried& best = best_of(all);
    std::map<Index, const Tried*> by_length;
    for (const Tried& each : all) {
      const Tried*& kept = by_length[each.features];
      if (kept == nullptr || each.judged.score.loss < kept->judged.score.loss) kept = &each;
    }
    std::vector<ListStep> steps;
    for (const auto& [features, each] : by_length) {
      const Difference behind = judge_.between(each->judged, best.judged);
      steps.push_back({features, each->judged.score, behind.mean, behind.standard_error});
    }
    return steps;
  }

  FeatureList empty_list() const {
    FeatureList none;
    none.bias.assign(at(judge_.outputs()), 0.0);
    if (!judge_.classifies()) {
      double total = 0, sum = 0;
      for (std::size_t t = 0; t < data_.target.values.size(); ++t) {
        const double weight = data_.weights.empty() ? 1 : data_.weights[t];
        total += weight, sum += weight * data_.target.values[t];
      }
      none.bias[0] = sum / total;
    }
    return none;
  }

  std::optional<FeatureList> made_of(const Tried& chosen, Observer* observer) const {
    FeatureList made;
    if (!chosen.projected) {
      const TuneCandidate& candidate = scores_.candidates[chosen.place];
      const Model model = fit_candidate(data_, settings_, candidate, observer);
      if (model.report.status == Status::interrupted) return {};
      made.made_by = ListMaker::candidate;
      made.reference_p0 = candidate.ranking->p0;
      made.reference_variance = candidate.ranking->prior_variance;
      take(as_listed(model), made);
      return made;
    }
    const ListSpec& spec = scores_.specs[chosen.place];
    const TuneCandidate& candidate = scores_.candidates[spec.reference];
    const Model reference = fit_candidate(data_, settings_, candidate, observer);
    if (reference.report.status == Status::interrupted) return {};
    made.made_by = spec.share_of_targets == 0   ? ListMaker::projection
                   : spec.share_of_targets == 1 ? ListMaker::refit
                                                : ListMaker::blend;
    made.reference_p0 = candidate.p0;
    made.reference_variance = candidate.prior_variance;
    made.ridge = spec.ridge;
    made.share_of_targets = spec.share_of_targets;
    take(project(reference, data_, {&spec, 1}).front(), made);
    return made;
  }

  static void take(ProjectedList from, FeatureList& made) {
    made.features = std::move(from.features);
    made.coefficient = std::move(from.coefficient);
    made.bias = std::move(from.bias);
  }

  // The features of a refit with a coefficient, from the largest.
  static ProjectedList as_listed(const Model& model) {
    ProjectedList list;
    const std::size_t classes = model.multiclass ? model.labels.size() : 1;
    for (std::size_t i = 0; i < model.features.size(); ++i) {
      if (model.features[i].coefficient != 0) list.features.push_back(static_cast<Index>(i));
    }
    std::stable_sort(list.features.begin(), list.features.end(), [&](Index a, Index b) {
      return std::abs(model.features[at(a)].coefficient) > std::abs(model.features[at(b)].coefficient);
    });
    for (const Index i : list.features) {
      for (std::size_t k = 0; k < classes; ++k) {
        list.coefficient.push_back(model.multiclass ? model.multiclass->coefficient[at(i) * classes + k]
                                                    : model.features[at(i)].coefficient);
      }
    }
    list.bias = model.multiclass ? model.multiclass->class_bias : std::vector<double>{model.bias};
    return list;
  }

  const Dataset& data_;
  Settings settings_;
  const LeftOutScores& scores_;
  std::size_t chosen_;
  bool in_log_odds_;
  std::vector<std::vector<Index>> rows_;  // of scores_, none where a fold has no scores
  Judge judge_;
  Judged predictor_, nothing_;
};

}  // namespace

Model fit_answer(const Dataset& data, const Settings& settings, const Tuning& tuned, const AnswerOptions& how,
                 Observer* observer) {
  const TuneCandidate& candidate = tuned.scores[tuned.chosen].candidate;
  Model model = fit_candidate(data, settings, candidate, observer);
  model.tuning = tuned;
  model.tuning->left_out = {};
  if (!tuned.left_out.scores || model.report.status == Status::interrupted || model.task == Task::anomaly) return model;
  const auto& candidates = tuned.left_out.scores->candidates;
  const auto chosen =
      static_cast<std::size_t>(std::find(candidates.begin(), candidates.end(), candidate) - candidates.begin());
  const auto& scores = tuned.left_out.scores->of_candidate.at(chosen);
  if (std::all_of(scores.begin(), scores.end(), [](const auto& fold) { return fold.empty(); })) return model;
  const AnswerOfTune answer(data, settings, tuned, chosen, model);
  model.answer = answer.answer(tuned);
  if (model.task == Task::regress) model.errors = sorted_errors(answer.predictor().errors);
  if (model.task == Task::classify && how.recalibrate)
    model.recalibration = answer.curve(*how.recalibrate, tuned.folds);
  if (model.settings.model == ModelKind::linear) model.list = answer.list(observer);
  return model;
}

}  // namespace medlar

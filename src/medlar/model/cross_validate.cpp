// Cross-validation: fit on all folds but one, measure on the one left out.
#include "medlar/cross_validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/error.hpp"
#include "medlar/fit.hpp"

namespace medlar {
namespace {

struct Fold {
  Dataset fitted, left_out;
};

std::vector<Fold> make_folds(const Dataset& data, std::span<const Index> fold_of) {
  if (std::ssize(fold_of) != data.examples()) {
    throw OptionError(fmt::format("{} folds given for {} examples", fold_of.size(), data.examples()));
  }
  const Index folds = fold_of.empty() ? 0 : 1 + *std::max_element(fold_of.begin(), fold_of.end());
  if (std::any_of(fold_of.begin(), fold_of.end(), [](Index fold) { return fold < 0; })) {
    throw OptionError("a fold below 0 is given; number the folds 0, 1, ...");
  }
  for (Index k = 0; k < std::max<Index>(folds, 2); ++k) {
    if (std::count(fold_of.begin(), fold_of.end(), k) == 0) {
      throw OptionError(fmt::format("fold {} has no example; number the folds 0, 1, ... without gaps", k));
    }
  }
  std::vector<Fold> made;
  for (Index k = 0; k < folds; ++k) {
    std::vector<Index> inside, outside;
    for (Index t = 0; t < data.examples(); ++t) {
      (fold_of[static_cast<std::size_t>(t)] == k ? outside : inside).push_back(t);
    }
    made.push_back({subset(data, inside), subset(data, outside)});
  }
  return made;
}

void summarise(CandidateScore& score) {
  const auto count = static_cast<double>(score.folds.size());
  score.mean = std::accumulate(score.folds.begin(), score.folds.end(), 0.0) / count;
  double squares = 0;
  for (const double fold : score.folds) squares += (fold - score.mean) * (fold - score.mean);
  score.standard_error = std::sqrt(squares / (count - 1) / count);
}

bool better(const CandidateScore& a, const CandidateScore& b, bool higher_is_better) {
  if (a.mean != b.mean) return higher_is_better ? a.mean > b.mean : a.mean < b.mean;
  return a.candidate.p0 < b.candidate.p0;
}

}  // namespace

CrossValidation cross_validate(const Dataset& data, const Settings& settings, std::span<const Candidate> candidates,
                               Index folds, const Measure& measure, Observer* observer) {
  return cross_validate(data, settings, candidates, assign_folds(data.target, data.examples(), folds, settings.seed),
                        measure, observer);
}

CrossValidation cross_validate(const Dataset& data, const Settings& settings, std::span<const Candidate> candidates,
                               std::span<const Index> fold_of, const Measure& measure, Observer* observer) {
  if (candidates.empty()) throw OptionError("there is no candidate to cross-validate; the grid is empty");
  const std::vector<Fold> parts = make_folds(data, fold_of);
  CrossValidation result;
  bool higher_is_better = true;
  for (const Candidate& candidate : candidates) {
    Settings tried = settings;
    tried.p0 = candidate.p0;
    tried.c = candidate.c;
    CandidateScore score{candidate, {}, 0, 0, 0, true};
    for (const Fold& fold : parts) {
      const Model model = fit(fold.fitted, tried, observer);
      if (model.report.status == Status::interrupted) {
        result.interrupted = true;
        return result;
      }
      const Measured measured = measure(model, fold.left_out);
      result.metric = measured.metric;
      higher_is_better = measured.higher_is_better;
      score.folds.push_back(measured.value);
      score.selected += static_cast<double>(model.selected()) / static_cast<double>(parts.size());
      score.converged = score.converged && model.report.status == Status::converged;
    }
    summarise(score);
    result.scores.push_back(std::move(score));
    if (better(result.scores.back(), result.scores[result.best], higher_is_better))
      result.best = result.scores.size() - 1;
  }
  return result;
}

}  // namespace medlar

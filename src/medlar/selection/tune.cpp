// Cross-validation by warm paths: in each fold and for each c and prior variance, the fits go along p0 from large to
// small, each from the one before it; folds and paths run side by side.
#include "medlar/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "medlar/error.hpp"
#include "medlar/fit.hpp"
#include "medlar/linalg/threads.hpp"
#include "medlar/model/labels.hpp"
#include "medlar/path.hpp"
#include "medlar/selection/refits.hpp"

namespace medlar {
namespace {

constexpr std::size_t kMostInLane = 20;  // more are cut into lanes, so that an interrupted tune has finished some

// Candidates that share all but p0, or all but how many features are kept and the prior variance of the refit.
struct Lane {
  TuneCandidate common;
  std::vector<std::size_t> members;  // indices of candidates
};

bool same_lane(const TuneCandidate& a, const TuneCandidate& b) {
  if (a.kept.has_value() != b.kept.has_value() || a.c != b.c) return false;
  return a.kept.has_value() || a.prior_variance == b.prior_variance;
}

std::vector<Lane> lanes_of(std::span<const TuneCandidate> candidates) {
  std::vector<Lane> lanes;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const auto mine = std::find_if(lanes.begin(), lanes.end(), [&](const Lane& lane) {
      return lane.members.size() < kMostInLane && same_lane(lane.common, candidates[k]);
    });
    if (mine != lanes.end()) {
      mine->members.push_back(k);
    } else {
      lanes.push_back({candidates[k], {k}});
    }
  }
  return lanes;
}

Settings with_candidate(Settings settings, const TuneCandidate& candidate) {
  settings.p0 = candidate.p0;
  if (candidate.c) settings.c = candidate.c;
  if (candidate.prior_variance) settings.prior_variance = candidate.prior_variance;
  return settings;
}

// Whether fits can go along a path: linear models of two labels or of numbers, by the solvers that begin anywhere.
bool warm(const Dataset& data, const Settings& settings) {
  if (settings.model != "linear" || settings.solver != "auto") return false;
  return resolve_task(data, settings) != "classify" || class_labels(data, settings).classes() == 2;
}

// The model that ranks features; along p0 where that is possible.
Model ranking_model(const Dataset& data, Settings settings, Observer* observer) {
  settings.p0 = ranking_p0;
  if (!warm(data, settings)) return fit(data, settings, observer);
  Model last;
  const std::vector<double> path{1e-1, 1e-3, ranking_p0};
  fit_along(
      data, settings, "p0", path, [&](const Model& model) { last = model; }, observer);
  return last;
}

struct Cell {
  Measured measured;
  double selected = 0;
  bool done = false, converged = false;
};

class Fold {
 public:
  Fold(Dataset fitted, Dataset left_out) : fitted_(std::move(fitted)), left_out_(std::move(left_out)) {}

  // Sets the cells of a lane's members; those after an interruption stay undone.
  void run(const Lane& lane, std::span<const TuneCandidate> candidates, const Settings& settings,
           const Measure& measure, Observer* observer, std::vector<Cell>& cells) const {
    const auto note = [&](std::size_t k, const Model& model) {
      if (model.report.status == Status::interrupted) return false;
      cells[k] = {measure(model, left_out_), static_cast<double>(model.selected()), true,
                  model.report.status == Status::converged};
      return true;
    };
    const Settings common = with_candidate(settings, lane.common);
    if (lane.common.kept) {
      Settings asked = settings;
      asked.c = common.c;
      const Model ranking = ranking_model(fitted_, asked, observer);
      if (ranking.report.status == Status::interrupted || ranking.features.empty()) return;
      for (const std::size_t k : lane.members) {
        const TuneCandidate& candidate = candidates[k];
        const Settings tried = with_candidate(settings, candidate);
        if (!note(k, relaxed_refit(fitted_, tried, ranking, *candidate.kept, observer))) return;
      }
    } else if (lane.members.size() > 1 && warm(fitted_, common)) {
      std::vector<std::size_t> order = lane.members;
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t i, std::size_t j) { return candidates[i].p0 > candidates[j].p0; });
      std::vector<double> path;
      for (const std::size_t k : order) path.push_back(candidates[k].p0);
      std::size_t at = 0;
      fit_along(
          fitted_, common, "p0", path, [&](const Model& model) { note(order[at++], model); }, observer);
    } else {
      for (const std::size_t k : lane.members) {
        if (!note(k, fit(fitted_, with_candidate(settings, candidates[k]), observer))) return;
      }
    }
  }

 private:
  Dataset fitted_, left_out_;
};

// Numbers that all differ are dealt alike for every seed. Here each run of `folds` neighbours counts as one value, so
// that the seed decides who of them goes where.
Target in_runs(const Target& target, Index folds) {
  Target runs = target;
  std::vector<std::size_t> order(target.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return target.values[a] < target.values[b]; });
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (!std::isnan(target.values[order[k]])) {
      runs.values[order[k]] = std::floor(static_cast<double>(k) / static_cast<double>(folds));
    }
  }
  return runs;
}

std::vector<Fold> all_folds(const Dataset& data, const Settings& settings, Index folds, Index repeats) {
  const bool numbers = resolve_task(data, settings) == "regress";
  std::vector<Fold> made;
  for (Index repeat = 0; repeat < repeats; ++repeat) {
    const Target target = numbers && repeat > 0 ? in_runs(data.target, folds) : data.target;
    const std::vector<Index> fold_of = assign_folds(target, data.examples(), folds, settings.seed + repeat);
    for (Index k = 0; k < folds; ++k) {
      std::vector<Index> inside, outside;
      for (Index t = 0; t < data.examples(); ++t) {
        (fold_of[static_cast<std::size_t>(t)] == k ? outside : inside).push_back(t);
      }
      made.emplace_back(subset(data, inside), subset(data, outside));
    }
  }
  return made;
}

void set_moments(TuneScore& score) {
  const auto count = static_cast<double>(score.folds.size());
  score.mean = std::accumulate(score.folds.begin(), score.folds.end(), 0.0) / count;
  double squares = 0;
  for (const double fold : score.folds) squares += (fold - score.mean) * (fold - score.mean);
  score.standard_error = std::sqrt(squares / (count - 1) / count);
}

}  // namespace

void choose(Tuning& tuning) {
  const double sign = tuning.higher_is_better ? 1 : -1;
  tuning.best = tuning.one_se = tuning.chosen = 0;
  const auto& scores = tuning.scores;
  for (std::size_t k = 1; k < scores.size(); ++k) {
    const TuneScore &score = scores[k], &best = scores[tuning.best];
    if (std::make_tuple(sign * score.mean, -score.selected, -score.candidate.p0) >
        std::make_tuple(sign * best.mean, -best.selected, -best.candidate.p0)) {
      tuning.best = k;
    }
  }
  tuning.one_se = tuning.chosen = tuning.best;
  if (scores.empty()) return;
  const double least = sign * scores[tuning.best].mean - scores[tuning.best].standard_error;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const TuneScore &score = scores[k], &simplest = scores[tuning.one_se];
    if (sign * score.mean < least) continue;
    if (std::make_pair(-score.selected, sign * score.mean) > std::make_pair(-simplest.selected, sign * simplest.mean)) {
      tuning.one_se = k;
    }
  }
}

Tuning tune(const Dataset& data, const Settings& settings, std::span<const TuneCandidate> candidates, Index folds,
            Index repeats, const Measure& measure, Observer* observer) {
  if (candidates.empty()) throw OptionError("there is no candidate to cross-validate; the grid is empty");
  if (repeats < 1) throw OptionError(fmt::format("repeats = {}, but must be >= 1", repeats));
  const std::vector<Fold> parts = all_folds(data, settings, folds, repeats);
  const std::vector<Lane> lanes = lanes_of(candidates);
  Settings alone = settings;
  alone.threads = 1;
  std::vector<std::vector<Cell>> cells(parts.size(), std::vector<Cell>(candidates.size()));
  const auto count = std::ssize(parts);
  Tuning result;
  result.folds = folds;
  result.repeats = repeats;
  result.interrupted =
      !run_refits(settings.threads, count * std::ssize(lanes), "path", observer, [&](Index task, Observer* watching) {
        const auto fold = static_cast<std::size_t>(task % count);
        const auto lane = static_cast<std::size_t>(task / count);
        parts[fold].run(lanes[lane], candidates, alone, measure, watching, cells[fold]);
      });
  set_linear_algebra_threads(settings.threads);
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    if (!std::all_of(cells.begin(), cells.end(), [&](const auto& fold) { return fold[k].done; })) continue;
    TuneScore score{candidates[k], {}, 0, 0, 0, true};
    for (const auto& fold : cells) {
      score.folds.push_back(fold[k].measured.value);
      score.selected += fold[k].selected;
      score.converged = score.converged && fold[k].converged;
      result.metric = fold[k].measured.metric;
      result.higher_is_better = fold[k].measured.higher_is_better;
    }
    score.selected /= static_cast<double>(count);
    set_moments(score);
    result.scores.push_back(std::move(score));
  }
  choose(result);
  return result;
}

Model fit_candidate(const Dataset& data, const Settings& settings, const TuneCandidate& candidate, Observer* observer) {
  const Settings chosen = with_candidate(settings, candidate);
  if (!candidate.kept) return fit(data, chosen, observer);
  Settings asked = settings;
  asked.c = chosen.c;
  const Model ranking = ranking_model(data, asked, observer);
  if (ranking.report.status == Status::interrupted) return ranking;
  return relaxed_refit(data, chosen, ranking, *candidate.kept, observer);
}

}  // namespace medlar

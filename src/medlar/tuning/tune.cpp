// Cross-validation by warm paths: in each fold, for each c and prior variance, the fits follow p0 from large to small,
// each started from the one before. Folds and paths run side by side, in stages. Between stages, candidates that can no
// longer win are dropped.
#include "medlar/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/error.hpp"
#include "medlar/fit.hpp"
#include "medlar/linalg/threads.hpp"
#include "medlar/prepare/labels.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/thresholds/race.hpp"
#include "medlar/trust/refits.hpp"
#include "medlar/tuning/checkpoint.hpp"
#include "medlar/tuning/lanes.hpp"
#include "medlar/tuning/race.hpp"

namespace medlar {
namespace {

// With a flat bias a fit needs examples of both labels.
void check_labels(const Dataset& data, const Settings& settings, std::span<const Fold> folds) {
  const bool flat = settings.bias == BiasKind::flat ||
                    (settings.bias == BiasKind::automatic && settings.model != ModelKind::generative);
  if (!flat || settings.model == ModelKind::latent || resolve_task(data, settings) != Task::classify) return;
  const ClassLabels whole = class_labels(data, settings);
  const auto all = std::count(whole.y.begin(), whole.y.end(), 1);
  if (whole.classes() != 2 || all == 0 || all == std::ssize(whole.y)) return;  // the fits themselves say so
  for (const Fold& fold : folds) {
    const auto positive = std::count_if(fold.fitted.begin(), fold.fitted.end(),
                                        [&](Index t) { return whole.y[static_cast<std::size_t>(t)] == 1; });
    const std::size_t missing = positive == 0 ? 1 : 0;
    if (positive > 0 && positive < std::ssize(fold.fitted)) continue;
    throw OptionError(fmt::format(
        "all examples with the label '{}' are left out together by one of the folds, and a fit to the others would not "
        "know it; add examples of it, or cut other folds",
        whole.labels[missing]));
  }
}

// Candidates are made for the spread of all examples. If a few values make up nearly all of it, a fold without them is
// a different problem.
void check_spread(const Dataset& data, const Settings& settings, std::span<const Fold> folds) {
  constexpr double most = 1e6;
  if (!data.target.numeric || resolve_task(data, settings) != Task::regress) return;
  const std::vector<double>& y = data.target.values;
  const double all = weighted_moments(y, data.weights).sd;
  for (const Fold& fold : folds) {
    const std::vector<double> weights = data.weights.empty() ? data.weights : at(data.weights, fold.fitted);
    const Moments fitted = weighted_moments(at(y, fold.fitted), weights);
    if (!(fitted.sd > 0) || !(all > most * fitted.sd) || fold.left_out.empty()) continue;
    const auto distance = [&](Index t) { return std::abs(y[static_cast<std::size_t>(t)] - fitted.mean); };
    const Index far = *std::max_element(fold.left_out.begin(), fold.left_out.end(),
                                        [&](Index s, Index t) { return distance(s) < distance(t); });
    const auto place = static_cast<std::size_t>(far);
    throw DataError(fmt::format(
        "{}{}: the target {:.6g} is so far from the others that their standard deviation is {:.3g} with it "
        "and {:.3g} in a fold without it; take it out, or bring it near the others",
        data.source, data.lines.empty() ? "" : fmt::format(":{}", data.lines[place]), y[place], all, fitted.sd));
  }
}

std::vector<Part> parts_of(const Dataset& data, const Settings& settings, std::span<const Fold> folds) {
  std::vector<Part> made;
  for (const Fold& fold : folds) {
    for (const auto* rows : {&fold.fitted, &fold.left_out}) {
      if (rows->empty()) throw OptionError("a fold has nothing to fit or nothing to measure on");
      for (const Index t : *rows) {
        if (t >= 0 && t < data.examples()) continue;
        throw OptionError(fmt::format("a fold names example {}, but there are {}", t, data.examples()));
      }
    }
    Dataset fitted = fitted_part(data, fold.fitted);
    Dataset left_out = left_out_part(data, fold.left_out, fitted);
    made.emplace_back(std::move(fitted), std::move(left_out));
  }
  if (made.size() < 2) throw OptionError(fmt::format("{} folds are given, but must be at least 2", made.size()));
  check_labels(data, settings, folds);
  check_spread(data, settings, folds);
  return made;
}

// A lane in a fold that is still to be run.
struct Job {
  std::size_t fold;
  Lane lane;
};

class Tune {
 public:
  Tune(const Dataset& data, const Settings& settings, std::span<const TuneCandidate> candidates, const TuneOptions& how,
       const std::vector<Fold>& folds)
      : candidates_(candidates),
        lanes_(lanes_of(candidates)),
        parts_(parts_of(data, settings, folds)),
        kept_(what_is_kept(data, settings, candidates, folds, how.lists)),
        cells_(parts_.size(), std::vector<Cell>(candidates.size())),
        racing_(candidates.size(), true),
        stages_(race_stages(parts_.size(), how.exhaustive)),
        checkpoint_(how.checkpoint,
                    how.checkpoint.empty() ? 0 : tune_key(data, settings, candidates, folds, how.measured_by), cells_,
                    measured_),
        settings_(for_parts(data, settings)) {
    for (Part& part : parts_) part.keep(kept_);
    settings_.threads = 1;
    settings_.max_seconds = HUGE_VAL;  // the deadline holds for all together
  }

  Tuning run(Index threads, const Measure& measure, Observer* observer) {
    Refits refits(threads, total_tasks(0), "path", observer);
    bool whole = true;
    std::size_t stage = 0;
    for (; stage < stages_.size() && whole; ++stage) {
      const std::vector<Job> tasks = tasks_of(stage);
      whole = refits.run(std::ssize(tasks), [&](Index k, Observer* watching) {
        const Job& task = tasks[static_cast<std::size_t>(k)];
        std::vector<Cell>& cells = cells_[task.fold];
        const Measured measured = parts_[task.fold].run(task.lane, candidates_, settings_, measure, watching, cells);
        const bool done = std::all_of(task.lane.begin(), task.lane.end(), [&](std::size_t i) { return cells[i].done; });
        if (done) checkpoint_.finished(task.fold, task.lane, measured);
      });
      if (whole && stage + 1 < stages_.size()) {
        drop_the_hopeless(stages_[stage].back() + 1);
        refits.expect(total_tasks(stage + 1));
      }
    }
    checkpoint_.write();
    const std::size_t complete = whole ? stages_.size() : std::max<std::size_t>(stage, 1) - 1;
    const std::size_t folds = complete > 0 ? stages_[complete - 1].back() + 1 : stages_.front().size();
    Tuning result = table(whole, folds);
    result.left_out = {left_out(folds)};
    return result;
  }

 private:
  // The tasks of a stage that are left to do; lanes that a checkpoint has finished are skipped.
  std::vector<Job> tasks_of(std::size_t stage) const {
    std::vector<Job> tasks;
    for (const Lane& lane : lanes_) {
      Lane racing;
      for (const std::size_t k : lane) {
        if (racing_[k]) racing.push_back(k);
      }
      for (const std::size_t fold : stages_[stage]) {
        const auto done = [&](std::size_t k) { return cells_[fold][k].done; };
        if (!std::all_of(racing.begin(), racing.end(), done)) tasks.push_back({fold, racing});
      }
    }
    return tasks;
  }

  // The number of tasks if all candidates that are still in the race stay in it.
  Index total_tasks(std::size_t from) const {
    Index total = 0;
    for (std::size_t stage = from; stage < stages_.size(); ++stage) total += std::ssize(tasks_of(stage));
    return total;
  }

  void drop_the_hopeless(std::size_t folds) {
    std::vector<std::vector<double>> values(candidates_.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      for (std::size_t fold = 0; racing_[k] && fold < folds; ++fold) values[k].push_back(cells_[fold][k].value);
    }
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (!candidates_[k].competes) values[k].clear();
    }
    const std::vector<bool> before = racing_;
    racing_ = still_racing(values, measured_.higher_is_better);
    for (std::size_t k = 0; k < racing_.size(); ++k) {
      const bool for_list = !kept_.specs.empty() && (candidates_[k].ranks_lists || !candidates_[k].competes);
      racing_[k] = racing_[k] || (before[k] && for_list);  // lists need all folds
    }
  }

  // The scores of the first `folds` folds.
  std::shared_ptr<const LeftOutScores> left_out(std::size_t folds) {
    LeftOutScores all = std::move(kept_);
    all.rows.resize(std::min(folds, all.rows.size()));
    all.of_candidate.resize(candidates_.size());
    all.own.resize(candidates_.size());
    all.of_list.resize(all.specs.size());
    for (std::size_t fold = 0; fold < all.rows.size(); ++fold) {
      std::vector<std::size_t> taken(candidates_.size(), 0);  // lists of each reference
      for (std::size_t s = 0; s < all.specs.size(); ++s) {
        const std::size_t k = all.specs[s].reference;
        auto& lists = cells_[fold][k].lists;
        all.of_list[s].push_back(taken[k] < lists.size() ? std::move(lists[taken[k]]) : std::vector<float>());
        ++taken[k];
      }
      for (std::size_t k = 0; k < candidates_.size(); ++k) {
        all.of_candidate[k].push_back(std::move(cells_[fold][k].left_out.scores));
        all.own[k].push_back(std::move(cells_[fold][k].left_out.own));
      }
    }
    return std::make_shared<const LeftOutScores>(std::move(all));
  }

  // The candidates that are done on the first `folds` folds, and those that were dropped before.
  Tuning table(bool whole, std::size_t folds) const {
    Tuning result;
    result.interrupted = !whole;
    result.metric = measured_.metric;
    result.higher_is_better = measured_.higher_is_better;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      TuneScore score{candidates_[k], {}, 0, 0, 0, true, !racing_[k]};
      for (std::size_t fold = 0; fold < folds && cells_[fold][k].done; ++fold) {
        const Cell& cell = cells_[fold][k];
        score.folds.push_back(cell.value);
        score.selected += cell.selected;
        score.converged = score.converged && cell.converged;
      }
      if (score.folds.size() < (score.dropped ? 1 : folds)) continue;
      set_moments(score);
      result.scores.push_back(std::move(score));
    }
    choose(result);
    return result;
  }

  static void set_moments(TuneScore& score) {
    const auto count = static_cast<double>(score.folds.size());
    score.selected /= count;
    score.mean = std::accumulate(score.folds.begin(), score.folds.end(), 0.0) / count;
    double squares = 0;
    for (const double fold : score.folds) squares += (fold - score.mean) * (fold - score.mean);
    score.standard_error = count > 1 ? std::sqrt(squares / (count - 1) / count) : 0;
  }

  std::span<const TuneCandidate> candidates_;
  std::vector<Lane> lanes_;
  std::vector<Part> parts_;
  LeftOutScores kept_;
  std::vector<std::vector<Cell>> cells_;  // by fold and candidate
  std::vector<bool> racing_;
  std::vector<std::vector<std::size_t>> stages_;
  Measured measured_;
  Checkpoint checkpoint_;
  Settings settings_;
};

}  // namespace

Index usual_repeats(Index examples, bool several_labels) {
  return examples <= kFewForOneCut && !several_labels ? kCutsOfFew : 1;
}

Tuning tune(const Dataset& data, const Settings& settings, std::span<const TuneCandidate> candidates,
            const TuneOptions& how, const Measure& measure, Observer* observer) {
  if (candidates.empty()) throw OptionError("there is no candidate to cross-validate; the grid is empty");
  const bool several = resolve_task(data, settings) != Task::regress && class_labels(data, settings).classes() > 2;
  const Index repeats = how.repeats.value_or(usual_repeats(data.examples(), several));
  const auto folds = how.given.empty() ? deal_folds(data, how.folds, repeats, settings.seed) : how.given;
  Deadline deadline(observer, settings.max_seconds);
  Tuning result = Tune(data, settings, candidates, how, folds).run(settings.threads, measure, &deadline);
  result.out_of_time = result.interrupted && deadline.ended();
  set_linear_algebra_threads(settings.threads);
  result.folds = how.given.empty() ? how.folds : std::ssize(how.given);
  result.repeats = how.given.empty() ? repeats : 1;
  return result;
}

Model fit_candidate(const Dataset& data, const Settings& settings, const TuneCandidate& candidate, Observer* observer) {
  Settings chosen = with_candidate(settings, candidate);
  if (!candidate.ranking) return fit(data, chosen, observer);
  const Deadline time(nullptr, settings.max_seconds);
  const Model ranking = ranking_model(data, settings, candidate, observer);
  if (ranking.report.status == Status::interrupted) return ranking;
  chosen.max_seconds = time.left();
  return relaxed_refit(data, chosen, ranking, candidate.ranking->kept, observer);
}

}  // namespace medlar

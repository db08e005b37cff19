// Candidates share work only if their fits differ in nothing but what a warm path or an elimination varies. Long lanes
// share more, but a tune that is interrupted has then finished less.
#include "medlar/tuning/lanes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "medlar/answer/projection.hpp"
#include "medlar/fit.hpp"
#include "medlar/path.hpp"
#include "medlar/prepare/rows.hpp"
#include "medlar/thresholds/race.hpp"
#include "medlar/tune.hpp"
#include "medlar/tuning/relaxed.hpp"

namespace medlar {
namespace {

bool same_lane(const TuneCandidate& a, const TuneCandidate& b) {
  if (a.ranking.has_value() != b.ranking.has_value() || a.c != b.c || a.epsilon != b.epsilon || a.margin != b.margin)
    return false;
  if (!a.ranking) return a.prior_variance == b.prior_variance;
  return a.ranking->p0 == b.ranking->p0 && a.ranking->prior_variance == b.ranking->prior_variance;
}

// Whether fits can follow a path: linear models, with solvers that can start anywhere.
bool warm(const Settings& settings) {
  return settings.model == ModelKind::linear && settings.solver == SolverKind::automatic;
}

// Counts coefficients and not inclusions: a small p0 may leave no inclusion above 1/2 and still spread the score over a
// thousand coefficients. With several classes a coefficient is the length over all of them. Kernels have none.
double features_in_use(const Model& model) {
  if (model.settings.model != ModelKind::linear) return static_cast<double>(model.selected());
  double largest = 0;
  for (const Feature& feature : model.features) {
    if (!feature.kept) largest = std::max(largest, std::abs(feature.coefficient));
  }
  return static_cast<double>(std::count_if(model.features.begin(), model.features.end(), [&](const Feature& feature) {
    return std::abs(feature.coefficient) > 1e-3 * largest && !feature.kept;
  }));
}

}  // namespace

std::vector<Lane> lanes_of(std::span<const TuneCandidate> candidates) {
  std::vector<Lane> lanes;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const auto mine = std::find_if(lanes.begin(), lanes.end(), [&](const Lane& lane) {
      return same_lane(candidates[lane.front()], candidates[k]) && (candidates[k].ranking || lane.size() < kMostInLane);
    });
    if (mine != lanes.end()) {
      mine->push_back(k);
    } else {
      lanes.push_back({k});
    }
  }
  return lanes;
}

Settings with_candidate(Settings settings, const TuneCandidate& candidate) {
  settings.p0 = candidate.p0;
  if (candidate.c) settings.c = candidate.c;
  if (candidate.prior_variance) settings.prior_variance = candidate.prior_variance;
  if (candidate.epsilon) settings.epsilon = candidate.epsilon;
  if (candidate.margin) settings.margin = *candidate.margin;
  return settings;
}

Model ranking_model(const Dataset& data, const Settings& settings, const TuneCandidate& candidate, Observer* observer) {
  const Ranking& ranking = *candidate.ranking;
  return fit(data, with_candidate(settings, {ranking.p0, candidate.c, ranking.prior_variance, {}, candidate.epsilon}),
             observer);
}

Measured Part::run(const Lane& lane, std::span<const TuneCandidate> candidates, const Settings& settings,
                   const Measure& measure, Observer* observer, std::vector<Cell>& cells) const {
  Measured measured;
  const auto note = [&](std::size_t k, const Model& model, const Dataset& left_out) {
    if (model.report.status == Status::interrupted) return false;
    measured = measure(model, left_out);
    cells[k] = {true, model.report.status == Status::converged, measured.value, features_in_use(model)};
    if (kept_ != nullptr) keep_scores(k, model, left_out, cells[k]);
    return true;
  };
  const TuneCandidate& first = candidates[lane.front()];
  const Settings common = with_candidate(settings, first);
  if (first.ranking) {
    eliminate(lane, candidates, settings, note, observer);
  } else if (lane.size() > 1 && warm(common)) {
    Lane order = lane;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return candidates[i].p0 > candidates[j].p0; });
    std::vector<double> path;
    for (const std::size_t k : order) path.push_back(candidates[k].p0);
    std::size_t at = 0;
    fit_along(
        fitted_, common, Swept::p0, path, [&](const Model& model) { note(order[at++], model, left_out_); }, observer);
  } else {
    for (const std::size_t k : lane) {
      if (!note(k, fit(fitted_, with_candidate(settings, candidates[k]), observer), left_out_)) break;
    }
  }
  return measured;
}

void Part::keep(const LeftOutScores& kept) {
  kept_ = &kept;
  judged_.clear();
  for (Index t = 0; t < left_out_.examples(); t += kept.step) judged_.push_back(t);
}

void Part::keep_scores(std::size_t k, const Model& model, const Dataset& left_out, Cell& cell) const {
  const Matrix rows = select_rows(left_out.x, judged_);
  cell.left_out = left_out_scores(model, rows, kept_->labels);
  std::vector<ListSpec> own;
  for (const ListSpec& spec : kept_->specs) {
    if (spec.reference == k) own.push_back(spec);
  }
  if (own.empty() || cell.left_out.scores.empty()) return;
  cell.lists = scores_of(model, project(model, fitted_, own), rows);
}

// One ranking, then one elimination for each prior variance, from many features to few.
void Part::eliminate(const Lane& lane, std::span<const TuneCandidate> candidates, const Settings& settings,
                     const std::function<bool(std::size_t, const Model&, const Dataset&)>& note,
                     Observer* observer) const {
  const Model ranking = ranking_model(fitted_, settings, candidates[lane.front()], observer);
  if (ranking.report.status == Status::interrupted) return;
  const auto kept = [&](std::size_t k) { return candidates[k].ranking->kept; };
  Lane order = lane;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const auto &a = candidates[i].prior_variance, &b = candidates[j].prior_variance;
    return a != b ? a < b : kept(i) > kept(j);
  });
  Index most = 1;
  for (const std::size_t k : lane) most = std::max(most, kept(k));
  const Shortlist shortlist(fitted_, ranking, most);
  const Dataset left_out = narrowed(left_out_, shortlist.columns);
  std::optional<Elimination> elimination;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const TuneCandidate& candidate = candidates[order[at]];
    const bool next = at == 0 || candidate.prior_variance != candidates[order[at - 1]].prior_variance;
    if (next) elimination.emplace(shortlist, with_candidate(settings, candidate));
    const Model model = elimination->down_to(candidate.ranking->kept, observer);
    if (!note(order[at], model, narrowed(left_out, elimination->places()))) return;
  }
}

}  // namespace medlar

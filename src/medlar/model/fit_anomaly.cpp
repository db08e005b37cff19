// Anomaly detection (theory 8): one class, E[log p(x_t)] - gamma_t >= 0, with the margin prior at the alpha-percentile
// of the log-likelihoods before the fit. The empirical prior leaves the oddest examples out, again and again, until the
// same ones stay out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/anomaly.hpp"
#include "medlar/error.hpp"
#include "medlar/folds.hpp"
#include "medlar/model/generative.hpp"
#include "medlar/model/kinds.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {

namespace {

constexpr Index kLevelFolds = 5;
constexpr int kMostRounds = 30;
constexpr std::size_t kMostLevels = 1000;

double quantile(std::vector<double> sorted, double share) {
  std::sort(sorted.begin(), sorted.end());
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const double part = place - static_cast<double>(low);
  return low + 1 < sorted.size() ? (1 - part) * sorted[low] + part * sorted[low + 1] : sorted[low];
}

std::vector<double> base_measures(const GenerativeData& data) {
  const StatisticMaker maker(data.members, data.statistics, false, data.prepared.x.columns());
  std::vector<double> h;
  for (Index t = 0; t < data.prepared.x.rows(); ++t) h.push_back(maker.base_measure(data.prepared.x.row(t)));
  return h;
}

// E[log p(x_t)] under the prior, the example itself left out of it if it counts there.
struct Before {
  std::vector<double> level, change;
};
Before levels_before(const GenerativeData& data, std::span<const double> chi, std::span<const double> h,
                     std::span<const double> counted) {
  const ClassPartition partition(data.members, 1, {chi.begin(), chi.end()});
  std::vector<double> w(at(partition.dimension()));
  partition.mean(std::vector<double>(w.size(), 0.0), w);
  Before before{std::vector<double>(h.size()), {}};
  data.rows.scores(w, before.level);
  before.change = leave_one_out(data, chi, std::vector<Index>(h.size(), 0), counted, {});
  for (std::size_t t = 0; t < h.size(); ++t) before.level[t] += h[t] + before.change[t];
  return before;
}

void thin(std::vector<double>& levels) {
  std::sort(levels.begin(), levels.end());
  if (levels.size() <= kMostLevels) return;
  std::vector<double> fewer;
  for (std::size_t i = 0; i < kMostLevels; ++i) fewer.push_back(levels[i * (levels.size() - 1) / (kMostLevels - 1)]);
  levels = std::move(fewer);
}

std::vector<double> out_of_fold_levels(const Dataset& data, const Settings& asked, Observer* observer) {
  if (data.examples() < 4 * kLevelFolds) return {};
  Settings quick = asked;
  quick.calibration = "left-out";
  const std::vector<Index> fold_of = assign_folds({}, data.examples(), kLevelFolds, asked.seed);
  std::vector<double> levels;
  for (const auto& [inside, outside] : folds_from(fold_of)) {
    if (observer != nullptr && observer->stop_requested()) return {};
    const Model model = fit_anomaly(subset(data, inside), quick, observer);
    if (model.report.status == Status::interrupted) return {};
    const std::vector<double> scores = generative_class_scores(model, subset(data, outside).x);
    levels.insert(levels.end(), scores.begin(), scores.end());
  }
  return levels;
}

}  // namespace

Model fit_anomaly(const Dataset& data, const Settings& asked, Observer* observer) {
  Settings settings = asked;
  if (settings.switches != "none" || settings.class_weight != "none" || settings.margin_location) {
    throw OptionError(
        "task = anomaly has one class, at the level that alpha names: leave switches, class-weight and "
        "margin-location out");
  }
  settings.bias = "none";
  if (settings.margin == "auto") settings.margin = "exponential";
  resolve_margin(settings);
  if (!settings.c) settings.c = 0.1;
  const Examples examples = counted_examples(data, data.weights);
  GenerativeData laid_out = generative_data(data, examples, settings);
  const std::vector<double> h = base_measures(laid_out);
  const std::size_t T = examples.rows.size();

  std::vector<double> weights = examples.weights.empty() ? std::vector<double>(T, 1.0) : examples.weights;
  std::vector<double> counted = weights, chi;
  Before before;
  const auto kept = static_cast<std::size_t>(std::ceil((1 - settings.trim) * static_cast<double>(T)));
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<double> omega_counted = counted;
    for (double& each : omega_counted) each *= settings.statistics_weight;
    chi = empirical_priors(laid_out, counted, 1, settings.statistics_weight);
    before = levels_before(laid_out, chi, h, omega_counted);
    if (kept == T || (observer != nullptr && observer->stop_requested())) break;
    std::vector<std::size_t> order(T);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return before.level[a] > before.level[b]; });
    std::vector<double> next(T, 0.0);
    for (std::size_t i = 0; i < kept; ++i) next[order[i]] = weights[order[i]];
    if (next == counted) break;
    counted = std::move(next);
  }

  const double level = quantile(before.level, settings.alpha);
  const ClassPartition partition(laid_out.members, 1, chi);
  ClassConstraints constraints = single_class_constraints(static_cast<Index>(T), examples.weights);
  for (std::size_t t = 0; t < T; ++t) {
    constraints.offset[t] = -h[t] - (settings.offsets == "leave-one-out" ? before.change[t] : 0.0);
  }
  const ClassSolution solution = solve_classes(partition, laid_out.rows, constraints, settings, level, {0.0}, observer);

  const std::vector<std::string> names = laid_out.prepared.names;
  const Matrix x = laid_out.prepared.x;
  Model model = generative_model(data, examples, laid_out, partition, constraints, solution, settings);
  model.labels = {"normal", "odd"};
  GenerativePart& part = *model.generative;
  part.margin_location = level;
  std::vector<double> scales;
  for (const double each : before.level) scales.push_back(std::abs(each));
  part.margin_scale = quantile(std::move(scales), 0.5);
  describe_features(model, names);
  part.levels = settings.calibration == "folds" && solution.report.status != Status::interrupted
                    ? out_of_fold_levels(data, asked, observer)
                    : std::vector<double>();
  if (part.levels.empty()) part.levels = before.level;
  thin(part.levels);
  part.threshold = quantile(part.levels, settings.alpha);
  part.typical.assign(names.size(), 0.0);
  const std::vector<std::vector<double>> each = contributions(model, data.x);
  for (const auto& row : each) {
    for (std::size_t i = 0; i < row.size(); ++i) part.typical[i] += row[i] / static_cast<double>(each.size());
  }
  return model;
}

}  // namespace medlar

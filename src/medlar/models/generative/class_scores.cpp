// Scores of training examples are overconfident, so the slope of the probabilities is fitted to folds that were left
// out. That costs five more fits and may fail: a class may be too small for folds, a fold may lack a class, or time may
// run out. Each case falls back to leave-one-out scores and says so.
#include "medlar/models/generative/class_scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/calibration/calibrate.hpp"
#include "medlar/error.hpp"
#include "medlar/folds.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/thresholds/rough_fits.hpp"

namespace medlar {

namespace {

constexpr Index kFolds = 5;
constexpr std::size_t kSomeScores = 1024;  // enough for a slope within a few thousandths of a second

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Scores of examples by models fitted without them. Empty if the classes are too small for folds, or if the fit was
// asked to end; `cut` then says so.
std::vector<double> scores_on_folds(const Dataset& data, const Settings& settings, const ClassLabels& classes,
                                    double seconds, Observer* observer, bool& cut) {
  const std::vector<double> counts = class_weights_of(classes.y, {}, classes.classes());
  const double smallest = *std::min_element(counts.begin(), counts.end());
  if (smallest < 2 || data.examples() < 2 * kFolds) return {};
  Settings quick = settings;
  quick.calibration = CalibrationScores::left_out;
  quick.tolerance = std::max(settings.tolerance, kGapOfFoldsForASlope);
  quick.task = Task::classify;
  quick.max_seconds = seconds;
  const std::vector<Index> fold_of = assign_folds(data.target, data.examples(), kFolds, settings.seed);
  const auto examples = at(data.examples());
  std::vector<double> scores(at(classes.classes()) * examples);
  for (const auto& [inside, outside] : folds_from(fold_of)) {
    pause();
    const Dataset fitted = fitted_part(data, inside);
    const Model model = fit_generative(fitted, quick, observer);
    cut = cut_short(quick, model.report);
    if (model.labels != classes.labels || cut) return {};
    const Dataset left = left_out_part(data, outside, fitted);
    const std::vector<double> f = generative_class_scores(model, left.x);
    for (std::size_t k = 0; k < at(classes.classes()); ++k) {
      for (std::size_t t = 0; t < outside.size(); ++t) {
        scores[k * examples + at(outside[t])] = f[k * outside.size() + t];
      }
    }
  }
  return scores;
}

// The slope from all examples. If the fit was asked to end, from as many as take little time.
double slope_of(std::span<const double> f, std::span<const Index> y, Index classes, std::span<const double> weights,
                const FitTime& time) {
  double slope = 0;
  if (time.allows([&] { slope = fit_temperature(f, y, classes, weights); })) return slope;
  const std::size_t step = 1 + y.size() / kSomeScores * at(classes);
  std::vector<double> some_f, some_weights;
  std::vector<Index> some_y;
  for (std::size_t t = 0; t < y.size(); t += step) {
    some_y.push_back(y[t]);
    if (!weights.empty()) some_weights.push_back(weights[t]);
  }
  for (std::size_t k = 0; k < at(classes); ++k) {
    for (std::size_t t = 0; t < y.size(); t += step) some_f.push_back(f[k * y.size() + t]);
  }
  return fit_temperature(some_f, some_y, classes, some_weights);
}

// The solve is done, but the probabilities are not the ones asked for.
void tell_of_cut_folds(Report& report, const FitTime& time) {
  const bool interrupted = time.observer() != nullptr && time.observer()->stop_requested();
  report.status = interrupted ? Status::interrupted : Status::limit;
  report.message = fmt::format(
      "{} at relative gap {:.1e}, before the folds that calibrate the probabilities were fitted; these are by margins "
      "left out{}",
      interrupted ? "interrupted" : "stopped: its seconds were over", report.relative_gap,
      interrupted ? "" : "; raise --max-seconds or use --calibration left-out");
}

// The logarithms of the class shares, shifted to a sum of 0.
std::vector<double> log_shares(std::span<const double> class_weight) {
  std::vector<double> b;
  for (const double weight : class_weight) b.push_back(std::log(weight));
  const double mean = std::accumulate(b.begin(), b.end(), 0.0) / static_cast<double>(b.size());
  for (double& each : b) each -= mean;
  return b;
}

void require_every_class(std::span<const double> weight, const ClassLabels& classes) {
  for (std::size_t k = 0; k < weight.size(); ++k) {
    if (weight[k] > 0) continue;
    throw DataError(
        fmt::format("no example of the label '{}' counts: a generative model needs at least one of each label; add "
                    "examples or leave the label out",
                    classes.labels[k]));
  }
}

}  // namespace

LabelledExamples::LabelledExamples(const Dataset& data, const Settings& settings)
    : labels(class_labels(data, settings)),
      examples(counted_examples(data, resolve_weights(data, settings, labels))),
      y(at(labels.y, examples.rows)),
      wanted_bias(at(classes()), 0.0) {
  const std::vector<double> class_weight = class_weights_of(y, examples.weights, classes());
  require_every_class(class_weight, labels);
  if (settings.bias != BiasKind::none) wanted_bias = log_shares(class_weight);
}

std::vector<double> class_weights_of(std::span<const Index> y, std::span<const double> weights, Index classes) {
  std::vector<double> sums(at(classes), 0.0);
  for (std::size_t t = 0; t < y.size(); ++t) sums[at(y[t])] += weights.empty() ? 1.0 : weights[t];
  return sums;
}

double margin_scale(std::span<const double> scores, std::span<const Index> y, Index classes) {
  std::vector<double> margins;
  for (std::size_t t = 0; t < y.size(); ++t) {
    double nearest = HUGE_VAL;
    for (std::size_t k = 0; k < at(classes); ++k) {
      if (k != at(y[t])) nearest = std::min(nearest, scores[at(y[t]) * y.size() + t] - scores[k * y.size() + t]);
    }
    margins.push_back(std::abs(nearest));
  }
  return median(std::move(margins));
}

void set_probabilities(Model& model, const Dataset& data, const Settings& asked, const ClassLabels& classes,
                       std::span<const double> left_out, std::span<const Index> y, const FitTime& time) {
  std::vector<double> folds;
  if (asked.calibration == CalibrationScores::folds && !cut_short(asked, model.report)) {
    const double seconds = time.left() / static_cast<double>(kFolds);
    bool cut = false;
    try {
      const bool whole =
          time.allows([&] { folds = scores_on_folds(data, asked, classes, seconds, time.observer(), cut); });
      if (cut || !whole) tell_of_cut_folds(model.report, time);
    } catch (const DataError&) {  // a fold in which no example of some class counts
    }
  }
  std::vector<double> weights = resolve_weights(data, asked, classes);
  if (!folds.empty()) {
    model.generative->slope = slope_of(folds, classes.y, classes.classes(), weights, time);
    return;
  }
  std::erase(weights, 0.0);  // y holds only the examples that count
  model.generative->slope = slope_of(left_out, y, classes.classes(), weights, time);
}

}  // namespace medlar

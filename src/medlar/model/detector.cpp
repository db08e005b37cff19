// See the header.
#include "medlar/model/detector.hpp"

#include "medlar/anomaly.hpp"
#include "medlar/error.hpp"
#include "medlar/folds.hpp"
#include "medlar/model/generative_scores.hpp"
#include "medlar/model/kinds.hpp"
#include "medlar/model/predicting.hpp"
#include "medlar/model/rows.hpp"

namespace medlar {

namespace {

constexpr Index kLevelFolds = 5;
constexpr std::size_t kMostLevels = 1000;
constexpr Index kSome = 100;

void thin(std::vector<double>& levels) {
  std::sort(levels.begin(), levels.end());
  if (levels.size() <= kMostLevels) return;
  std::vector<double> fewer;
  for (std::size_t i = 0; i < kMostLevels; ++i) fewer.push_back(levels[i * (levels.size() - 1) / (kMostLevels - 1)]);
  levels = std::move(fewer);
}

std::vector<double> levels_on_folds(const Dataset& data, const Settings& asked, double seconds, Observer* observer) {
  if (data.examples() < 4 * kLevelFolds) return {};
  Settings quick = asked;
  quick.calibration = "left-out";
  quick.max_seconds = seconds;
  const std::vector<Index> fold_of = assign_folds({}, data.examples(), kLevelFolds, asked.seed);
  std::vector<double> levels;
  for (const auto& [inside, outside] : folds_from(fold_of)) {
    pause();
    const Dataset fitted = fitted_part(data, inside);
    const Model model = fit_generative(fitted, quick, observer);
    if (cut_short(quick, model.report)) return {};
    const Matrix left = left_out_part(data, outside, fitted).x;
    const std::vector<double> scores = generative_class_scores(model, left), gaps = typical_of_gaps(model, left);
    for (std::size_t t = 0; t < scores.size(); ++t) levels.push_back(scores[t] + gaps[t]);
  }
  return levels;
}

// Empty when there are too few examples or the end is asked for.
std::vector<double> out_of_fold_levels(const Dataset& data, const Settings& asked, const FitTime& time) {
  std::vector<double> levels;
  const bool whole = time.allows(
      [&] { levels = levels_on_folds(data, asked, time.left() / static_cast<double>(kLevelFolds), time.observer()); });
  return whole ? levels : std::vector<double>();
}

// Of the examples that say anything of the feature.
std::vector<double> mean_contributions(const Model& model, const Matrix& x) {
  std::vector<double> mean(model.features.size(), 0.0), counted(mean.size(), static_cast<double>(x.rows()));
  for (const auto& row : contributions(model, x)) {
    for (std::size_t i = 0; i < row.size(); ++i) mean[i] += row[i];
  }
  for_each_block(model, x, std::ssize(mean), [&](const Matrix& rows) {
    for (Index t = 0; t < rows.rows(); ++t) {
      for (const Index i : absent_features(*model.generative, rows.row(t))) --counted[static_cast<std::size_t>(i)];
    }
  });
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = counted[i] > 0 ? mean[i] / counted[i] : 0.0;
  return mean;
}

// Of all examples, or when the end is asked for of some.
std::vector<double> typical_contributions(const Model& model, const Matrix& x, const FitTime& time) {
  std::vector<double> typical;
  const bool whole = time.allows([&] { typical = mean_contributions(model, x); });
  if (whole) return typical;
  std::vector<Index> some;
  for (Index t = 0; t < x.rows(); t += std::max<Index>(1, x.rows() / kSome)) some.push_back(t);
  return mean_contributions(model, select_rows(x, some));
}

}  // namespace

void resolve_detector(Settings& settings) {
  if (settings.switches != "none" || settings.class_weight != "none" || settings.margin_location) {
    throw OptionError(
        "task = anomaly has one class, at the level that alpha names: leave switches, class-weight and "
        "margin-location out");
  }
  settings.bias = "none";
  if (settings.margin == "auto") settings.margin = "exponential";
  resolve_margin_and_bias(settings);
  if (!settings.c) settings.c = 0.1;
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const double part = place - static_cast<double>(low);
  return low + 1 < values.size() ? (1 - part) * values[low] + part * values[low + 1] : values[low];
}

void complete_detector(Model& model, const Dataset& data, const Settings& asked, const LevelsBefore& before,
                       double level, const FitTime& time) {
  GenerativePart& part = *model.generative;
  model.labels = {"normal", "odd"};
  part.margin_location = level;
  std::vector<double> scales;
  for (const double each : before.level) scales.push_back(std::abs(each));
  part.margin_scale = quantile(std::move(scales), 0.5);
  part.levels = model.settings.calibration == "folds" && !cut_short(asked, model.report)
                    ? out_of_fold_levels(data, asked, time)
                    : std::vector<double>();
  if (part.levels.empty()) part.levels = before.level;
  thin(part.levels);
  part.threshold = quantile(part.levels, model.settings.alpha);
  part.typical = typical_contributions(model, data.x, time);
}

}  // namespace medlar

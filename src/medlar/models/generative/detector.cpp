// A threshold from training scores would be too low, because the model has seen those examples; it comes from folds
// that were left out. Rows with gaps scatter less than whole rows, so mixing both would set it wrong for whole rows.
// All of this must also end in time, with what is known by then.
#include "medlar/models/generative/detector.hpp"

#include <fmt/format.h>

#include "medlar/anomaly.hpp"
#include "medlar/error.hpp"
#include "medlar/folds.hpp"
#include "medlar/models/generative/generative_scores.hpp"
#include "medlar/models/generative/tree_scores.hpp"
#include "medlar/models/generative/typical.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/models/predicting.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/rows.hpp"

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

// Scores of normal examples, and which of them belong to rows without gaps.
struct LevelsSeen {
  std::vector<double> level;
  std::vector<bool> whole;
};

std::vector<bool> misses_nothing(const Model& model, const Matrix& x) {
  std::vector<bool> whole;
  for_each_block(model, x, std::ssize(model.features), [&](const Matrix& rows) {
    for (Index t = 0; t < rows.rows(); ++t) whole.push_back(absent_features(*model.generative, rows.row(t)).empty());
  });
  return whole;
}

LevelsSeen levels_on_folds(const Dataset& data, const Settings& asked, double seconds, Observer* observer) {
  if (data.examples() < 4 * kLevelFolds) return {};
  Settings quick = asked;
  quick.calibration = CalibrationScores::left_out;
  quick.max_seconds = seconds;
  const std::vector<Index> fold_of = assign_folds({}, data.examples(), kLevelFolds, asked.seed);
  LevelsSeen levels;
  for (const auto& [inside, outside] : folds_from(fold_of)) {
    pause();
    const Dataset fitted = fitted_part(data, inside);
    const Model model = fit_generative(fitted, quick, observer);
    if (cut_short(quick, model.report)) return {};
    const Matrix left = left_out_part(data, outside, fitted).x;
    const std::vector<double> scores = generative_class_scores(model, left), gaps = typical_of_gaps(model, left);
    for (std::size_t t = 0; t < scores.size(); ++t) levels.level.push_back(scores[t] + gaps[t]);
    const std::vector<bool> whole = misses_nothing(model, left);
    levels.whole.insert(levels.whole.end(), whole.begin(), whole.end());
  }
  return levels;
}

// Empty if there are too few examples, or if the fit was asked to end.
LevelsSeen out_of_fold_levels(const Dataset& data, const Settings& asked, const FitTime& time) {
  LevelsSeen levels;
  const bool whole = time.allows(
      [&] { levels = levels_on_folds(data, asked, time.left() / static_cast<double>(kLevelFolds), time.observer()); });
  return whole ? levels : LevelsSeen();
}

// A gap counts as typical, which scatters less than a cell would. Among such levels a whole row looks odder than it is.
// So whole rows alone set the threshold, where there are enough of them.
std::vector<double> of_whole_rows(const LevelsSeen& levels, Report& report) {
  std::vector<double> whole;
  for (std::size_t t = 0; t < levels.level.size(); ++t) {
    if (levels.whole[t]) whole.push_back(levels.level[t]);
  }
  if (std::ssize(whole) >= kEnoughWholeRows || whole.size() == levels.level.size()) return whole;
  report.message += fmt::format(
      "; the threshold is that of all rows, for only {} miss nothing where {} are needed: of whole rows more than "
      "alpha will be odd",
      whole.size(), kEnoughWholeRows);
  return levels.level;
}

std::vector<double> mean_contributions(const Model& model, const Matrix& x) {
  MeanContributions mean(*model.generative, std::ssize(model.features));
  const ColumnScores by_column = column_scores(model);
  for_each_block(model, x, std::ssize(model.features), [&](const Matrix& rows) {
    const auto parts = by_column(rows, 0);
    for (std::size_t t = 0; t < parts.size(); ++t) mean.add(rows.row(static_cast<Index>(t)), parts[t]);
  });
  return mean.means();
}

// From all examples, or from some of them if the fit was asked to end.
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
  if (settings.switches != SwitchKind::none || settings.class_weight != ClassWeightKind::none ||
      settings.margin_location) {
    throw OptionError(
        "task = anomaly has one class, at the level that alpha names: leave switches, class-weight and "
        "margin-location out");
  }
  settings.bias = BiasKind::none;
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
  LevelsSeen levels;
  if (model.settings.calibration == CalibrationScores::folds && !cut_short(asked, model.report)) {
    levels = out_of_fold_levels(data, asked, time);
  }
  if (levels.level.empty()) {
    const std::vector<bool> whole = misses_nothing(model, data.x);
    levels = {before.level, {}};
    for (const Index t : counted_examples(data, data.weights).rows) {
      levels.whole.push_back(whole[static_cast<std::size_t>(t)]);
    }
  }
  part.levels = of_whole_rows(levels, model.report);
  thin(part.levels);
  part.threshold = quantile(part.levels, model.settings.alpha);
  part.typical = typical_contributions(model, data.x, time);
}

}  // namespace medlar

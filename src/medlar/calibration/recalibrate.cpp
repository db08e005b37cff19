// Each fold is fitted without its examples, which are then scored.
#include <fmt/format.h>

#include "medlar/calibration/curve.hpp"
#include "medlar/error.hpp"
#include "medlar/folds.hpp"
#include "medlar/metrics.hpp"
#include "medlar/scores_by_class.hpp"
#include "medlar/selection.hpp"

namespace medlar {
namespace {

void check_kind(const Model& model, CurveKind kind) {
  const bool fits = model.task == Task::classify && model.settings.model != ModelKind::latent;
  if (!fits) {
    throw OptionError(
        fmt::format("recalibrate is for linear, kernel and generative models of labels, but this is a "
                    "model of kind {} for the task {}; leave it out",
                    word_of(model.settings.model), word_of(model.task)));
  }
  if (kind != CurveKind::folds && model.labels.size() > 2) {
    throw OptionError(fmt::format("recalibrate = {} is for two labels, but there are {}; use --recalibrate folds",
                                  word_of(kind), model.labels.size()));
  }
}

}  // namespace

std::optional<Recalibration> recalibrate(const Model& model, const Dataset& data, CurveKind kind, Index folds,
                                         const FitPart& fit_part, Observer* observer) {
  check_kind(model, kind);
  const bool several = model.labels.size() > 2;
  std::vector<LeftOutRow> rows;
  const std::vector<Fold> dealt = deal_folds(data, folds, 1, model.settings.seed);
  for (std::size_t k = 0; k < dealt.size(); ++k) {
    const Dataset fitted = fitted_part(data, dealt[k].fitted);
    const Model part = fit_part(fitted, observer);
    if (part.report.status == Status::interrupted) return {};
    if (part.labels.size() != model.labels.size()) continue;  // a fold without examples of one label
    const Dataset outside = left_out_part(data, dealt[k].left_out, fitted);
    const Comparison left_out = compare(part, outside);
    const auto scores = several ? scores_by_class(part, outside.x) : std::vector<std::vector<double>>();
    for (std::size_t t = 0; t < left_out.predicted.size(); ++t) {
      const double weight = left_out.weights.empty() ? 1 : left_out.weights[t];
      const Prediction& each = left_out.predicted[t];
      if (several) {
        rows.push_back(
            {scores[static_cast<std::size_t>(left_out.rows[t])], each.probabilities, left_out.y[t], weight, k});
      } else {
        rows.push_back({{each.score}, {each.probability}, left_out.y[t], weight, k});
      }
    }
  }
  if (rows.empty()) {
    throw OptionError("recalibrate needs examples of every label in each fold; use fewer folds, or leave it out");
  }
  return measured_curve(rows, kind, folds, usual_slope(model));
}

}  // namespace medlar

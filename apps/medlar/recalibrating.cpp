#include "recalibrating.hpp"

#include <fmt/format.h>

#include "checks.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace medlar::cli {
namespace {

constexpr Index kFolds = 5;

Json reliability_json(const Reliability& part) {
  Json bins = Json::array();
  for (const CalibrationBin& bin : part.bins) {
    bins.push_back({{"low", bin.low},
                    {"high", bin.high},
                    {"examples", bin.examples},
                    {"predicted", bin.predicted},
                    {"observed", bin.observed},
                    {"standard_error", bin.standard_error}});
  }
  return {{"brier", part.brier}, {"log_loss", part.log_loss}, {"error", part.error}, {"bins", bins}};
}

}  // namespace

void add_recalibrate_flag(CLI::App& command, std::string& kind) {
  command
      .add_option(
          "--recalibrate", kind,
          "probabilities by a curve over the scores of examples left out in turn: folds, platt, isotonic; none: "
          "by the model itself [default: of tune folds, else none]")
      ->type_name("WORD")
      ->check(one_of({"folds", "none", "platt", "isotonic"}));
}

void recalibrate_model(const Globals& globals, Model& model, const Dataset& data, const std::string& kind,
                       const FitPart& fit_part) {
  if (model.report.status == Status::interrupted || kind == "none") return;
  Progress progress(globals);
  model.recalibration = recalibrate(model, data, *read_word<CurveKind>(kind), kFolds, fit_part, &progress);
  if (!model.recalibration)
    talk(globals, progress.stop_requested() ? "interrupted; the probabilities are those of the model itself"
                                            : "--max-seconds were over before the folds of the curve were "
                                              "fitted; the probabilities are those of the model itself");
}

std::string recalibration_text(const Recalibration& curve) {
  return fmt::format(
      "probabilities by {} on examples left out: Brier {:.4f} ({:.4f} without), calibration error {:.4f} ({:.4f})\n",
      word_of(curve.kind), curve.after.brier, curve.before.brier, curve.after.error, curve.before.error);
}

Json recalibration_json(const Recalibration& curve) {
  return {{"kind", word_of(curve.kind)},
          {"folds", curve.folds},
          {"before", reliability_json(curve.before)},
          {"after", reliability_json(curve.after)}};
}

}  // namespace medlar::cli

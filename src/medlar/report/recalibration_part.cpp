// What the probabilities of a recalibrated model are, and how reliable they were on examples left out.
#include <nlohmann/json.hpp>

#include "medlar/report/page_data.hpp"

namespace medlar {
namespace {

PageJson reliability(const Reliability& part) {
  return {{"brier", page_number(part.brier)},
          {"log_loss", page_number(part.log_loss)},
          {"error", page_number(part.error)},
          {"bins", calibration_bins(part.bins)}};
}

}  // namespace

PageJson calibration_bins(const std::vector<CalibrationBin>& bins) {
  PageJson rows = PageJson::array();
  for (const CalibrationBin& bin : bins) {
    rows.push_back({{"low", bin.low},
                    {"high", bin.high},
                    {"examples", bin.examples},
                    {"predicted", bin.predicted},
                    {"observed", bin.observed},
                    {"standard_error", bin.standard_error}});
  }
  return rows;
}

PageJson recalibration_part(const Recalibration& curve) {
  return {{"kind", word_of(curve.kind)},
          {"folds", curve.folds},
          {"before", reliability(curve.before)},
          {"after", reliability(curve.after)}};
}

}  // namespace medlar

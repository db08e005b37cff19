// An expansion may be a thousand times larger than the data, so rows are transformed in blocks. The random features of
// a kernel map are costly to arrange, so that is done once for all blocks.
#include "medlar/models/predicting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "medlar/error.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/prepare/rows.hpp"
#include "medlar/prepare/transforms.hpp"

namespace medlar {
namespace {

constexpr Index kRows = 256, kValues = Index{1} << 18;  // per block; with many columns it has fewer rows

}  // namespace

void for_each_block(const Model& model, const Matrix& x, Index columns,
                    const std::function<void(const Matrix& inputs)>& visit) {
  std::vector<std::unique_ptr<Replay>> steps;  // prepared once for all blocks
  for (const Transform& transform : model.transforms) steps.push_back(std::make_unique<Replay>(transform));
  const Index wide = std::max<Index>(columns, x.is_sparse() ? 1 : x.columns());
  const Index at_once = std::clamp<Index>(kValues / wide, 1, kRows);
  for (Index begin = 0; begin < x.rows(); begin += at_once) {
    std::vector<Index> rows(static_cast<std::size_t>(std::min(at_once, x.rows() - begin)));
    std::iota(rows.begin(), rows.end(), begin);
    Matrix inputs = select_rows(x, rows);
    for (const auto& step : steps) inputs = (*step)(inputs);
    if (inputs.columns() != columns) {
      throw DataError(fmt::format("the transforms make {} features, but the model has {}", inputs.columns(), columns));
    }
    visit(inputs);
    pause();
  }
}

void require_finite(const Prediction& prediction, Index example, bool by_missing) {
  if (std::isfinite(prediction.score) && std::isfinite(prediction.sd)) return;
  throw DataError(
      fmt::format("example {}: the score is {} with sd {}; its values are {}so large that double precision "
                  "does not hold their sum: check them, or scale the features",
                  example + 1, prediction.score, prediction.sd, by_missing ? "missing, or " : ""));
}

double normal_cdf(double score, double sd) {
  if (sd == 0) return score > 0 ? 1 : score < 0 ? 0 : 0.5;
  return 0.5 * std::erfc(-score / sd * std::sqrt(0.5));
}

double probability_of(const Model& model, const Prediction& prediction) {
  if (model.settings.margin == MarginKind::logistic) return 1 / (1 + std::exp(-prediction.score));
  return normal_cdf(prediction.score, prediction.sd);
}

void complete(const Model& model, Index example, Prediction& prediction) {
  require_finite(prediction, example);
  if (model.task != Task::classify) return;
  prediction.probability = probability_of(model, prediction);
  prediction.label = prediction.score > 0 ? 1 : 0;
}

}  // namespace medlar

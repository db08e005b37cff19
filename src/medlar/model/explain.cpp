// What each feature adds to a score: E[L(x)] = b + sum_i w_i x_i, w_i = E[theta_i s_i].   [MED 4.1]
#include "medlar/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/data/transforms.hpp"
#include "medlar/error.hpp"
#include "medlar/model/latent_features.hpp"

namespace medlar {

bool explainable(const Model& model) {
  if (model.labels.size() > 2) return false;
  return model.settings.model == "linear" || (model.latent && scores_latent_features(model));
}

std::vector<Explanation> explain(const Model& model, const Matrix& x, Index most) {
  if (!explainable(model)) {
    throw OptionError(fmt::format("a {} model of {} labels has no score that is a sum over its features",
                                  model.settings.model, model.labels.size()));
  }
  if (most < 1) throw OptionError(fmt::format("most = {}, but at least one contribution must be asked for", most));
  Matrix inputs = model.latent ? latent_features(model, x) : x;
  for (const Transform& transform : model.transforms) inputs = apply(transform, inputs);
  if (inputs.columns() != static_cast<Index>(model.features.size())) {
    throw DataError(
        fmt::format("the data makes {} features, but the model has {}", inputs.columns(), model.features.size()));
  }
  std::vector<Explanation> explained;
  for (Index t = 0; t < inputs.rows(); ++t) {
    Explanation& each = explained.emplace_back();
    each.bias = model.bias;
    for_each(inputs.row(t), [&](Index i, double value) {
      const double added = model.features[static_cast<std::size_t>(i)].coefficient * value;
      if (added != 0) each.largest.push_back({i, value, added});
    });
    const auto kept = std::min(each.largest.size(), static_cast<std::size_t>(most));
    const auto middle = each.largest.begin() + static_cast<std::ptrdiff_t>(kept);
    std::partial_sort(each.largest.begin(), middle, each.largest.end(),
                      [](const Contribution& a, const Contribution& b) {
                        if (std::abs(a.added) != std::abs(b.added)) return std::abs(a.added) > std::abs(b.added);
                        return a.feature < b.feature;
                      });
    each.others = static_cast<Index>(each.largest.size() - kept);
    for (auto other = middle; other != each.largest.end(); ++other) each.added_by_others += other->added;
    each.largest.erase(middle, each.largest.end());
  }
  return explained;
}

}  // namespace medlar

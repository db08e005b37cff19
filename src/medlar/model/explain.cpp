// What each feature adds to a score: E[L(x)] = b + sum_i w_i x_i, w_i = E[theta_i s_i].   [MED 4.1]
// Of an anomaly detector: E[log p(x)], feature by feature, against what is typical of it (theory 8).
#include "medlar/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/anomaly.hpp"
#include "medlar/error.hpp"
#include "medlar/model/latent_features.hpp"
#include "medlar/model/predicting.hpp"

namespace medlar {
namespace {

// The largest `most` stay in the list, in their order; the others become one number.
void keep_largest(Explanation& each, Index most) {
  const auto kept = std::min(each.largest.size(), static_cast<std::size_t>(most));
  const auto middle = each.largest.begin() + static_cast<std::ptrdiff_t>(kept);
  std::partial_sort(each.largest.begin(), middle, each.largest.end(), [](const Contribution& a, const Contribution& b) {
    if (std::abs(a.added) != std::abs(b.added)) return std::abs(a.added) > std::abs(b.added);
    return a.feature < b.feature;
  });
  each.others = static_cast<Index>(each.largest.size() - kept);
  for (auto other = middle; other != each.largest.end(); ++other) each.added_by_others += other->added;
  each.largest.erase(middle, each.largest.end());
}

}  // namespace

bool explainable(const Model& model) {
  if (model.task == "anomaly") return true;
  if (model.labels.size() > 2) return false;
  return model.settings.model == "linear" || (model.latent && scores_latent_features(model));
}

std::vector<Explanation> explain(const Model& model, const Matrix& x, Index most) {
  if (!explainable(model)) {
    throw OptionError(fmt::format("a {} model of {} labels has no score that is a sum over its features",
                                  model.settings.model, model.labels.size()));
  }
  if (most < 1) throw OptionError(fmt::format("most = {}, but at least one contribution must be asked for", most));
  const bool odd = model.task == "anomaly";
  const auto parts = odd ? contributions(model, x) : std::vector<std::vector<double>>();
  const std::vector<double> typical = odd ? model.generative->typical : std::vector<double>();
  const double level = odd ? std::accumulate(typical.begin(), typical.end(), 0.0) : model.bias;
  std::vector<Explanation> explained;
  const Matrix rows = model.latent ? latent_features(model, x) : x;
  for_each_block(model, rows, std::ssize(model.features), [&](const Matrix& inputs) {
    for (Index t = 0; t < inputs.rows(); ++t) {
      std::vector<double> values(odd ? model.features.size() : 0, 0.0);
      Explanation each;
      each.bias = level;
      for_each(inputs.row(t), [&](Index i, double value) {
        const auto at = static_cast<std::size_t>(i);
        if (odd) {
          values[at] = value;
          return;
        }
        const double added = model.features[at].coefficient * value;
        if (added != 0) each.largest.push_back({i, value, added});
      });
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double added = parts[explained.size()][i] - typical[i];
        if (added != 0) each.largest.push_back({static_cast<Index>(i), values[i], added});
      }
      keep_largest(each, most);
      explained.push_back(std::move(each));
    }
  });
  return explained;
}

}  // namespace medlar

// A fit in two steps: features are ranked by one fit, and the best of them fitted anew without switches, so that
// shrinking the many does not shrink the few.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/error.hpp"
#include "medlar/fit.hpp"
#include "medlar/selection/checks.hpp"
#include "medlar/tune.hpp"

namespace medlar {
namespace {

// Columns of the largest |coefficient|, in the order of the columns.
std::vector<Index> best_columns(const Model& ranking, Index kept) {
  std::vector<Index> order(ranking.features.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto size = [&](Index i) { return std::abs(ranking.features[static_cast<std::size_t>(i)].coefficient); };
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return size(i) > size(j); });
  order.resize(std::min(order.size(), static_cast<std::size_t>(kept)));
  std::sort(order.begin(), order.end());
  return order;
}

Dataset narrowed(const Dataset& data, std::span<const Index> columns) {
  std::vector<double> values(static_cast<std::size_t>(data.examples()) * columns.size());
  std::vector<Index> place(static_cast<std::size_t>(data.features()), -1);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    place[static_cast<std::size_t>(columns[k])] = static_cast<Index>(k);
  }
  for (Index t = 0; t < data.examples(); ++t) {
    for_each(data.x.row(t), [&](Index i, double value) {
      const Index k = place[static_cast<std::size_t>(i)];
      if (k >= 0) values[static_cast<std::size_t>(t) * columns.size() + static_cast<std::size_t>(k)] = value;
    });
  }
  Dataset narrow = data;
  narrow.x = Matrix::dense(data.examples(), std::ssize(columns), std::move(values));
  narrow.names.clear();
  narrow.group_of.clear();
  narrow.group_names.clear();
  narrow.schema.columns.clear();
  narrow.schema.features = narrow.features();
  for (const Index i : columns) narrow.names.push_back(data.names[static_cast<std::size_t>(i)]);
  return narrow;
}

}  // namespace

Model relaxed_refit(const Dataset& data, const Settings& settings, const Model& ranking, Index kept,
                    Observer* observer) {
  require_linear(settings, "a relaxed refit");
  if (kept < 1) throw OptionError(fmt::format("a relaxed refit keeps {} features, but must keep at least 1", kept));
  if (settings.expand != "none" || std::ssize(ranking.features) != data.features()) {
    throw OptionError(
        fmt::format("a relaxed refit keeps columns of the file, but expand = {}; use --expand none", settings.expand));
  }
  if (!settings.feature_p0.empty() || !settings.prior_mean.empty()) {
    throw OptionError("a relaxed refit has p0 = 1 and prior mean 0; leave out --feature-priors and --prior-mean");
  }
  Settings without = settings;
  without.p0 = 1;
  without.groups = "none";
  without.scale = ranking.settings.scale;
  const std::vector<Index> columns = best_columns(ranking, kept);
  const Model narrow = fit(narrowed(data, columns), without, observer);
  Model model = narrow;
  model.schema = ranking.schema;
  model.transforms = ranking.transforms;
  model.features = ranking.features;
  model.group_names.clear();
  for (Feature& feature : model.features) {
    feature.inclusion = feature.coefficient = feature.sd = 0;
    feature.group = -1;
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    model.features[static_cast<std::size_t>(columns[k])] = narrow.features[k];
  }
  if (narrow.multiclass) {
    const std::size_t classes = narrow.labels.size();
    model.multiclass->coefficient.assign(model.features.size() * classes, 0.0);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      std::copy_n(narrow.multiclass->coefficient.begin() + static_cast<std::ptrdiff_t>(k * classes), classes,
                  model.multiclass->coefficient.begin() + columns[k] * static_cast<std::ptrdiff_t>(classes));
    }
  }
  return model;
}

}  // namespace medlar

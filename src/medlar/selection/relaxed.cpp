// See the header. A fit in two steps: features are ranked by one fit, and the best of them fitted anew without
// switches, so that shrinking the many does not shrink the few.
#include "medlar/selection/relaxed.hpp"

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

constexpr Index kSteps[] = {64, 32, 24, 20, 16, 14, 12};  // below, one by one

Index step_below(Index from) {
  for (const Index step : kSteps) {
    if (step < from) return step;
  }
  return from - 1;
}

// The places of the `count` largest sizes, in ascending order; of equals the first.
std::vector<Index> largest(const std::vector<double>& size, Index count) {
  std::vector<Index> order(size.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto of = [&](Index i) { return size[static_cast<std::size_t>(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return of(i) > of(j); });
  order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
  std::sort(order.begin(), order.end());
  return order;
}

void check_ranking(const Dataset& data, const Model& ranking) {
  const Settings& settings = ranking.settings;
  require_linear(settings, "a relaxed refit");
  if (settings.expand != "none" || std::ssize(ranking.features) != data.features()) {
    throw OptionError(
        fmt::format("a relaxed refit keeps columns of the file, but expand = {}; use --expand none", settings.expand));
  }
  if (!settings.feature_p0.empty() || !settings.prior_mean.empty()) {
    throw OptionError("a relaxed refit has p0 = 1 and prior mean 0; leave out --feature-priors and --prior-mean");
  }
}

}  // namespace

Dataset narrowed(const Dataset& data, std::span<const Index> columns) {
  std::vector<double> values(static_cast<std::size_t>(data.examples()) * columns.size());
  std::vector<Index> place(static_cast<std::size_t>(data.features()), -1);
  Dataset narrow;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    place[static_cast<std::size_t>(columns[k])] = static_cast<Index>(k);
    narrow.names.push_back(data.names[static_cast<std::size_t>(columns[k])]);
  }
  for (Index t = 0; t < data.examples(); ++t) {
    for_each(data.x.row(t), [&](Index i, double value) {
      const Index k = place[static_cast<std::size_t>(i)];
      if (k >= 0) values[static_cast<std::size_t>(t) * columns.size() + static_cast<std::size_t>(k)] = value;
    });
  }
  narrow.x = Matrix::dense(data.examples(), std::ssize(columns), std::move(values));
  narrow.source = data.source;
  narrow.target = data.target;
  narrow.weights = data.weights;
  narrow.beliefs = data.beliefs;
  narrow.lines = data.lines;
  narrow.schema.format = data.schema.format;
  narrow.schema.target = data.schema.target;
  narrow.schema.features = narrow.features();
  return narrow;
}

Model widened(const Model& narrow, std::span<const Index> columns, const Model& whole) {
  Model model = narrow;
  model.schema = whole.schema;
  model.transforms = whole.transforms;
  model.features = whole.features;
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

Shortlist::Shortlist(const Dataset& whole, const Model& ranking, Index wanted) : scale(ranking.settings.scale) {
  check_ranking(whole, ranking);
  std::vector<double> all;
  for (const Feature& feature : ranking.features) all.push_back(std::abs(feature.coefficient));
  columns = largest(all, std::max(kSteps[0], wanted));
  for (const Index i : columns) size.push_back(all[static_cast<std::size_t>(i)]);
  data = narrowed(whole, columns);
}

Elimination::Elimination(const Shortlist& shortlist, const Settings& settings)
    : shortlist_(shortlist), settings_(settings), places_(shortlist.columns.size()), size_(shortlist.size) {
  settings_.p0 = 1;
  settings_.groups = "none";
  settings_.scale = shortlist.scale;
  std::iota(places_.begin(), places_.end(), Index{0});
}

std::vector<Index> Elimination::columns() const {
  std::vector<Index> columns;
  for (const Index place : last_) columns.push_back(shortlist_.columns[static_cast<std::size_t>(place)]);
  return columns;
}

Model Elimination::down_to(Index kept, Observer* observer) {
  if (kept < 1) throw OptionError(fmt::format("a relaxed refit keeps {} features, but must keep at least 1", kept));
  while (true) {
    const Index now = std::ssize(places_), next = begun_ ? step_below(now) : std::min(kSteps[0], now);
    if (next < kept) return refit(kept, observer);  // between two steps, or above the first: it changes none of them
    Model model = refit(next, observer);
    begun_ = true;
    places_ = last_;
    size_.clear();
    for (const Feature& feature : model.features) size_.push_back(std::abs(feature.coefficient));
    if (model.report.status == Status::interrupted || next == kept) return model;
  }
}

Model Elimination::refit(Index kept, Observer* observer) {
  last_.clear();
  for (const Index k : largest(size_, kept)) last_.push_back(places_[static_cast<std::size_t>(k)]);
  return fit(narrowed(shortlist_.data, last_), settings_, observer);
}

Model relaxed_refit(const Dataset& data, const Settings& settings, const Model& ranking, Index kept,
                    Observer* observer) {
  const Shortlist shortlist(data, ranking, kept);
  Elimination elimination(shortlist, settings);
  const Model narrow = elimination.down_to(kept, observer);
  return widened(narrow, elimination.columns(), ranking);
}

}  // namespace medlar

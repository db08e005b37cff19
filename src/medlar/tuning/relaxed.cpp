// A fit in two steps: one fit ranks the features, and the best of them are fitted again without switches, so that
// shrinking the many does not shrink the few. The result for k features must not depend on which other numbers are
// asked for, so the elimination always follows the same steps. An exchange is accepted only if the certificates prove
// that F falls.
#include "medlar/tuning/relaxed.hpp"
#include "medlar/options/vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/error.hpp"
#include "medlar/fit.hpp"
#include "medlar/numerics/sum.hpp"
#include "medlar/thresholds/refits.hpp"
#include "medlar/trust/checks.hpp"
#include "medlar/tune.hpp"

namespace medlar {
namespace {

constexpr Index kSteps[] = {64, 32, 24, 20, 16, 14, 12};  // then one by one

Index step_below(Index from) {
  for (const Index step : kSteps) {
    if (step < from) return step;
  }
  return from - 1;
}

// The places of the `count` largest sizes, in ascending order. Of equal sizes the first is taken.
std::vector<Index> largest(const std::vector<double>& size, Index count) {
  std::vector<Index> order(size.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto of = [&](Index i) { return size[static_cast<std::size_t>(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return of(i) > of(j); });
  order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
  std::sort(order.begin(), order.end());
  return order;
}

// The standard deviation of each column.
std::vector<double> spreads_of(const Matrix& x) {
  const auto n = static_cast<std::size_t>(x.columns());
  const auto T = static_cast<double>(x.rows());
  std::vector<double> mean(n, 0.0), squares(n, 0.0);
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) { mean[static_cast<std::size_t>(i)] += value / T; });
  }
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) {
      const double z = value - mean[static_cast<std::size_t>(i)];
      squares[static_cast<std::size_t>(i)] += z * z / T;
    });
  }
  for (double& each : squares) each = std::sqrt(each);
  return squares;
}

// By which features come and go: |coefficient|. Those that stay in come first, whatever it is.
std::vector<double> rank_of(const Model& model) {
  std::vector<double> rank;
  for (const Feature& feature : model.features) rank.push_back(feature.kept ? HUGE_VAL : std::abs(feature.coefficient));
  return rank;
}

void check_ranking(const Dataset& data, const Model& ranking) {
  const Settings& settings = ranking.settings;
  require_linear(settings, "a relaxed refit");
  if (settings.expand != ExpansionKind::none || std::ssize(ranking.features) != data.features()) {
    throw OptionError(
        fmt::format("a relaxed refit keeps columns of the file, but expand = {}; use --expand none", settings.expand));
  }
  if (!settings.feature_p0.empty() || !settings.prior_mean.empty() || !settings.feature_prior_variance.empty()) {
    throw OptionError(
        "a relaxed refit has p0 = 1, prior mean 0 and one prior variance; leave out --feature-priors, --prior-mean and "
        "--feature-prior-variance");
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
    if (!data.group_of.empty()) narrow.group_of.push_back(data.group_of[static_cast<std::size_t>(columns[k])]);
  }
  narrow.group_names = data.group_names;
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
  model.evident = std::vector<Index>(columns.begin(), columns.end());  // what a refit keeps was selected
  std::sort(model.evident->begin(), model.evident->end());
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
  const std::vector<double> all = rank_of(ranking);
  for (const Feature& feature : ranking.features) {
    if (feature.kept) kept.push_back(feature.name);
  }
  columns = largest(all, std::max(kSteps[0], wanted) + std::ssize(kept));
  for (const Index i : columns) size.push_back(all[static_cast<std::size_t>(i)]);
  data = narrowed(whole, columns);
  spread.assign(columns.size(), 1.0);
  if (scale != ScaleKind::none) spread = spreads_of(data.x);
}

Elimination::Elimination(const Shortlist& shortlist, const Settings& settings)
    : shortlist_(shortlist), settings_(settings), places_(shortlist.columns.size()), size_(shortlist.size) {
  settings_.p0 = 1;
  settings_.groups = GroupsKind::none;
  settings_.scale = shortlist.scale;
  settings_.keep = shortlist.kept;
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
    const Index now = std::ssize(places_) - std::ssize(shortlist_.kept),
                next = begun_ ? step_below(now) : std::min(kSteps[0], now);
    // This number lies between two steps, or above the first, and changes none of them.
    if (next < kept) return exchanged(refit(kept, observer), observer);
    Model model = exchanged(refit(next, observer), observer);
    begun_ = true;
    places_ = last_;
    size_ = rank_of(model);
    if (model.report.status == Status::interrupted || next == kept) return model;
  }
}

Model Elimination::refit(Index kept, Observer* observer) {
  last_.clear();
  for (const Index k : largest(size_, kept + std::ssize(shortlist_.kept)))
    last_.push_back(places_[static_cast<std::size_t>(k)]);
  return fit(narrowed(shortlist_.data, last_), settings_, observer);
}

std::vector<double> Elimination::asked_for(const Model& model) const {
  std::vector<CompensatedSum> sum(shortlist_.columns.size());
  for (std::size_t k = 0; k < model.support.size(); ++k) {
    for_each(shortlist_.data.x.row(model.support[k]),
             [&](Index i, double x) { sum[static_cast<std::size_t>(i)].add(model.multipliers[k] * x); });
  }
  std::vector<double> slope(sum.size());
  for (std::size_t i = 0; i < slope.size(); ++i) {
    slope[i] = shortlist_.spread[i] > 0 ? std::abs(sum[i].value()) / shortlist_.spread[i] : 0;
  }
  for (const Index place : last_) slope[static_cast<std::size_t>(place)] = 0;
  return slope;
}

Model Elimination::exchanged(Model model, Observer* observer) {
  if (std::ssize(last_) - std::ssize(shortlist_.kept) > kLargestSetToExchange || model.multiclass ||
      last_.size() == shortlist_.columns.size())
    return model;
  for (int exchange = 0; exchange < kMostExchanges; ++exchange) {
    const std::vector<double> slope = asked_for(model);
    const std::vector<double> rank = rank_of(model);
    const auto weakest = std::min_element(rank.begin(), rank.end());
    std::vector<Index> places = last_;
    places.erase(places.begin() + (weakest - rank.begin()));
    bool better = false;
    for (const Index place : largest(slope, kCandidatesPerExchange)) {
      if (!(slope[static_cast<std::size_t>(place)] > 0)) continue;  // already in the set, if few are left out
      std::vector<Index> tried = places;
      tried.insert(std::upper_bound(tried.begin(), tried.end(), place), place);
      Model other = fit(narrowed(shortlist_.data, tried), settings_, observer);
      if (other.report.status == Status::interrupted) return model;
      if (!(other.report.primal < model.report.objective)) continue;
      model = std::move(other);
      last_ = tried;
      better = true;
      break;
    }
    if (!better) break;
  }
  return model;
}

Model relaxed_refit(const Dataset& data, const Settings& settings, const Model& ranking, Index kept,
                    Observer* observer) {
  const Shortlist shortlist(data, ranking, kept);
  Elimination elimination(shortlist, settings);
  const Model narrow = elimination.down_to(kept, observer);
  return widened(narrow, elimination.columns(), ranking);
}

}  // namespace medlar

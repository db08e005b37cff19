// Features that beat their knockoffs: the fit of features and copies together, |w_i| - |w of the copy|, and the
// threshold at which the expected share of false discoveries is bounded.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "medlar/calibration/calibrated_inclusion.hpp"
#include "medlar/error.hpp"
#include "medlar/fit.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/models/checks.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/keep.hpp"
#include "medlar/trust/checks.hpp"
#include "medlar/trust/copies.hpp"
#include "medlar/trust/twins.hpp"
#include "medlar/trust/with_copies.hpp"
#include "medlar/tuning/strength.hpp"

namespace medlar {
namespace {

constexpr Index kMostEntries = 200'000'000;  // of features and copies together: 1.6 GB

constexpr Index kMostDraws = 1000;
constexpr double kInUse = 1e-3;  // of the largest: what is smaller takes no part in the fit, and beats nothing

}  // namespace

void check_discoveries(const Dataset& data, const Settings& settings, const DiscoveryOptions& how) {
  if (!(how.fdr > 0 && how.fdr < 1)) throw OptionError(fmt::format("fdr = {}, but must lie in (0, 1)", how.fdr));
  if (how.draws < 1 || how.draws > kMostDraws) {
    throw OptionError(fmt::format("draws = {}, but must lie in 1 .. {}", how.draws, kMostDraws));
  }
  if (how.strength && !(*how.strength > 0 && *how.strength < 1)) {
    throw OptionError(fmt::format("strength = {}, but must lie in (0, 1)", *how.strength));
  }
  require_linear(settings, "fdr");
  if (!data.fold_group.empty()) {
    throw OptionError(
        "fdr takes examples for independent of each other, but groups of them are given; leave one of the two out, or "
        "give one row for each group");
  }
  if (settings.expand != ExpansionKind::none) {
    throw OptionError(
        fmt::format("fdr copies the features of the file, but expand = {}; use --expand none", settings.expand));
  }
  if (!settings.feature_p0.empty() || !settings.prior_mean.empty() || !settings.feature_prior_variance.empty() ||
      settings.groups == GroupsKind::file) {
    throw OptionError(
        "fdr treats every feature like its copy; leave out --feature-priors, --feature-prior-variance, --prior-mean "
        "and "
        "--groups");
  }
  if (data.examples() * data.features() > kMostEntries / 2) {
    throw OptionError(
        fmt::format("fdr keeps features and copies as {} dense numbers, but at most {} are kept; drop "
                    "features that hardly vary",
                    2 * data.examples() * data.features(), kMostEntries));
  }
}

namespace {

// The size of each unit's coefficients, of the features at these places.
std::vector<double> sizes_of(const Model& model, const Units& units, const std::vector<std::size_t>& place) {
  std::vector<double> sizes;
  for (const auto& unit : units) {
    double size = 0;
    for (const std::size_t i : unit) size = std::hypot(size, model.features[place[i]].coefficient);
    sizes.push_back(size);
  }
  return sizes;
}

// The units of features that are not kept.
Units without_kept(Units units, const std::vector<char>& kept) {
  for (auto& unit : units) std::erase_if(unit, [&](std::size_t i) { return kept[i] != 0; });
  std::erase_if(units, [](const auto& unit) { return unit.empty(); });
  return units;
}

// Merges units of one column that are equal up to unit and sign, because columns that cannot be told apart are one
// discovery. Columns that never vary are left out.
Units different_units(const Units& units, const std::vector<Index>& twins) {
  std::map<Index, std::size_t> place;  // by the first of the twins: that of their unit
  Units made;
  for (const auto& unit : units) {
    const auto varies = [&](std::size_t i) { return twins[i] != kConstant; };
    if (std::none_of(unit.begin(), unit.end(), varies)) continue;
    if (unit.size() == 1) {
      const auto [at, is_new] = place.emplace(twins[unit.front()], made.size());
      if (!is_new) {
        made[at->second].push_back(unit.front());
        continue;
      }
    }
    made.push_back(unit);
  }
  return made;
}

// By draw and unit.
struct Sizes {
  std::vector<std::vector<double>> own, copied;
};

// The group of each unit, where groups that have a unit in common are one.
std::vector<std::size_t> groups_of_units(const Units& units, const std::vector<Index>& group_of) {
  std::vector<std::size_t> same(group_of.size());  // by group: one that it is the same as, at last itself
  std::iota(same.begin(), same.end(), std::size_t{0});
  const auto root = [&](std::size_t feature) {
    auto group = static_cast<std::size_t>(group_of[feature]);
    while (same[group] != group) group = same[group];
    return group;
  };
  for (const auto& unit : units) {
    for (const std::size_t i : unit) same[root(i)] = root(unit.front());
  }
  std::vector<std::size_t> made;
  for (const auto& unit : units) made.push_back(root(unit.front()));
  return made;
}

// The first draw is that of the seed itself.
std::uint64_t seed_of(Index seed, Index draw) {
  return static_cast<std::uint64_t>(seed) + 0x9e3779b97f4a7c15U * static_cast<std::uint64_t>(draw);
}

}  // namespace

Index Discoveries::discovered() const {
  return std::count_if(statistic.begin(), statistic.end(), [&](double each) { return each >= threshold; });
}

Index Discoveries::fewest() const {
  return static_cast<Index>(std::ceil(1 / fdr));
}

double knockoff_threshold(std::span<const double> statistic, double fdr) {
  std::set<double> sizes;
  for (const double each : statistic) {
    if (each != 0) sizes.insert(std::abs(each));
  }
  for (const double t : sizes) {
    const auto beaten = std::count_if(statistic.begin(), statistic.end(), [&](double each) { return each <= -t; });
    const auto beating = std::count_if(statistic.begin(), statistic.end(), [&](double each) { return each >= t; });
    if (beating > 0 && static_cast<double>(1 + beaten) <= fdr * static_cast<double>(beating)) return t;
  }
  return HUGE_VAL;
}

namespace {

Discoveries discoveries_of(const Dataset& data, const Settings& settings, const DiscoveryOptions& how,
                           Observer* observer) {
  const std::vector<double> x = dense_values(data.x);
  const std::vector<Index> kept = kept_features(data, settings, data.names);
  std::vector<char> is_kept(data.names.size(), 0);
  for (const Index i : kept) is_kept[static_cast<std::size_t>(i)] = 1;
  if (kept.size() == data.names.size()) {
    throw OptionError("fdr tells noise from features, but keep holds all features in; leave one out of keep");
  }
  // A chain knows no kept features that all others may depend on.
  const auto markov = kept.empty() ? markov_copies(data, x, units_of(data)) : std::nullopt;
  const Units units = different_units(without_kept(units_of(data), is_kept), twins_of(data.x));
  Discoveries part;
  part.fdr = how.fdr;
  part.draws = how.draws;
  Settings fitted = settings;
  Sizes alone;   // of copies of single units, which the discoveries go by
  Sizes groups;  // of copies of correlated groups, which the probabilities go by
  const auto fit_with = [&](const Copies& copies, Index draw, bool first, Sizes& sizes) {
    const Knockoffs drawn = copies.draw(seed_of(settings.seed, draw));
    const auto [both, own_place, copied_place] = with_copies(data, x, drawn.copy, is_kept);
    if (first && how.strength) fitted = at_strength_of(both, settings, *how.strength, observer);
    const Model model = fit(both, fitted, observer);
    if (model.report.status == Status::interrupted) throw Interrupted();
    if (first) part.construction = drawn.construction;
    if (first) part.report = model.report;
    sizes.own.push_back(sizes_of(model, units, own_place));
    sizes.copied.push_back(sizes_of(model, units, copied_place));
  };
  fit_with(markov ? *markov : gaussian_copies_given(data.x, kept, false), 0, true, alone);
  const Copies together = markov ? *markov : gaussian_copies_given(data.x, kept, true);
  if (markov) groups = alone;  // the first of its draws
  while (std::ssize(groups.own) < how.draws) fit_with(together, std::ssize(groups.own), false, groups);
  const std::vector<double> probability =
      shared_inclusion(groups.own, groups.copied, groups_of_units(units, together.group_of));
  const std::vector<double>&own = alone.own.front(), &copied = alone.copied.front();
  double largest = 0;
  for (std::size_t u = 0; u < units.size(); ++u) largest = std::max({largest, own[u], copied[u]});
  const auto in_use = [&](double size) { return size > kInUse * largest ? size : 0.0; };
  std::vector<double> by_unit;
  part.statistic.assign(data.names.size(), 0.0);
  part.probability = part.statistic;
  for (std::size_t u = 0; u < units.size(); ++u) {
    by_unit.push_back(in_use(own[u]) - in_use(copied[u]));
    for (const std::size_t i : units[u]) part.statistic[i] = by_unit.back();
    for (const std::size_t i : units[u]) part.probability[i] = probability[u];
    part.expected += probability[u];
  }
  part.units = std::ssize(units);
  part.threshold = knockoff_threshold(by_unit, how.fdr);
  return part;
}

}  // namespace

std::optional<Discoveries> discover(const Dataset& data, const Settings& asked, const DiscoveryOptions& how,
                                    Observer* asking) try {
  Deadline deadline(asking, asked.max_seconds);
  Settings settings = asked;
  settings.max_seconds = HUGE_VAL;  // the deadline holds for all together
  check_dataset(data);
  check_discoveries(data, settings, how);
  std::optional<Discoveries> made;
  unless_given_up([&] { return deadline.stop_requested(); },
                  [&] { made = discoveries_of(data, settings, how, &deadline); });
  return made;
} catch (const Interrupted&) {
  return std::nullopt;
}

}  // namespace medlar

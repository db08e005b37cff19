// Folds of examples with their share of each class or of each range of values.
#include "medlar/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "medlar/error.hpp"
#include "medlar/prepare/rows.hpp"

namespace medlar {
namespace {

constexpr std::size_t kRanges = 5;        // of values, when groups are dealt out
constexpr std::size_t kMostClasses = 50;  // more distinct numbers are values

// Examples without a target come first, and are dealt out like a class.
double place_of(const Target& target, std::size_t t) {
  if (!target.present) return 0;
  if (!target.numeric) return static_cast<double>(target.codes[t]);
  return std::isnan(target.values[t]) ? -HUGE_VAL : target.values[t];
}

template <class Item>
void shuffle(std::vector<Item>& items, std::mt19937_64& random) {
  for (std::size_t k = items.size(); k > 1; --k) std::swap(items[k - 1], items[random() % k]);
}

void require_folds(Index folds, Index most, std::string_view of_what) {
  if (folds >= 2 && folds <= most) return;
  if (most < 2) throw OptionError(fmt::format("folds need at least two {}, but there is {}", of_what, most));
  throw OptionError(fmt::format("folds = {}, but must be a whole number from 2 to the {} {}", folds, most, of_what));
}

// The class of each example, or its fifth of the range of values.
std::vector<std::size_t> strata_of(const Target& target, std::size_t examples) {
  std::vector<double> places(examples);
  for (std::size_t t = 0; t < examples; ++t) places[t] = place_of(target, t);
  std::vector<double> bounds = places;
  std::sort(bounds.begin(), bounds.end());
  std::vector<double> distinct = bounds;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (distinct.size() > kMostClasses) {
    distinct.clear();
    for (std::size_t k = 0; k < kRanges; ++k) distinct.push_back(bounds[k * examples / kRanges]);
  }
  std::vector<std::size_t> stratum(examples);
  for (std::size_t t = 0; t < examples; ++t) {
    stratum[t] =
        static_cast<std::size_t>(std::upper_bound(distinct.begin(), distinct.end(), places[t]) - distinct.begin()) - 1;
  }
  return stratum;
}

}  // namespace

std::vector<Index> assign_folds(const Target& target, Index examples, Index folds, Index seed) {
  require_folds(folds, examples, "examples");
  const auto count = static_cast<std::size_t>(examples), K = static_cast<std::size_t>(folds);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  shuffle(order, random);
  const auto place = [&](std::size_t k) { return place_of(target, order[k]); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return place_of(target, a) < place_of(target, b); });
  const auto alone = [&](std::size_t k) {
    return (k == 0 || place(k - 1) != place(k)) && (k + 1 == count || place(k + 1) != place(k));
  };
  std::vector<Index> fold_of(count);
  for (std::size_t from = 0; from < count; from += K) {
    std::vector<Index> dealt(std::min(K, count - from));
    std::iota(dealt.begin(), dealt.end(), Index{0});
    bool differ = true;
    for (std::size_t k = 0; k < dealt.size(); ++k) differ = differ && alone(from + k);
    if (differ) shuffle(dealt, random);
    for (std::size_t k = 0; k < dealt.size(); ++k) fold_of[order[from + k]] = dealt[k];
  }
  return fold_of;
}

std::vector<Index> assign_grouped_folds(const Target& target, std::span<const Index> group_of, Index folds,
                                        Index seed) {
  std::map<Index, std::vector<std::size_t>> by_group;
  for (std::size_t t = 0; t < group_of.size(); ++t) by_group[group_of[t]].push_back(t);
  require_folds(folds, std::ssize(by_group), "groups");
  std::vector<std::vector<std::size_t>> groups;
  for (auto& [group, members] : by_group) groups.push_back(std::move(members));
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  shuffle(groups, random);
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  const std::vector<std::size_t> stratum = strata_of(target, group_of.size());
  const std::size_t strata = 1 + *std::max_element(stratum.begin(), stratum.end());
  std::vector<double> total(strata, 0.0);
  for (const std::size_t each : stratum) total[each] += 1;
  std::vector<std::vector<double>> dealt(static_cast<std::size_t>(folds), std::vector<double>(strata, 0.0));
  std::vector<bool> empty(dealt.size(), true);
  std::vector<Index> fold_of(group_of.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    // The group goes to the fold where the sum over strata of (share of the stratum in the fold)^2 grows least. Folds
    // without a group come first once there are no more groups left than such folds.
    const auto bare = static_cast<std::size_t>(std::count(empty.begin(), empty.end(), true));
    std::size_t best = 0;
    double least = HUGE_VAL;
    for (std::size_t k = 0; k < dealt.size(); ++k) {
      if (groups.size() - g <= bare && !empty[k]) continue;
      std::vector<double> with = dealt[k];
      for (const std::size_t t : groups[g]) with[stratum[t]] += 1;
      double growth = 0;
      for (std::size_t s = 0; s < strata; ++s) {
        growth += (with[s] * with[s] - dealt[k][s] * dealt[k][s]) / (total[s] * total[s]);
      }
      if (growth < least) least = growth, best = k;
    }
    for (const std::size_t t : groups[g]) {
      fold_of[t] = static_cast<Index>(best);
      dealt[best][stratum[t]] += 1;
    }
    empty[best] = false;
  }
  return fold_of;
}

std::vector<Fold> folds_from(std::span<const Index> fold_of) {
  if (std::any_of(fold_of.begin(), fold_of.end(), [](Index fold) { return fold < 0; })) {
    throw OptionError("a fold below 0 is given; number the folds 0, 1, ...");
  }
  const Index folds = fold_of.empty() ? 0 : 1 + *std::max_element(fold_of.begin(), fold_of.end());
  for (Index k = 0; k < std::max<Index>(folds, 2); ++k) {
    if (std::find(fold_of.begin(), fold_of.end(), k) == fold_of.end()) {
      throw OptionError(fmt::format("fold {} has no example; number the folds 0, 1, ... without gaps", k));
    }
  }
  std::vector<Fold> made(static_cast<std::size_t>(folds));
  for (std::size_t t = 0; t < fold_of.size(); ++t) {
    for (Index k = 0; k < folds; ++k) {
      Fold& fold = made[static_cast<std::size_t>(k)];
      (fold_of[t] == k ? fold.left_out : fold.fitted).push_back(static_cast<Index>(t));
    }
  }
  return made;
}

std::vector<Fold> deal_folds(const Dataset& data, Index folds, Index repeats, Index seed) {
  constexpr Index most = 10000;
  if (repeats < 1 || repeats > most)
    throw OptionError(fmt::format("repeats = {}, but must lie in 1 .. {}", repeats, most));
  std::vector<Index> rows;
  for (Index t = 0; t < data.examples(); ++t) {
    if (data.weights.empty() || data.weights[static_cast<std::size_t>(t)] > 0) rows.push_back(t);
  }
  const auto picked = [&](const auto& all) {
    std::decay_t<decltype(all)> some;
    for (const Index t : rows) {
      if (!all.empty()) some.push_back(all[static_cast<std::size_t>(t)]);
    }
    return some;
  };
  const Target target{data.target.present, data.target.numeric, picked(data.target.values), data.target.labels,
                      picked(data.target.codes)};
  const std::vector<Index> group_of = picked(data.fold_group);
  std::vector<Fold> made;
  for (Index repeat = 0; repeat < repeats; ++repeat) {
    const auto fold_of = group_of.empty() ? assign_folds(target, std::ssize(rows), folds, seed + repeat)
                                          : assign_grouped_folds(target, group_of, folds, seed + repeat);
    for (Fold& fold : folds_from(fold_of)) {
      for (Index& t : fold.fitted) t = rows[static_cast<std::size_t>(t)];
      for (Index& t : fold.left_out) t = rows[static_cast<std::size_t>(t)];
      made.push_back(std::move(fold));
    }
  }
  return made;
}

}  // namespace medlar

// Folds of examples with their share of each class or of each range of values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "medlar/cross_validate.hpp"
#include "medlar/error.hpp"
#include "medlar/model/rows.hpp"

namespace medlar {

std::vector<Index> assign_folds(const Target& target, Index examples, Index folds, Index seed) {
  if (folds < 2 || folds > examples) {
    throw OptionError(fmt::format("folds = {}, but must be a whole number from 2 to the {} examples", folds, examples));
  }
  std::vector<std::size_t> order(static_cast<std::size_t>(examples));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random() % k]);
  if (target.present) {
    const auto place = [&](std::size_t t) {  // examples without a target come first, and are dealt out like a class
      if (!target.numeric) return static_cast<double>(target.codes[t]);
      return std::isnan(target.values[t]) ? -HUGE_VAL : target.values[t];
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  }
  std::vector<Index> fold_of(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) fold_of[order[k]] = static_cast<Index>(k) % folds;
  return fold_of;
}

Dataset subset(const Dataset& data, std::span<const Index> rows) {
  const auto picked = [&](const auto& all) {
    std::decay_t<decltype(all)> some;
    if (all.empty()) return some;
    some.reserve(rows.size());
    for (const Index t : rows) some.push_back(all[static_cast<std::size_t>(t)]);
    return some;
  };
  Dataset part;
  part.source = data.source;
  part.x = select_rows(data.x, rows);
  part.names = data.names;
  part.group_of = data.group_of;
  part.group_names = data.group_names;
  part.target = {data.target.present, data.target.numeric, picked(data.target.values), data.target.labels,
                 picked(data.target.codes)};
  part.weights = picked(data.weights);
  part.beliefs = picked(data.beliefs);
  part.lines = picked(data.lines);
  part.schema = data.schema;
  part.notes = data.notes;
  return part;
}

}  // namespace medlar

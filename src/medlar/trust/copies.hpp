// Copies of the features of a dataset, drawn as often as is wanted; what all draws share is computed once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/selection.hpp"

namespace medlar {

using DrawKnockoffs = std::function<Knockoffs(std::uint64_t seed)>;

// Features of a group may change places with their copies together, not one by one.
struct Copies {
  DrawKnockoffs draw;
  std::vector<Index> group_of;  // by feature, from 0 on
};

// As gaussian_knockoffs() draws them: each feature is a group.
Copies gaussian_copies(const Matrix& x);

// Features that correlate by 0.7 or more with each other form a group. Their copies differ more from them, because a
// copy need not be predictable from the other features of the group.
Copies grouped_gaussian_copies(const Matrix& x);

// Either of them given the kept features, which are copied with nothing: the others are copied as far as the kept ones,
// and a constant, do not foretell them linearly.
Copies gaussian_copies_given(const Matrix& x, std::span<const Index> kept, bool grouped);

// Features that belong together however they correlate: the levels of one category, or one feature.
using Units = std::vector<std::vector<std::size_t>>;
Units units_of(const Dataset& data);

// Row by row.
std::vector<double> dense_values(const Matrix& x);

// Copies by a Markov chain along the units, each a group, where all of them have few values; else none. `x` are the
// dense values.
std::optional<Copies> markov_copies(const Dataset& data, const std::vector<double>& x, const Units& units);

}  // namespace medlar

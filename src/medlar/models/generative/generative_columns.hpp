// Which family each column of a dataset has, and the members that make up a generative model.
#pragma once

#include <string>
#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/priors/families/class_partition.hpp"

namespace medlar {

// A column of the file: one feature, or the 0/1 features of a category's levels.
struct SourceColumn {
  std::string name;
  FamilyKind family = FamilyKind::automatic;
  std::vector<Index> features;
  bool categorical = false;
};

// The columns with the family that settings.family names for them, or that their values suggest: 0 and 1 bernoulli,
// whole numbers >= 0 poisson, categories multinomial, other numbers gaussian-diagonal.
std::vector<SourceColumn> columns_with_families(const Dataset& data, const Prepared& prepared,
                                                const Settings& settings);

// One member per column; columns of a joint family (gaussian-full, multinomial counts) are one member together.
std::vector<Member> members_of(const std::vector<SourceColumn>& columns);

}  // namespace medlar

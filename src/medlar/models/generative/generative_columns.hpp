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

// The columns, each with the family that settings.family gives it or that its values suggest: bernoulli for 0 and 1,
// poisson for whole numbers >= 0, multinomial for categories, gaussian-diagonal for other numbers.
std::vector<SourceColumn> columns_with_families(const Dataset& data, const Prepared& prepared,
                                                const Settings& settings);

// One member per column. Columns of a joint family (gaussian-full, multinomial counts) form one member.
std::vector<Member> members_of(const std::vector<SourceColumn>& columns);

}  // namespace medlar

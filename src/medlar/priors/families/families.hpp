// The table of families, by kind. A new family is one row here.
#pragma once

#include <memory>
#include <span>

#include "medlar/priors/families/family.hpp"

namespace medlar {

struct FamilyRow {
  FamilyKind kind;
  bool joint;  // one member takes all columns of the family (multinomial, gaussian-full), else one member per column
  std::shared_ptr<const Family> (*make)(Index columns);
};

std::span<const FamilyRow> families();

// The row of that kind; nullptr for those that are no family of columns (automatic, tree, by_column).
const FamilyRow* find_family(FamilyKind kind);

}  // namespace medlar

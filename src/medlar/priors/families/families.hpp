// The table of families, by the name that --family takes. A new family is one row here.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "medlar/priors/families/family.hpp"

namespace medlar {

struct FamilyRow {
  std::string_view name;
  bool joint;  // one member takes all columns of the family (multinomial, gaussian-full), else one member per column
  std::shared_ptr<const Family> (*make)(Index columns);
};

std::span<const FamilyRow> families();

// The row of that name, or nullptr.
const FamilyRow* find_family(std::string_view name);

}  // namespace medlar

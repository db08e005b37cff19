// Removes examples of weight 0. Their rows leave the table before columns, levels and labels are decided.
#pragma once

#include <vector>

#include "medlar/data/table.hpp"

namespace medlar {

// Removes the rows of weight 0 from the table and from `weights`; a note gives their number.
void drop_idle_rows(Table& table, std::vector<double>& weights);

}  // namespace medlar

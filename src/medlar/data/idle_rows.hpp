// An example of weight 0 is as good as none: its row leaves the table before columns, levels and labels are decided.
#pragma once

#include <vector>

#include "medlar/data/table.hpp"

namespace medlar {

// Takes the rows of weight 0 from the table and from `weights`; a note tells how many.
void drop_idle_rows(Table& table, std::vector<double>& weights);

}  // namespace medlar

// The columns of a sparse matrix that hold an entry. A few texts of a large vocabulary, or the rows of one fold, leave
// most columns empty. V is 0 in an empty column whatever the multipliers are, so no solver needs to see it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "medlar/matrix.hpp"

namespace medlar {

struct FilledColumns {
  Matrix x;                    // the same rows over these columns alone
  std::vector<Index> columns;  // increasing
  Index all = 0;               // number of columns, empty ones included

  // Spreads values of the filled columns over all columns; the empty ones get `elsewhere`.
  std::vector<double> among_all(std::span<const double> values, double elsewhere) const;
  // Picks the values of the filled columns out of those of all.
  std::vector<double> of_filled(std::span<const double> values) const;
};

// Nothing where it would save little: for a dense matrix, one with few columns, or one that fills most of them.
std::optional<FilledColumns> filled_columns(const Matrix& x);

}  // namespace medlar

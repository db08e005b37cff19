// The columns of a sparse matrix that hold an entry. Few texts of a large vocabulary, or the rows of one fold, leave
// most columns empty: whatever the multipliers are, V is 0 there, and no solver needs to know of them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "medlar/matrix.hpp"

namespace medlar {

struct FilledColumns {
  Matrix x;                    // the same rows over these columns alone
  std::vector<Index> columns;  // increasing
  Index all = 0;               // columns that there are

  // Values of the filled columns among those of all; the others have `elsewhere`.
  std::vector<double> among_all(std::span<const double> values, double elsewhere) const;
  // And back.
  std::vector<double> of_filled(std::span<const double> values) const;
};

// None where it would save little: for a dense matrix, one of few columns, or one that fills most of them.
std::optional<FilledColumns> filled_columns(const Matrix& x);

}  // namespace medlar

// One set of examples as every contestant sees it: features after our scaling, labels -1 and 1 or a real target of
// standard deviation 1. Scaling happens here, once, so that nobody's time contains it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "medlar/dataset.hpp"

namespace medlar::bench {

struct ContestSet {
  Dataset data;
  bool regression = false;
  double row_length = 0;    // root mean square of the rows' lengths: the scale of the data, for biases of peers
  std::string fingerprint;  // of every number in it, to recognise it between runs

  const Matrix& x() const { return data.x; }
  const std::vector<double>& y() const { return data.target.values; }
};

// {"name": "S1"} is generated; {"name": ..., "file": ..., "read": {...}, "positive": ...} is read from a file,
// with "unit_rows" every row is brought to length 1.
ContestSet load_set(const nlohmann::json& spec);

// Six significant digits, as data files have them.
void write_svmlight(const ContestSet& set, const std::string& path);

// For peers in other languages: sizes.txt (rows, columns, 1 if sparse), target.f64, and the features by columns:
// values.f64, for sparse sets with starts.i32 and rows.i32.
void export_set(const ContestSet& set, const std::string& folder);

}  // namespace medlar::bench

// What every solver returns: the best pair that it has certified, and how it ended.
#pragma once

#include <memory>
#include <vector>

#include "medlar/linalg/curved_gram.hpp"
#include "medlar/linalg/example_gram.hpp"
#include "medlar/problem/certificate.hpp"
#include "medlar/report.hpp"
#include "medlar/solvers/sweeps/working_columns.hpp"

namespace medlar {

struct Solution {
  DualPoint dual;
  PrimalPoint primal;
  Report report;
  std::vector<double> interior = {};  // the last iterate's lambda, inside its domain: where a harder problem may start
  std::shared_ptr<const FloatRows> rows = {};      // what sweeps have read, for a neighbouring problem: all columns,
  std::shared_ptr<const ColumnPart> columns = {};  // and those that mattered;
  std::shared_ptr<const ExampleGram> gram = {};    // or the products of the examples
  std::shared_ptr<CurvedGram> curved = {};         // and those by the curvature of each column
};

}  // namespace medlar

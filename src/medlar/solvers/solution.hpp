// What every solver returns: the best pair that it has certified, and how it ended.
#pragma once

#include <vector>

#include "medlar/report.hpp"
#include "medlar/solvers/certificate.hpp"

namespace medlar {

struct Solution {
  DualPoint dual;
  PrimalPoint primal;
  Report report;
  std::vector<double> interior;  // the last iterate's lambda, inside its domain: where a neighbouring problem may start
};

}  // namespace medlar

// Curves from left-out scores to probabilities, and how reliable they are.
#pragma once

#include <vector>

#include "medlar/trust.hpp"

namespace medlar {

// An example that was left out of a fit.
struct LeftOutRow {
  std::vector<double> score;  // one, or of several labels one each
  std::vector<double> own;    // the model's own probabilities: of the positive label, or of each of several
  Index y = 0;
  double weight = 1;
  std::size_t fold = 0;
};

// The curve of all rows, with its reliability: each row is judged by a curve of the other folds. `usual_slope` is for
// CurveKind::folds.
Recalibration measured_curve(const std::vector<LeftOutRow>& rows, CurveKind kind, Index folds, double usual_slope);

}  // namespace medlar

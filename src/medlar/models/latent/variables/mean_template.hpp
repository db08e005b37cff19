// An unlabelled template that ties a transformation to the example itself: one mean m and one variance s2 such that
// every example is m, transformed back, plus noise. It is fitted by EM without labels; then
//
//   P0(U | x) ~ P0(U) e^{-|T_U x - m|^2 / (2 s2)},      E[phi] = sum_U P0(U | x) T_U x
//
// EM from the blurred mean may settle off the middle, where some examples cannot reach m, or between two forms. So some
// examples and their maps are tried as starts too, and the template with the highest likelihood is taken. This
// likelihood knows no labels and no margins. Without a template the latent variable would serve the margin and never
// explain x (docs/theory.md#latent).
#pragma once

#include <span>
#include <vector>

#include "medlar/models/latent/variables/maps.hpp"

namespace medlar {

struct MeanTemplate {
  std::vector<double> mean;      // empty: P0(U) uniform
  std::vector<double> variance;  // about it, of each feature
  Index starts = 0;              // number of starts of EM that were tried

  // P0(U | x), one per map, from all maps of x laid one after the other.
  std::vector<double> posterior(std::span<const double> mapped, double* log_sum = nullptr) const;
};

MeanTemplate fit_template(const Maps& maps, const Matrix& x);

// E[phi] of every row.
Matrix expected_rows(const Maps& maps, const MeanTemplate& about, const Matrix& x);

}  // namespace medlar

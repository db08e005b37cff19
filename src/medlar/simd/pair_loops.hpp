// The loops of SMO over its working set: which multipliers to move, and what a move does to the scores. The length of
// all arrays is a multiple of kPairPad. Entries beyond the working set have up = -inf and down = +inf, so they are
// never chosen.
//
//   up_j - f_j    the slope of J when beta_j rises        own_j    K_jj + h_j, the curvature along beta_j
//   down_j - f_j  its slope when beta_j falls (negative to gain)
#pragma once

#include <cstddef>

namespace medlar {

inline constexpr std::size_t kPairPad = 16;

struct Extremes {
  double highest;  // max (up - f), at `index`
  std::size_t index;
  double lowest;  // min (down - f)
};

// f += step (a - b), then finds the extremes. With a step of 0 it only looks.
Extremes move_pair(double* f, const float* a, const float* b, double step, const double* up, const double* down,
                   std::size_t size);

// The j of the largest gain (slope_i - (down_j - f_j))^2 / (own_i + own_j - 2 scale a_j), where a is row i of the
// kernel; `size` if there is none.
std::size_t best_partner(const double* f, const double* down, const double* own, const float* a, double slope_i,
                         double own_i, double scale, double least, std::size_t size);

// f += step a + shift, then finds the j of the largest gain slope_j^2 / own_j on its own.
struct BestSingle {
  double slope;  // its slope: above 0 to rise, below 0 to fall
  std::size_t index;
  double steepest;  // the largest |slope| of any
};
BestSingle move_single(double* f, const float* a, double step, double shift, const double* up, const double* down,
                       const double* inverse_own, std::size_t size);

}  // namespace medlar

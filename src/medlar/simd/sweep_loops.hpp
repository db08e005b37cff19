// The inner loops of dual coordinate ascent, on contiguous floats. Highway compiles them for each instruction set and
// picks one at run time. A sweep only has to point uphill. Every certificate is computed in double from lambda itself,
// so single precision changes the number of passes and never the answer.
//
// With a switch on each feature (docs/theory.md#switches):
//
//   P = sigma(v V^2/2 + logit p),   w = P v V,   d = A'' = v P + P(1 - P) v^2 V^2
#pragma once

#include <cstddef>

namespace medlar {

struct LocalCurvature {
  float score;      // sum_i x_i w_i
  float curvature;  // sum_i x_i^2 d_i
};

// sum_i x_i w_i
float dot_floats(const float* x, const float* w, std::size_t size);

// w += scale x
void add_scaled_floats(const float* x, float scale, float* w, std::size_t size);

LocalCurvature score_and_curvature(const float* x, const float* w, const float* d, std::size_t size);

// V += scale x, then updates w and d and returns the new sum_i x_i w_i. `logit` holds one number per feature, or one
// for all.
struct SlabFloats {
  float variance;
  const float* logit;
  bool same;  // logit[0] serves every feature
};
float move_switches(const SlabFloats& slab, const float* x, float scale, float* v, float* w, float* d,
                    std::size_t size);

// The instruction set that runs, for reports and tests.
const char* kernel_target();

}  // namespace medlar

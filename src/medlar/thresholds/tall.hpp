// When is a problem tall? With many examples for each feature, a matrix over the features is cheap beside a pass over
// the data, and the examples average out what each of them does. How many are needed depends on what follows from it.
#pragma once

#include <algorithm>

#include "medlar/types.hpp"

namespace medlar {

// Beyond so many features nothing is factored over all of them, however many examples there are.
// Not measured in this tree; taken from a prototype. `benchmarks/compare --data DIR --bars switches --sets
// madelon,usps` times sets of 500 and of 256 features.
inline constexpr Index kMostFeaturesOfTall = 2000;

// Whether Newton over features, or the interior-point method, comes before sweeps.
// The sets on which both were measured have 16 examples for each feature or more: splice, mushrooms, a9a, S4
// (`benchmarks/compare --data DIR --bars p0=1,switches`). Two, where it begins, was not measured.
constexpr bool is_tall(Index examples, Index features) {
  return examples >= 2 * features && features <= kMostFeaturesOfTall;
}

// Whether a regression has so many examples beside its features that they nearly determine w, where the tube is narrow:
// `c_in_targets` is c in units of 1 / y. Sweeps are slow then, and the interior-point method comes first; for squared
// losses Newton over features does, whose steps meet no kink.
// Measured on normal features and noise, 150 x 120 to 3,000 x 2,000: at c = 10 sweeps took 3 to 49 times as long as the
// interior-point method, at c = 2 0.1 to 1.5 times (docs/performance.md says by which commands).
// Squared losses, 300 x 240 and 1,500 x 1,200: Newton over features took 2 to 4 and 110 to 150 ms, the interior-point
// method 8 to 10 and 400 to 700.
constexpr bool is_square(Index examples, Index features) {
  return features <= kMostFeaturesOfTall && 4 * examples >= 3 * features;
}
constexpr bool is_narrow_tube(double c_in_targets) {
  return c_in_targets > 5;
}

// Newton over features starts from a fit to one in so many examples.
// Taken from a prototype; `benchmarks/compare --bars p0=1,switches --sets S4` measures it.
inline constexpr Index kExamplesPerSampled = 16;
// Whether there are enough of them for that: 250 in the sample, and two for each feature.
// Not measured; the sample is then tall itself.
constexpr bool is_worth_a_sample(Index examples, Index features) {
  return examples >= kExamplesPerSampled * std::max<Index>(250, 2 * features);
}

// Whether the examples are so many that a part of them tells how the losses bend, and that kinks even out along a line.
// Measured on R4 and S4, 4,000 examples for each feature: with a part of the examples in the first matrix, and what
// came with it, 0.42 s became 0.30 and 0.26 s became 0.19; with lines that end sooner 0.35 s became 0.28. With 265
// examples for each feature and fewer (a9a, mushrooms) such lines cost a fifth to a half more (docs/performance.md).
constexpr bool has_plenty_of_examples(Index examples, Index features) {
  return examples >= 1000 * features;
}

// Whether Newton between classes needs no sweeps before it. `statistics` counts the constant one too.
// Measured far from it on both sides: 15,935 texts with 62,061 words took sweeps half a minute, and Newton had come
// nowhere in two and a half; 58,000 rows of 9 columns take Newton 4.5 s. The hundred itself was not measured.
constexpr bool is_tall_between_classes(Index examples, Index statistics) {
  return examples >= 100 * statistics;
}

// Features up to which Newton with switches works on a model over them though fewer examples are free, which costs less
// than the steps it saves.
// Measured on mushrooms, 112 features: 85 passes at p0 = 1e-5, where it took 468. Where the model costs more than it
// saves was not measured; `benchmarks/compare --data DIR --bars switches --sets madelon,splice,mushrooms` would tell.
constexpr bool is_modelled(Index features) {
  return features <= 500;
}

}  // namespace medlar

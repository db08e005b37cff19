// The synthetic sets of the comparison, by name:
//
//   S1   sparse 50,000 x 100,000, 4.16 million non-zeros: columns by a power law, rows of length 1, as texts are
//   S2   dense 500 x 5,000        S3   dense 200 x 50,000        S4   dense 200,000 x 50
//   R4   the features of S4 with a real target
//
// A few tens of features carry the target; one label in ten is flipped. S1/k has the first 1/k of the rows of S1.
#pragma once

#include <string>

#include "medlar/dataset.hpp"

namespace medlar::bench {

bool is_generated(const std::string& name);

// Labels are -1 and 1; a real target has mean near 0 and standard deviation near 1.
Dataset generate(const std::string& name);

// Dense rows of independent normal features, `relevant` of which carry the label.
Dataset generate_dense(Index examples, Index features, Index relevant, std::uint64_t seed, bool real_target = false);

}  // namespace medlar::bench

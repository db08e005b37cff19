// Seeded datasets of the record: the same numbers with every compiler.
#pragma once

#include <string>
#include <vector>

#include "medlar/dataset.hpp"

namespace medlar::bench {

using Rows = std::vector<std::vector<double>>;

Matrix dense_matrix(const Rows& rows);
Matrix sparse_matrix(const Rows& rows);

// Features f0, f1, ... and a numeric target, as if from a CSV file.
Dataset dataset(Matrix x, std::vector<double> y, std::vector<double> weights = {});

// Normal features, of which some carry the target.
struct Drawing {
  Index examples = 60, features = 10;
  int classes = 2;        // labels 0, 1, ...; 0: a real target
  double zeros = 0;       // share of cells that are 0; above 0 the matrix is sparse
  bool weighted = false;  // weights between 0.2 and 5
  Index tied = 1;         // so many columns in a row are nearly the same
  std::uint64_t seed = 1;
};
Dataset drawn(const Drawing& how);

// Bits, counts, durations or numbers whose level depends on the class; some cells may be missing.
Dataset drawn_values(const std::string& kind, int classes, Index examples, Index features, std::uint64_t seed,
                     double missing = 0);

// A ring of class 1 about class 0; of more classes further rings.
Dataset rings(Index examples, int classes, std::uint64_t seed);

// The first so many examples keep their label.
Dataset with_labels_of(Dataset data, Index examples);

// A bump at a random place, of a form that is the class.
Dataset bumps(Index examples, Index length, int classes, std::uint64_t seed);

// Sequences of two channels and unequal length, whose level after a step is the class, or the target.
Dataset steps(Index examples, int classes, std::uint64_t seed);

}  // namespace medlar::bench

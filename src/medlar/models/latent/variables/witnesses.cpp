#include "medlar/models/latent/variables/witnesses.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace medlar {

double features_that_err_together(const Maps& maps, const MeanTemplate& about, const Matrix& x) {
  const Matrix expected = expected_rows(maps, about, x);
  const auto T = static_cast<std::size_t>(x.rows()), n = about.mean.size();
  std::vector<std::vector<double>> rest;
  for (Index t = 0; t < x.rows(); ++t) {
    std::vector<double>& row = rest.emplace_back(dense_row(expected, t));
    for (std::size_t i = 0; i < n; ++i) row[i] = (row[i] - about.mean[i]) / std::sqrt(about.variance[i]);
  }
  double trace = 0, squares = 0;
  for (std::size_t s = 0; s < T; ++s) {
    for (std::size_t t = 0; t <= s; ++t) {
      const double product = std::inner_product(rest[s].begin(), rest[s].end(), rest[t].begin(), 0.0);
      if (s == t) trace += product;
      squares += (s == t ? 1 : 2) * product * product;
    }
  }
  if (!(trace > 0)) return 1;
  const double features = static_cast<double>(n), inverse = squares / (trace * trace) - 1 / static_cast<double>(T);
  return std::clamp(features * inverse, 1.0, features);
}

}  // namespace medlar

#include "medlar/problem/constraints.hpp"

namespace medlar {

namespace {

void add_side(Constraints& constraints, Index t, double sign, double offset, std::span<const double> weights) {
  constraints.example.push_back(t);
  constraints.sign.push_back(sign);
  constraints.offset.push_back(offset);
  constraints.weight.push_back(weights.empty() ? 1.0 : weights[static_cast<std::size_t>(t)]);
}

}  // namespace

Constraints Constraints::over(const Matrix& other) const {
  Constraints constraints = *this;
  constraints.x = &other;
  constraints.longest = other.is_sparse() ? longest_row(other) : HUGE_VAL;
  return constraints;
}

std::vector<double> Constraints::beta(std::span<const double> lambda) const {
  std::vector<double> sums(static_cast<std::size_t>(examples()), 0.0);
  for (std::size_t k = 0; k < lambda.size(); ++k) sums[static_cast<std::size_t>(example[k])] += sign[k] * lambda[k];
  return sums;
}

Constraints classification_constraints(const Matrix& x, std::span<const int> y, std::span<const double> weights) {
  Constraints constraints = Constraints{}.over(x);
  for (Index t = 0; t < x.rows(); ++t) add_side(constraints, t, y[static_cast<std::size_t>(t)], 0.0, weights);
  return constraints;
}

Constraints regression_constraints(const Matrix& x, std::span<const double> y, std::span<const double> weights) {
  Constraints constraints = Constraints{}.over(x);
  for (Index t = 0; t < x.rows(); ++t) {
    const double target = y[static_cast<std::size_t>(t)];
    add_side(constraints, t, +1.0, target, weights);
    add_side(constraints, t, -1.0, -target, weights);
  }
  return constraints;
}

}  // namespace medlar

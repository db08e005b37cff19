#include "medlar/problem/class_constraints.hpp"

#include "medlar/numerics/sum.hpp"

namespace medlar {

ClassConstraints ClassConstraints::only(std::span<const std::size_t> places) const {
  ClassConstraints kept;
  kept.rows = rows;
  kept.classes = classes;
  kept.examples = examples;
  for (const std::size_t c : places) {
    kept.example.push_back(example[c]);
    kept.up.push_back(up[c]);
    kept.down.push_back(down[c]);
    kept.offset.push_back(offset[c]);
    kept.weight.push_back(weight[c]);
  }
  return kept;
}

std::vector<double> ClassConstraints::beta(std::span<const double> lambda) const {
  std::vector<double> r(static_cast<std::size_t>(classes * examples), 0.0);
  for (std::size_t c = 0; c < lambda.size(); ++c) {
    r[static_cast<std::size_t>(up[c] * examples + example[c])] += lambda[c];
    if (down[c] >= 0) r[static_cast<std::size_t>(down[c] * examples + example[c])] -= lambda[c];
  }
  return r;
}

std::vector<double> ClassConstraints::totals(std::span<const double> lambda) const {
  std::vector<CompensatedSum> sums(outputs());
  for (std::size_t c = 0; c < lambda.size(); ++c) {
    sums[at(up[c])].add(lambda[c]);
    if (down[c] >= 0) sums[at(down[c])].add(-lambda[c]);
  }
  std::vector<double> all;
  for (const CompensatedSum& sum : sums) all.push_back(sum.value());
  return all;
}

std::vector<double> ClassConstraints::statistics(std::span<const double> beta, Summing) const {
  const std::size_t n = at(rows->statistics());
  std::vector<double> v(outputs() * n, 0.0);
  for (std::size_t k = 0; k < outputs(); ++k) {
    rows->add(beta.subspan(k * at(examples), at(examples)), std::span(v).subspan(k * n, n));
  }
  return v;
}

std::vector<double> ClassConstraints::scores(std::span<const double> w) const {
  const std::size_t n = at(rows->statistics());
  std::vector<double> f(outputs() * at(examples));
  for (std::size_t k = 0; k < outputs(); ++k) {
    rows->scores(w.subspan(k * n, n), std::span(f).subspan(k * at(examples), at(examples)));
  }
  return f;
}

std::vector<double> ClassConstraints::weighted_squares(std::span<const double> d) const {
  const std::vector<double> squares = rows->weighted_squares(d, at(rows->statistics()));
  std::vector<double> out(count());
  for (std::size_t c = 0; c < out.size(); ++c) {
    out[c] = squares[static_cast<std::size_t>(up[c] * examples + example[c])];
    if (down[c] >= 0) out[c] += squares[static_cast<std::size_t>(down[c] * examples + example[c])];
  }
  return out;
}

namespace {

void add(ClassConstraints& constraints, Index t, Index up, Index down, std::span<const double> weights) {
  constraints.example.push_back(t);
  constraints.up.push_back(up);
  constraints.down.push_back(down);
  constraints.offset.push_back(0);
  constraints.weight.push_back(weights.empty() ? 1.0 : weights[static_cast<std::size_t>(t)]);
}

}  // namespace

ClassConstraints rival_constraints(std::span<const Index> y, Index classes, std::span<const double> weights) {
  ClassConstraints constraints;
  constraints.classes = classes;
  constraints.examples = std::ssize(y);
  for (Index t = 0; t < std::ssize(y); ++t) {
    for (Index k = 0; k < classes; ++k) {
      if (k != y[static_cast<std::size_t>(t)]) add(constraints, t, y[static_cast<std::size_t>(t)], k, weights);
    }
  }
  return constraints;
}

ClassConstraints single_class_constraints(Index examples, std::span<const double> weights) {
  ClassConstraints constraints;
  constraints.classes = 1;
  constraints.examples = examples;
  for (Index t = 0; t < examples; ++t) add(constraints, t, 0, -1, weights);
  return constraints;
}

}  // namespace medlar

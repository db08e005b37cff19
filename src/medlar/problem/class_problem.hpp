// The one concave problem between classes (docs/theory.md#several-classes), and the two halves of its certificate.
//
//   J(lambda) = sum_c [ psi_c(lambda_c) + o_c lambda_c ] - A(V) - sigma2/2 sum_k S_k^2,   V_k = sum_t r_tk u_t,
//   S_k = sum_t r_tk, with S = 0 as a constraint when the biases are flat
//   F(w, b) = A*(w) + sum_k b_k^2/(2 sigma2) + sum_c loss_c(m_c),   m_c = w_up.u - w_down.u + b_up - b_down - o_c
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "medlar/core/concepts.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/systems/small_system.hpp"
#include "medlar/numerics/sum.hpp"
#include "medlar/problem/class_crosses.hpp"
#include "medlar/problem/problem.hpp"
#include "medlar/problem/statistic_rows.hpp"

namespace medlar {

template <MarginPotential Psi, class A>
struct ClassProblem {
  Psi psi;
  const A& partition;
  const StatisticRows& rows;
  const ClassConstraints& constraints;
  BiasPrior bias;

  double value(std::size_t c, double lambda) const { return omega(c) * psi.value(lambda / omega(c)); }
  double slope(std::size_t c, double lambda) const { return psi.slope(lambda / omega(c)); }
  double curvature(std::size_t c, double lambda) const { return psi.curvature(lambda / omega(c)) / omega(c); }
  double loss(std::size_t c, double margin) const { return omega(c) * psi.loss(margin); }
  double multiplier(std::size_t c, double margin) const { return omega(c) * psi.multiplier(margin); }
  Response respond(std::size_t c, double margin) const {
    const Response one = medlar::respond(psi, margin);
    return {omega(c) * one.loss, omega(c) * one.multiplier, omega(c) * one.bend};
  }
  double upper(std::size_t c) const { return omega(c) * psi.domain().upper; }
  double end_weight(std::size_t c) const { return psi.domain().closed ? 0.0 : omega(c); }

  std::size_t count() const { return constraints.count(); }
  double omega(std::size_t c) const { return constraints.weight[c]; }
  bool flat() const { return bias.flat() && constraints.classes > 1; }
  double sigma2() const { return bias.kind == BiasPrior::Kind::gaussian ? bias.variance : 0.0; }

  // f and b by class: m_c.
  double margin(std::size_t c, std::span<const double> f, std::span<const double> b) const {
    const auto t = static_cast<std::size_t>(constraints.example[c]), up = static_cast<std::size_t>(constraints.up[c]);
    const auto examples = static_cast<std::size_t>(constraints.examples);
    double m = f[up * examples + t] + b[up] - constraints.offset[c];
    if (constraints.down[c] >= 0) {
      const auto down = static_cast<std::size_t>(constraints.down[c]);
      m -= f[down * examples + t] + b[down];
    }
    return m;
  }
};

struct ClassDual {
  std::vector<double> lambda, v;
  double objective = -HUGE_VAL;
};

struct ClassPrimal {
  std::vector<double> v, w;  // w = A'(v), class by class
  std::vector<double> f;     // u_t . w_k, class by class
  std::vector<double> bias;  // one per class
  double value = HUGE_VAL;
};

template <class P>
std::vector<double> class_statistics(const P& problem, std::span<const double> lambda) {
  const auto examples = static_cast<std::size_t>(problem.constraints.examples);
  const auto n = static_cast<std::size_t>(problem.rows.statistics());
  const std::vector<double> r = problem.constraints.shares(lambda);
  std::vector<double> v(static_cast<std::size_t>(problem.constraints.classes) * n, 0.0);
  for (std::size_t k = 0; k * n < v.size(); ++k) {
    problem.rows.add(std::span(r).subspan(k * examples, examples), std::span(v).subspan(k * n, n));
  }
  return v;
}

template <class P>
std::vector<double> class_scores(const P& problem, std::span<const double> w) {
  const auto examples = static_cast<std::size_t>(problem.constraints.examples);
  const auto n = static_cast<std::size_t>(problem.rows.statistics());
  const auto classes = static_cast<std::size_t>(problem.constraints.classes);
  std::vector<double> f(classes * examples);
  for (std::size_t k = 0; k < classes; ++k) {
    problem.rows.scores(w.subspan(k * n, n), std::span(f).subspan(k * examples, examples));
  }
  return f;
}

// S_k, what each class receives.
template <class P>
std::vector<double> class_totals(const P& problem, std::span<const double> lambda) {
  std::vector<CompensatedSum> sums(static_cast<std::size_t>(problem.constraints.classes));
  for (std::size_t c = 0; c < lambda.size(); ++c) {
    sums[static_cast<std::size_t>(problem.constraints.up[c])].add(lambda[c]);
    if (problem.constraints.down[c] >= 0) sums[static_cast<std::size_t>(problem.constraints.down[c])].add(-lambda[c]);
  }
  std::vector<double> totals;
  for (const CompensatedSum& sum : sums) totals.push_back(sum.value());
  return totals;
}

// With flat biases what each class receives must be 0. A residue is taken up by the multipliers inside their domain,
// each in proportion to its distance from the nearer end: the least change of that kind.
template <class P>
void balance_classes(const P& problem, std::vector<double>& lambda) {
  if (!problem.flat()) return;
  const auto& constraints = problem.constraints;
  const auto classes = static_cast<std::size_t>(constraints.classes);
  for (int round = 0; round < 30; ++round) {
    pause_after(kNumbersOfALog * lambda.size());
    std::vector<double> totals = class_totals(problem, lambda), matrix(classes * classes, 0.0);
    double size = 0, residue = 0;
    for (std::size_t c = 0; c < lambda.size(); ++c) size += lambda[c];
    for (const double total : totals) residue = std::max(residue, std::abs(total));
    if (residue <= 1e-14 * size) return;
    const auto room = [&](std::size_t c) { return std::max(0.0, std::min(lambda[c], problem.upper(c) - lambda[c])); };
    for (std::size_t c = 0; c < lambda.size(); ++c) {
      const auto up = static_cast<std::size_t>(constraints.up[c]), down = static_cast<std::size_t>(constraints.down[c]);
      const double weight = room(c);
      matrix[up * classes + up] += weight;
      matrix[down * classes + down] += weight;
      matrix[up * classes + down] -= weight;
      matrix[down * classes + up] -= weight;
    }
    for (double& total : totals) total = -total;
    std::vector<double> shift = solve_semidefinite(matrix, totals);
    const auto [least, most] = std::minmax_element(shift.begin(), shift.end());
    const double span = *most - *least;
    const double part = span > 0.5 ? 0.5 / span : 1.0;
    for (std::size_t c = 0; c < lambda.size(); ++c) {
      lambda[c] +=
          part * room(c) *
          (shift[static_cast<std::size_t>(constraints.up[c])] - shift[static_cast<std::size_t>(constraints.down[c])]);
    }
  }
}

// A lambda that could not be balanced is no point of the dual: its J is minus infinity.
template <class P>
ClassDual class_dual(const P& problem, std::vector<double> lambda) {
  balance_classes(problem, lambda);
  ClassDual point;
  point.lambda = std::move(lambda);
  point.v = class_statistics(problem, point.lambda);
  CompensatedSum objective;
  objective.add(-problem.partition.value(point.v));
  const std::vector<double> totals = class_totals(problem, point.lambda);
  double scale = 0;
  for (const double each : point.lambda) scale += each;
  for (const double total : totals) {
    objective.add(-0.5 * problem.sigma2() * total * total);
    if (problem.flat() && std::abs(total) > 1e-11 * (scale + 1e-300)) objective.add(-HUGE_VAL);
  }
  for (std::size_t c = 0; c < problem.count(); ++c) {
    objective.add(problem.value(c, point.lambda[c]));
    objective.add(problem.constraints.offset[c] * point.lambda[c]);
  }
  point.objective = objective.value();
  if (std::isnan(point.objective)) point.objective = -HUGE_VAL;
  return point;
}

template <class P>
double class_losses(const P& problem, std::span<const double> f, std::span<const double> b) {
  pause_after(kNumbersOfALog * problem.count());
  CompensatedSum sum;
  if (problem.sigma2() > 0) {
    for (const double each : b) sum.add(0.5 * each * each / problem.sigma2());
  }
  for (std::size_t c = 0; c < problem.count(); ++c) sum.add(problem.loss(c, problem.margin(c, f, b)));
  return sum.value();
}

// u . A'' u of each constraint, but for what switches tie between classes; none where that would take too long.
template <class Curvature>
std::vector<double> class_variances(const StatisticRows& rows, const ClassConstraints& constraints,
                                    const Curvature& curvature) {
  constexpr double kMostNumbers = 1e9;
  const auto classes = static_cast<std::size_t>(constraints.classes), n = static_cast<std::size_t>(rows.statistics());
  if (static_cast<double>(constraints.examples) * static_cast<double>(n * classes) > kMostNumbers) return {};
  std::vector<double> u(n), of_class(classes), out(constraints.count());
  for (std::size_t c = 0; c < out.size(); ++c) {
    if (c == 0 || constraints.example[c] != constraints.example[c - 1]) {
      rows.row(constraints.example[c], u);
      curvature.variances(u, of_class);
      pause_after(4 * n * classes);
    }
    out[c] = of_class[static_cast<std::size_t>(constraints.up[c])];
    if (constraints.down[c] >= 0) out[c] += of_class[static_cast<std::size_t>(constraints.down[c])];
  }
  return out;
}

// Of a curvature that has u_s . A'' u_t in closed form (class_crosses.hpp); it must outlive the function. Else empty.
template <class Partition, class Curvature>
ClassCrosses::Cross cross_of(const Partition& partition, const Curvature& curvature) {
  if constexpr (requires { partition.has_crosses(); }) {
    if (!partition.has_crosses()) return {};
    return [&curvature](Index k, std::span<const double> z, std::span<double> out) { curvature.crosses(k, z, out); };
  } else {
    return {};
  }
}

// A*(w) at w = A'(v), which is v . w - A(v); a prior over coefficients says it with more digits.
template <class P>
double class_conjugate(const P& problem, const ClassPrimal& point) {
  if constexpr (LogPartition<std::remove_cvref_t<decltype(problem.partition)>>) {
    return problem.partition.conjugate_at(point.v);
  } else {
    CompensatedSum sum;
    for (std::size_t i = 0; i < point.v.size(); ++i) sum.add(point.v[i] * point.w[i]);
    sum.add(-problem.partition.value(point.v));
    return sum.value();
  }
}

}  // namespace medlar

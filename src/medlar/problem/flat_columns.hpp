// Columns with flat coefficients t beside a flat bias (docs/theory.md#covariates). They add Q t to the scores, which
// costs nothing in A*, and ask of the multipliers that sum_k s_k lambda_k q_k = 0. The problem at hand knows nothing of
// them: its own columns in their places have V = 0 and w = 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/systems/small_system.hpp"
#include "medlar/numerics/sum.hpp"
#include "medlar/problem/certificate.hpp"

namespace medlar {

struct FlatColumns {
  std::vector<std::size_t> place;  // of each among the columns of the problem
  std::vector<double> q;           // column by column, one number for each example
  std::size_t examples = 0;

  std::size_t count() const { return place.size(); }
  double at(std::size_t t, std::size_t j) const { return q[j * examples + t]; }

  // Q t: coefficients t and scores output by output.
  std::vector<double> scores(std::span<const double> t) const {
    std::vector<double> f(count() == 0 ? 0 : t.size() / count() * examples, 0.0);
    for (std::size_t j = 0; j < t.size(); ++j) {
      double* to = f.data() + j / count() * examples;
      const double* from = q.data() + j % count() * examples;
      for (std::size_t e = 0; e < examples; ++e) to[e] += t[j] * from[e];
    }
    return f;
  }
};

// The outputs that constraint k adds to, with their signs: visit(output, sign).
template <class C, class Visit>
void for_outputs(const C& constraints, std::size_t k, Visit visit) {
  if constexpr (C::kOne) {
    visit(std::size_t{0}, constraints.sign[k]);
  } else {
    visit(static_cast<std::size_t>(constraints.up[k]), 1.0);
    if (constraints.down[k] >= 0) visit(static_cast<std::size_t>(constraints.down[k]), -1.0);
  }
}

// The same constraints, of scores that lack the known ones.
template <class C>
C beside_known_scores(const C& constraints, std::span<const double> known, std::size_t examples) {
  C beside = constraints;
  if (known.empty()) return beside;
  for (std::size_t k = 0; k < beside.offset.size(); ++k) {
    const auto t = static_cast<std::size_t>(constraints.example[k]);
    for_outputs(constraints, k,
                [&](std::size_t output, double sign) { beside.offset[k] -= sign * known[output * examples + t]; });
  }
  return beside;
}

// What the multipliers must bring to 0: of each output, S with a flat bias and then sum_k s_k lambda_k q_k.
template <class P>
class Balancing {
 public:
  Balancing(const P& problem, const FlatColumns& flat)
      : problem_(problem), flat_(flat), first_(problem.flat() ? 1 : 0), width_(first_ + flat.count()) {}

  std::size_t size() const { return problem_.outputs() * width_; }
  // Of the column that stands at `j` for each output.
  double at(std::size_t t, std::size_t j) const { return j < first_ ? 1.0 : flat_.at(t, j - first_); }

  // The totals, and with them sums of their sizes.
  std::pair<std::vector<double>, std::vector<double>> totals(std::span<const double> lambda) const {
    std::vector<CompensatedSum> sum(size());
    std::vector<double> weight(size(), 0.0), total;
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      if (lambda[k] == 0) continue;
      for_outputs(problem_.constraints, k, [&](std::size_t output, double sign) {
        for (std::size_t j = 0; j < width_; ++j) {
          const double part = sign * lambda[k] * at(problem_.example(k), j);
          sum[output * width_ + j].add(part);
          weight[output * width_ + j] += std::abs(part);
        }
      });
    }
    for (const CompensatedSum& each : sum) total.push_back(each.value());
    return {std::move(total), std::move(weight)};
  }

  // sum_k room_k c_k c_k^T for the constraints' coefficients c_k.
  std::vector<double> matrix(std::span<const double> room) const {
    std::vector<double> m(size() * size(), 0.0);
    for (std::size_t k = 0; k < room.size(); ++k) {
      if (room[k] == 0) continue;
      const std::size_t t = problem_.example(k);
      for_outputs(problem_.constraints, k, [&](std::size_t a, double sign_a) {
        for_outputs(problem_.constraints, k, [&](std::size_t b, double sign_b) {
          for (std::size_t i = 0; i < width_; ++i) {
            const double left = room[k] * sign_a * sign_b * at(t, i);
            for (std::size_t j = 0; j < width_; ++j) m[(a * width_ + i) * size() + b * width_ + j] += left * at(t, j);
          }
        });
      });
    }
    return m;
  }

  // c_k . shift
  double along(std::size_t k, std::span<const double> shift) const {
    double sum = 0;
    for_outputs(problem_.constraints, k, [&](std::size_t output, double sign) {
      for (std::size_t j = 0; j < width_; ++j) sum += sign * shift[output * width_ + j] * at(problem_.example(k), j);
    });
    return sum;
  }

 private:
  const P& problem_;
  const FlatColumns& flat_;
  std::size_t first_, width_;
};

// Moves each multiplier by its room times c_k . shift, the least change of that kind that balances, and shorter where
// it would leave the domain; again until all balances. Where the room of multipliers inside their domains is too
// little, those at an end move as well. False: they could not be balanced.
template <class P>
bool balance_flat(const P& problem, const FlatColumns& flat, std::vector<double>& lambda) {
  constexpr int most_rounds = 60, rounds_inside = 30;
  constexpr double enough = 4e-16, rounding = 1e-12;  // of the sums of sizes
  constexpr double room_at_ends = 1e-3;               // of the mean multiplier
  const Balancing balancing(problem, flat);
  double residue = HUGE_VAL;
  for (int round = 0; round < most_rounds; ++round) {
    pause_after(kNumbersOfALog * lambda.size());
    auto [total, weight] = balancing.totals(lambda);
    const double before = residue;
    residue = 0;
    for (std::size_t j = 0; j < total.size(); ++j) {
      if (weight[j] > 0) residue = std::max(residue, std::abs(total[j]) / weight[j]);
    }
    const bool idle = !(residue < 0.9 * before);
    if (residue <= enough || (residue <= rounding && idle)) return true;
    const bool ends = round >= rounds_inside;
    double mean = 0;
    for (const double each : lambda) mean += each / static_cast<double>(lambda.size());
    std::vector<double> room(lambda.size());
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      room[k] = room_inside(problem, k, lambda[k]);
      if (ends) room[k] = std::max(room[k], std::min(room_at_ends * mean, 0.1 * problem.upper(k)));
    }
    for (double& each : total) each = -each;
    const std::vector<double> shift = solve_semidefinite(balancing.matrix(room), total);
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      if (room[k] == 0) continue;
      const double along = balancing.along(k, shift);
      if (ends) {
        lambda[k] = problem.held(k, lambda[k], room[k] * along);
      } else {
        lambda[k] += room[k] * std::clamp(along, -0.5, 0.5);
      }
    }
    cancel_sides(problem, lambda);
  }
  return residue <= rounding;
}

// Sets the entries of the flat columns to 0, output by output.
inline void clear_flat(const FlatColumns& flat, std::size_t outputs, std::vector<double>& values) {
  const std::size_t n = values.size() / outputs;
  for (std::size_t k = 0; k < outputs; ++k) {
    for (const std::size_t i : flat.place) values[k * n + i] = 0;
  }
}

// The multipliers made to balance, or none where they cannot be, with their J. One pass over the data.
template <class P>
DualPoint flat_dual_point(const P& problem, const FlatColumns& flat, std::vector<double> lambda) {
  DualPoint point;
  cancel_sides(problem, lambda);
  if (!balance_flat(problem, flat, lambda)) std::fill(lambda.begin(), lambda.end(), 0.0);
  point.lambda = std::move(lambda);
  point.beta = problem.constraints.beta(point.lambda);
  point.v = statistics_of(problem, point.beta);
  clear_flat(flat, problem.outputs(), point.v);
  point.objective = dual_value(problem, point);
  return point;
}

}  // namespace medlar

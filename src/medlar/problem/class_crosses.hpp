// u_s . A'' u_t of all pairs of examples, class by class, where a closed form of their columns gives them, as full
// covariance has it (docs/theory.md#generative). The matrix of a Newton step then needs no statistics, of which there
// are r^2.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/problem/class_constraints.hpp"
#include "medlar/thresholds/direct_factor.hpp"

namespace medlar {

class ClassCrosses {
 public:
  // out = u_s . A''_kk u_t of the examples whose r columns follow each other in z.
  using Cross = std::function<void(Index k, std::span<const double> z, std::span<double> out)>;

  // Whether a pass over all pairs of examples costs less than one over the statistics, and there is room for them.
  static bool suit(const ClassConstraints& constraints);
  // Of these examples, one column after the other; 0 where one has no statistics.
  static std::vector<double> of_class(const StatisticRows& rows, std::span<const Index> examples, Index k,
                                      const Cross& cross);

  ClassCrosses(const ClassConstraints& constraints, const Cross& cross);
  // f_tk = sum_s u_t . A''_kk u_s r_sk; classes one after the other.
  void scores(std::span<const double> r, std::span<double> f) const;
  // u . A'' u of each constraint.
  std::vector<double> diagonal(const ClassConstraints& constraints) const;

 private:
  std::size_t examples_;
  std::vector<std::vector<double>> by_class_;
};

// u . A'' u of each constraint, but for what switches tie between classes; none where that would take too long.
template <class Curvature>
std::vector<double> class_variances(const StatisticRows& rows, const ClassConstraints& constraints,
                                    const Curvature& curvature) {
  const auto classes = static_cast<std::size_t>(constraints.classes), n = static_cast<std::size_t>(rows.statistics());
  if (is_too_long_for_variances(static_cast<double>(constraints.examples) * static_cast<double>(n * classes))) {
    return {};
  }
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

}  // namespace medlar

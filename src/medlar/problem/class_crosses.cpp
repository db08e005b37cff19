#include "medlar/problem/class_crosses.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <numeric>

#include "medlar/linalg/give_up.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/thresholds/direct_factor.hpp"

namespace medlar {

bool ClassCrosses::suit(const ClassConstraints& constraints) {
  const StatisticRows& rows = *constraints.rows;
  const SecondMoments* const moments = rows.sole_moments();
  if (moments == nullptr) return false;
  const auto T = static_cast<double>(constraints.examples), r = static_cast<double>(moments->columns);
  return goes_over_pairs(T, r, static_cast<double>(constraints.classes));
}

std::vector<double> ClassCrosses::of_class(const StatisticRows& rows, std::span<const Index> examples, Index k,
                                           const Cross& cross) {
  const SecondMoments& moments = *rows.sole_moments();
  const std::size_t r = at(moments.columns), count = examples.size();
  std::vector<double> z, out(count * count);
  for (const Index t : examples) {
    const auto first = moments.x.begin() + t * moments.columns;
    z.insert(z.end(), first, first + moments.columns);
  }
  cross(k, z, out);
  pause_after(2 * count * count * r);
  for (std::size_t s = 0; s < count; ++s) {
    if (rows.counted(examples[s])) continue;
    for (std::size_t t = 0; t < count; ++t) out[s * count + t] = out[t * count + s] = 0;
  }
  return out;
}

ClassCrosses::ClassCrosses(const ClassConstraints& constraints, const Cross& cross)
    : examples_(at(constraints.examples)) {
  std::vector<Index> all(examples_);
  std::iota(all.begin(), all.end(), Index{0});
  for (Index k = 0; k < constraints.classes; ++k) by_class_.push_back(of_class(*constraints.rows, all, k, cross));
}

void ClassCrosses::scores(std::span<const double> r, std::span<double> f) const {
  const auto T = static_cast<Eigen::Index>(examples_);
  for (std::size_t k = 0; k < by_class_.size(); ++k) {
    Eigen::Map<Eigen::VectorXd>(f.data() + k * examples_, T).noalias() =
        Eigen::Map<const Eigen::MatrixXd>(by_class_[k].data(), T, T).selfadjointView<Eigen::Lower>() *
        Eigen::Map<const Eigen::VectorXd>(r.data() + k * examples_, T);
    pause_after(examples_ * examples_);
  }
}

std::vector<double> ClassCrosses::diagonal(const ClassConstraints& constraints) const {
  std::vector<double> out(constraints.count());
  for (std::size_t c = 0; c < out.size(); ++c) {
    const std::size_t place = at(constraints.example[c]) * (examples_ + 1);
    out[c] = by_class_[at(constraints.up[c])][place];
    if (constraints.down[c] >= 0) out[c] += by_class_[at(constraints.down[c])][place];
  }
  return out;
}

}  // namespace medlar

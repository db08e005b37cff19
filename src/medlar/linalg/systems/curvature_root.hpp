// The symmetric root B of A'' = diag(d) + sum_g kappa_g v_g v_g^T, where d is equal within a group: on each group
//
//   B = d^1/2 (1 + (s - 1) e e^T),    e = v_g / |v_g|,    s^2 = 1 + kappa_g |v_g|^2 / d
#pragma once

#include <Eigen/Dense>

#include <span>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

class CurvatureRoot {
 public:
  explicit CurvatureRoot(std::span<const double> d);
  CurvatureRoot(std::span<const double> d, std::span<const double> kappa, std::span<const Index> group_of,
                std::span<const double> v);

  void apply(Eigen::Ref<Eigen::VectorXd> x) const;  // B x
  void on_both_sides(Eigen::MatrixXd& m) const;     // B M B

 private:
  Eigen::VectorXd root_;             // d^1/2
  std::span<const Index> group_of_;  // empty without groups
  Eigen::VectorXd unit_;             // e, one group after the other
  std::vector<double> stretch_;      // s - 1 of each group
};

}  // namespace medlar

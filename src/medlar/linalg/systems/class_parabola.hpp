// The losses between classes around a point, as a parabola over the coefficients of all classes, class by class. The
// biases are minimised out.
#pragma once

#include <Eigen/Dense>

#include <functional>
#include <span>

#include "medlar/linalg/systems/parabola.hpp"
#include "medlar/types.hpp"

namespace medlar {

class ClassParabola {
 public:
  // `row` writes the features of one example.
  ClassParabola(Index examples, Index features, Index classes,
                const std::function<void(Index, std::span<double>)>& row);

  // Takes the bends of the constraints and the slope g of their losses, with the slope in the biases last. `precision`
  // is 1/sigma2 of each bias, 0 for flat biases.
  Parabola around(std::span<const Index> example, std::span<const Index> up, std::span<const Index> down,
                  std::span<const double> bend, std::span<const double> g, double precision) const;
  // The same with all biases held at 0; g has no entries for them.
  Parabola without_biases(std::span<const Index> example, std::span<const Index> up, std::span<const Index> down,
                          std::span<const double> bend, std::span<const double> g) const;

 private:
  Eigen::MatrixXd u_;  // one row per example: its features and a 1
  Index classes_;
};

}  // namespace medlar

#include "medlar/linalg/systems/class_parabola.hpp"

#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/systems/class_gram.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {

ClassParabola::ClassParabola(Index examples, Index features, Index classes,
                             const std::function<void(Index, std::span<double>)>& row)
    : u_(Eigen::MatrixXd::Ones(examples, features + 1)), classes_(classes) {
  std::vector<double> values(at(features));
  for (Index t = 0; t < examples; ++t) {
    row(t, values);
    u_.row(t).head(features) = Eigen::Map<const Eigen::RowVectorXd>(values.data(), features);
    pause_after(4 * values.size());
  }
}

Parabola ClassParabola::around(std::span<const Index> example, std::span<const Index> up, std::span<const Index> down,
                               std::span<const double> bend, std::span<const double> g, double precision) const {
  Eigen::MatrixXd m = biases_last(class_gram(u_, classes_, example, up, down, bend), classes_);
  m.diagonal().tail(classes_).array() += precision;
  return {m, g, classes_};
}

Parabola ClassParabola::without_biases(std::span<const Index> example, std::span<const Index> up,
                                       std::span<const Index> down, std::span<const double> bend,
                                       std::span<const double> g) const {
  return {class_gram(u_.leftCols(u_.cols() - 1), classes_, example, up, down, bend), g};
}

}  // namespace medlar

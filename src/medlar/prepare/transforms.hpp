// Steps from file features to model features, made once from the training data and replayed at prediction:
// scaling to common units, and expansion into products ([MED fn. 3]).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "medlar/matrix.hpp"
#include "medlar/model.hpp"

namespace medlar {

// standard: factor 1 / sd (population sd, 1 where the column is constant), shift = mean if `centre`;
// maxabs: factor 1 / max|x| (1 where the column is zero), never a shift.
// A sparse matrix is never centred: its shift stays empty, and under a flat bias the fit is the same.
// weights are empty or one per row, >= 0.
Transform make_scale(const Matrix& x, ScaleKind kind, bool centre, std::span<const double> weights = {});

// quadratic: x_i for all i, then x_i x_j for i <= j; powers:D: x_i, x_i^2, ..., x_i^D feature by feature.
// When few products are non-zero only pairs that occur together in some row are kept, sorted by (i, j).
Transform make_expansion(const Matrix& x, const ExpansionChoice& expand);

// Throws if the columns do not fit or a value overflows; `names` (of the input's features) are for its message.
Matrix apply(const Transform& transform, const Matrix& x, std::span<const std::string> names = {});

// The same, block by block: what an expansion needs to find its products is prepared once. Keeps references.
class Products;
class Replay {
 public:
  explicit Replay(const Transform& transform, std::span<const std::string> names = {});
  ~Replay();
  Matrix operator()(const Matrix& x);

 private:
  const Transform& transform_;
  std::span<const std::string> names_;
  std::unique_ptr<Products> products_;
};

// Names of the output's features, such as rm, rm^2, rm*lstat.
std::vector<std::string> names_after(const Transform& transform, std::span<const std::string> names);

}  // namespace medlar

// A finite set of linear maps of an example: shifts of a signal, shifts and small rotations of an image, or maps that
// the user gives (docs/theory.md#latent). The first map changes nothing. A value outside is replaced by the nearest one
// inside, or by the background if the image has one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "medlar/matrix.hpp"

namespace medlar {

class Maps {
 public:
  static Maps of_signal(Index length, Index reach);
  // A square of shifts up to `reach` either way; with degrees > 0 also turned by that angle either way.
  static Maps of_image(Index height, Index width, Index reach, double degrees, std::optional<double> background = {});
  // One square map after the other, row by row. The identity is put first unless it is already there.
  static Maps of_matrices(Index features, std::span<const double> entries);

  std::size_t count() const { return starts_.size() / (static_cast<std::size_t>(features_) + 1); }
  Index features() const { return features_; }

  void apply(std::size_t map, std::span<const double> x, std::span<double> out) const;
  // All maps of all rows: those of row t are rows t count() .. (t + 1) count() - 1.
  Matrix apply_all(const Matrix& x) const;

 private:
  explicit Maps(Index features) : features_(features) {}
  void begin_map() { starts_.push_back(static_cast<Index>(from_.size())); }
  void end_output() { starts_.push_back(static_cast<Index>(from_.size())); }
  void take(Index from, double weight);

  Index features_;
  double background_ = 0;
  std::vector<Index> starts_;  // features + 1 per map: output i of a map is the sum over starts[i] .. starts[i + 1]
  std::vector<Index> from_;    // features_: from the background
  std::vector<double> weight_;
};

// 0, 1, -1, 2, -2, ...: the order of shifts; the first changes nothing.
std::vector<Index> steps_up_to(Index reach);

// The value that most pixels at the edges of these images share, if more than half of them do.
std::optional<double> background_of(const Matrix& images, Index height, Index width);

// A row as a dense one.
std::vector<double> dense_row(const Matrix& x, Index t);

}  // namespace medlar

// A turned pixel lies between four others, and its value is interpolated. Outside the image there is nothing to
// interpolate: the background, or the nearest pixel, is taken instead, so that a shift does not invent an edge.
#include "medlar/models/latent/variables/maps.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace medlar {

std::vector<Index> steps_up_to(Index reach) {
  std::vector<Index> steps{0};
  for (Index step = 1; step <= reach; ++step) steps.insert(steps.end(), {step, -step});
  return steps;
}

std::vector<double> dense_row(const Matrix& x, Index t) {
  std::vector<double> row(static_cast<std::size_t>(x.columns()), 0.0);
  for_each(x.row(t), [&](Index i, double value) { row[static_cast<std::size_t>(i)] = value; });
  return row;
}

std::optional<double> background_of(const Matrix& images, Index height, Index width) {
  std::vector<double> edge;
  for (Index t = 0; t < images.rows(); ++t) {
    const std::vector<double> image = dense_row(images, t);
    for (Index i = 0; i < height * width; ++i) {
      const Index row = i / width, column = i % width;
      if (row == 0 || row == height - 1 || column == 0 || column == width - 1) {
        edge.push_back(image[static_cast<std::size_t>(i)]);
      }
    }
  }
  std::sort(edge.begin(), edge.end());
  if (edge.empty()) return {};
  const double middle = edge[edge.size() / 2];  // equal to more than half of them, if any value is
  const auto [first, last] = std::equal_range(edge.begin(), edge.end(), middle);
  if (2 * (last - first) <= std::ssize(edge)) return {};
  return middle;
}

void Maps::take(Index from, double weight) {
  if (weight == 0) return;
  from_.push_back(from);
  weight_.push_back(weight);
}

Maps Maps::of_signal(Index length, Index reach) {
  Maps maps(length);
  for (const Index step : steps_up_to(reach)) {
    maps.begin_map();
    for (Index i = 0; i < length; ++i) {
      maps.take(std::clamp<Index>(i + step, 0, length - 1), 1);
      maps.end_output();
    }
  }
  return maps;
}

// Pixel (r, c) takes the value at its place after turning about the middle and shifting, interpolated between four
// pixels.
Maps Maps::of_image(Index height, Index width, Index reach, double degrees, std::optional<double> background) {
  Maps maps(height * width);
  maps.background_ = background.value_or(0);
  const auto inside = [&](double row, double column) {
    return row >= 0 && row < static_cast<double>(height) && column >= 0 && column < static_cast<double>(width);
  };
  const auto nearest = [&](double at, Index length) {
    return background ? at : std::clamp(at, 0.0, static_cast<double>(length - 1));
  };
  const double row_middle = 0.5 * static_cast<double>(height - 1), column_middle = 0.5 * static_cast<double>(width - 1);
  for (const double turn : degrees > 0 ? std::vector<double>{0, degrees, -degrees} : std::vector<double>{0}) {
    const double sine = std::sin(turn * std::numbers::pi / 180), cosine = std::cos(turn * std::numbers::pi / 180);
    for (const Index down : steps_up_to(reach)) {
      for (const Index right : steps_up_to(reach)) {
        maps.begin_map();
        for (Index i = 0; i < height * width; ++i) {
          const double r = static_cast<double>(i / width) - row_middle,
                       c = static_cast<double>(i % width) - column_middle;
          const double row = nearest(cosine * r - sine * c + row_middle + static_cast<double>(down), height);
          const double column = nearest(sine * r + cosine * c + column_middle + static_cast<double>(right), width);
          const double above = std::floor(row), left = std::floor(column);
          const auto at = [&](double rr, double cc) {
            if (background && !inside(rr, cc)) return maps.features_;
            return static_cast<Index>(std::min(rr, static_cast<double>(height - 1))) * width +
                   static_cast<Index>(std::min(cc, static_cast<double>(width - 1)));
          };
          const double below = row - above, beside = column - left;
          maps.take(at(above, left), (1 - below) * (1 - beside));
          maps.take(at(above, left + 1), (1 - below) * beside);
          maps.take(at(above + 1, left), below * (1 - beside));
          maps.take(at(above + 1, left + 1), below * beside);
          maps.end_output();
        }
      }
    }
  }
  return maps;
}

Maps Maps::of_matrices(Index features, std::span<const double> entries) {
  Maps maps(features);
  const auto n = static_cast<std::size_t>(features);
  const auto is_identity = [&](std::size_t map) {
    for (std::size_t k = 0; k < n * n; ++k) {
      if (entries[map * n * n + k] != (k / n == k % n ? 1 : 0)) return false;
    }
    return true;
  };
  const auto add = [&](auto entry) {
    maps.begin_map();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) maps.take(static_cast<Index>(j), entry(i, j));
      maps.end_output();
    }
  };
  const std::size_t given = entries.size() / (n * n);
  if (given == 0 || !is_identity(0)) add([](std::size_t i, std::size_t j) { return i == j ? 1.0 : 0.0; });
  for (std::size_t map = 0; map < given; ++map) {
    add([&](std::size_t i, std::size_t j) { return entries[(map * n + i) * n + j]; });
  }
  return maps;
}

void Maps::apply(std::size_t map, std::span<const double> x, std::span<double> out) const {
  const Index* const start = starts_.data() + map * (static_cast<std::size_t>(features_) + 1);
  for (std::size_t i = 0; i < out.size(); ++i) {
    double sum = 0;
    for (auto k = static_cast<std::size_t>(start[i]); k < static_cast<std::size_t>(start[i + 1]); ++k) {
      sum += weight_[k] * (from_[k] == features_ ? background_ : x[static_cast<std::size_t>(from_[k])]);
    }
    out[i] = sum;
  }
}

Matrix Maps::apply_all(const Matrix& x) const {
  const auto n = static_cast<std::size_t>(features_);
  std::vector<double> values(static_cast<std::size_t>(x.rows()) * count() * n);
  for (Index t = 0; t < x.rows(); ++t) {
    const std::vector<double> row = dense_row(x, t);
    for (std::size_t map = 0; map < count(); ++map) {
      apply(map, row, {values.data() + (static_cast<std::size_t>(t) * count() + map) * n, n});
    }
  }
  return Matrix::dense(x.rows() * static_cast<Index>(count()), features_, std::move(values));
}

}  // namespace medlar

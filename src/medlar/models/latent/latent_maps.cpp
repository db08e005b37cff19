// Files of directions may name their columns or not, and a file without names is read in the order of the features.
// Directions may be nearly parallel, so they are orthogonalised twice and those that add nothing are dropped.
#include "medlar/models/latent/latent_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/error.hpp"
#include "medlar/io.hpp"
#include "medlar/options/option_text.hpp"
#include "medlar/options/vocabulary.hpp"

namespace medlar {
namespace {

Dataset read_numbers_of(const std::string& path, LatentKind kind) {
  ReadOptions options;
  options.target_required = false;
  options.header = "auto";
  try {
    return read_dataset(path, options);
  } catch (const Error& error) {
    throw DataError(fmt::format("latent = {}:{}: {}", kind, path, error.what()));
  }
}

// Height and width of "8x8".
std::pair<Index, Index> image_shape(const Settings& settings, Index features) {
  const std::size_t cross = settings.image.find('x');
  const auto height = integer_in(settings.image.substr(0, cross)), width = integer_in(settings.image.substr(cross + 1));
  if (*height * *width != features) {
    throw OptionError(fmt::format("image = {} has {} pixels, but the data has {} features", settings.image,
                                  *height * *width, features));
  }
  return {*height, *width};
}

// Matches columns of the file by the names of the features, or by their order if the file has no names.
std::vector<double> directions_from(const Dataset& file, const Dataset& data, const std::string& path) {
  std::vector<Index> place(static_cast<std::size_t>(data.features()), -1);
  Index found = 0;
  for (std::size_t i = 0; i < file.names.size(); ++i) {
    const auto at = std::find(data.names.begin(), data.names.end(), file.names[i]);
    if (at == data.names.end()) continue;
    place[static_cast<std::size_t>(at - data.names.begin())] = static_cast<Index>(i);
    ++found;
  }
  const bool unnamed = !file.names.empty() && file.names.front() == "x1" && file.features() == data.features();
  if (found != file.features() && !unnamed) {
    throw DataError(
        fmt::format("{}: a direction needs columns that are features of the data, but only {} of its {} are; "
                    "or give it {} columns and no header",
                    path, found, file.features(), data.features()));
  }
  if (found != file.features()) std::iota(place.begin(), place.end(), Index{0});
  std::vector<double> directions;
  for (Index t = 0; t < file.examples(); ++t) {
    const std::vector<double> row = dense_row(file.x, t);
    if (std::all_of(row.begin(), row.end(), [](double value) { return value == 0; })) {
      throw DataError(fmt::format("{}: direction {} is zero", path, t + 1));
    }
    for (const Index i : place) directions.push_back(i < 0 ? 0.0 : row[static_cast<std::size_t>(i)]);
  }
  return directions;
}

// Makes the directions orthogonal and of length 1; those that add nothing are left out.
std::vector<std::vector<double>> orthonormal(std::vector<std::vector<double>> directions) {
  std::vector<std::vector<double>> basis;
  for (std::vector<double>& d : directions) {
    const double before = std::sqrt(std::inner_product(d.begin(), d.end(), d.begin(), 0.0));
    for (int twice = 0; twice < 2; ++twice) {
      for (const std::vector<double>& e : basis) {
        const double along = std::inner_product(d.begin(), d.end(), e.begin(), 0.0);
        for (std::size_t i = 0; i < d.size(); ++i) d[i] -= along * e[i];
      }
    }
    const double after = std::sqrt(std::inner_product(d.begin(), d.end(), d.begin(), 0.0));
    if (!(after > 1e-10 * before)) continue;
    for (double& each : d) each /= after;
    basis.push_back(std::move(d));
  }
  return basis;
}

}  // namespace

TransformationPart transformation_of(const Settings& settings, const Dataset& data) {
  const LatentKind kind = settings.latent.kind;
  const Index n = data.features();
  TransformationPart part;
  part.kind = kind;
  part.width = n;
  if (kind != LatentKind::shifts && !settings.image.empty()) {
    throw OptionError(
        fmt::format("image = {}, but latent = {} knows no images; leave it out", settings.image, settings.latent));
  }
  if (kind == LatentKind::shifts) {
    part.reach = *integer_in(settings.latent.argument);
    if (!settings.image.empty()) {
      std::tie(part.height, part.width) = image_shape(settings, n);
      part.background = background_of(data.x, part.height, part.width);
    }
    part.rotation = settings.rotation;
    if (part.rotation > 0 && settings.image.empty()) {
      throw OptionError(
          fmt::format("rotation = {}, but only an image can be turned; give --image HEIGHTxWIDTH", part.rotation));
    }
    const Index room = std::min(part.width, settings.image.empty() ? part.width : part.height);
    if (part.reach >= room) {
      throw OptionError(fmt::format("latent = {} shifts by up to {}, but there is only room for {}", settings.latent,
                                    part.reach, room - 1));
    }
    return part;
  }
  const std::string& path = settings.latent.argument;
  const Dataset file = read_numbers_of(path, kind);
  if (kind == LatentKind::translation) {
    part.maps = directions_from(file, data, path);
    return part;
  }
  if (file.features() != n || file.examples() % n != 0) {
    throw DataError(
        fmt::format("{}: it holds {} x {} numbers, but maps of {} features are {} x {} each, one below the other", path,
                    file.examples(), file.features(), n, n, n));
  }
  for (Index t = 0; t < file.examples(); ++t) {
    const std::vector<double> row = dense_row(file.x, t);
    part.maps.insert(part.maps.end(), row.begin(), row.end());
  }
  return part;
}

Maps maps_of(const TransformationPart& part, Index features) {
  if (part.kind == LatentKind::matrices) return Maps::of_matrices(features, part.maps);
  if (part.height == 1) return Maps::of_signal(part.width, part.reach);
  return Maps::of_image(part.height, part.width, part.reach, part.rotation, part.background);
}

std::vector<std::vector<double>> directions_of(const TransformationPart& part, Index features) {
  std::vector<std::vector<double>> directions;
  const auto n = static_cast<std::size_t>(features);
  for (std::size_t j = 0; j + n <= part.maps.size(); j += n) {
    directions.emplace_back(part.maps.begin() + static_cast<std::ptrdiff_t>(j),
                            part.maps.begin() + static_cast<std::ptrdiff_t>(j + n));
  }
  return directions;
}

Matrix expected_rows(const TransformationPart& part, const Matrix& x) {
  if (part.kind != LatentKind::translation)
    return expected_rows(maps_of(part, x.columns()), {part.mean, part.variance}, x);
  const std::vector<std::vector<double>> basis = orthonormal(directions_of(part, x.columns()));
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(x.rows() * x.columns()));
  for (Index t = 0; t < x.rows(); ++t) {
    std::vector<double> row = dense_row(x, t);
    for (const std::vector<double>& e : basis) {
      const double along = std::inner_product(row.begin(), row.end(), e.begin(), 0.0);
      for (std::size_t i = 0; i < row.size(); ++i) row[i] -= along * e[i];
    }
    values.insert(values.end(), row.begin(), row.end());
  }
  return Matrix::dense(x.rows(), x.columns(), std::move(values));
}

}  // namespace medlar

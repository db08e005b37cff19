#include "medlar/modelfile/kernel_map_json.hpp"
#include "medlar/options/vocabulary.hpp"

#include <fmt/format.h>

namespace medlar {

namespace {

Json rows(const std::vector<double>& values, Index width) {
  Json list = Json::array(), row = Json::array();
  for (const double value : values) {
    row.push_back(json_number(value));
    if (std::ssize(row) < width) continue;
    list.push_back(std::move(row));
    row = Json::array();
  }
  return list;
}

std::vector<double> read_rows(const JsonField& field, Index width) {
  std::vector<double> values;
  for (const JsonField& row : field.items()) {
    const std::vector<double> numbers = row.finites();
    if (std::ssize(numbers) != width) row.refuse(fmt::format("has {} values, but must have {}", numbers.size(), width));
    values.insert(values.end(), numbers.begin(), numbers.end());
  }
  if (values.empty()) field.refuse("has no rows");
  return values;
}

}  // namespace

Index Transform::outputs() const {
  const Index size = std::ssize(basis) / std::max<Index>(inputs, 1);
  return kind == TransformKind::nystrom ? std::ssize(whitening) / std::max<Index>(size, 1) : size;
}

void write_map(const Transform& map, Json& entry) {
  entry["inputs"] = map.inputs;
  entry["kernel"] = {{"name", word_of(map.kernel.kind)},
                     {"gamma", json_number(map.kernel.gamma)},
                     {"coef0", json_number(map.kernel.coef0)},
                     {"degree", map.kernel.degree}};
  entry["basis"] = rows(map.basis, map.inputs);
  if (map.kind == TransformKind::fourier) {
    entry["phase"] = Json::array();
    for (const double value : map.phase) entry["phase"].push_back(json_number(value));
  } else {
    entry["whitening"] = rows(map.whitening, std::ssize(map.basis) / map.inputs);
  }
}

void read_map(const JsonField& field, Index inputs, Transform& map) {
  map.inputs = field.at("inputs").integer(1, inputs);
  if (map.inputs != inputs)
    field.at("inputs").refuse(fmt::format("is {}, but {} features come in", map.inputs, inputs));
  const JsonField kernel = field.at("kernel");
  map.kernel.kind =
      kernel.at("name").word({KernelKind::linear, KernelKind::poly, KernelKind::rbf, KernelKind::sigmoid});
  map.kernel.gamma = kernel.at("gamma").at_least(0);
  map.kernel.coef0 = kernel.at("coef0").finite();
  map.kernel.degree = kernel.at("degree").integer(1, 1000);
  map.basis = read_rows(field.at("basis"), inputs);
  const Index size = std::ssize(map.basis) / inputs;
  if (map.kind == TransformKind::fourier) {
    map.phase = field.at("phase").finites();
    if (std::ssize(map.phase) != size) {
      field.at("phase").refuse(fmt::format("has {} values for {} frequencies", map.phase.size(), size));
    }
  } else {
    map.whitening = read_rows(field.at("whitening"), size);
  }
}

}  // namespace medlar

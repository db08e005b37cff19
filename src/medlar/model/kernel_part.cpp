// See the header. A sparse vector is written as pairs of column and value, one vector per entry of "vectors".
#include "medlar/model/kernel_part.hpp"

#include <fmt/format.h>

#include <limits>

namespace medlar {

Kernel kernel_of(const Settings& settings) {
  Kernel kernel;
  kernel.kind = settings.kernel == "linear"        ? Kernel::Kind::linear
                : settings.kernel == "poly"        ? Kernel::Kind::poly
                : settings.kernel == "sigmoid"     ? Kernel::Kind::sigmoid
                : settings.kernel == "precomputed" ? Kernel::Kind::precomputed
                                                   : Kernel::Kind::rbf;
  kernel.gamma = settings.gamma.value_or(1);
  kernel.coef0 = settings.coef0;
  kernel.degree = static_cast<int>(settings.degree);
  return kernel;
}

Matrix KernelPart::vectors() const {
  if (sparse) return Matrix::sparse(std::ssize(starts) - 1, columns, starts, column_of, values);
  return Matrix::dense(columns > 0 ? std::ssize(values) / columns : 0, columns, values);
}

Json kernel_json(const KernelPart& part) {
  Json vectors = Json::array();
  const Index count = part.sparse        ? std::ssize(part.starts) - 1
                      : part.columns > 0 ? std::ssize(part.values) / part.columns
                                         : 0;
  for (Index a = 0; a < count; ++a) {
    Json entries = Json::array();
    const Index begin = part.sparse ? part.starts[static_cast<std::size_t>(a)] : a * part.columns;
    const Index end = part.sparse ? part.starts[static_cast<std::size_t>(a) + 1] : begin + part.columns;
    for (auto e = static_cast<std::size_t>(begin); e < static_cast<std::size_t>(end); ++e) {
      if (part.sparse) entries.push_back(part.column_of[e]);
      entries.push_back(json_number(part.values[e]));
    }
    vectors.push_back(std::move(entries));
  }
  Json weights = Json::array();
  for (const double weight : part.weights) weights.push_back(json_number(weight));
  return {{"columns", part.columns},
          {"sparse", part.sparse},
          {"mean_diagonal", json_number(part.mean_diagonal)},
          {"weights", std::move(weights)},
          {"vectors", std::move(vectors)}};
}

namespace {

void read_sparse(const JsonField& entry, KernelPart& part) {
  const auto items = entry.items();
  if (items.size() % 2 != 0) entry.refuse("must hold pairs of a column and a value");
  Index last = -1;
  for (std::size_t e = 0; e < items.size(); e += 2) {
    const Index column = items[e].integer(last + 1, part.columns - 1);
    part.column_of.push_back(static_cast<Column>(column));
    part.values.push_back(items[e + 1].finite());
    last = column;
  }
  part.starts.push_back(std::ssize(part.values));
}

}  // namespace

KernelPart kernel_part_from(const JsonField& field, const Model& model) {
  KernelPart part;
  part.columns = field.at("columns").integer(0, std::numeric_limits<Column>::max());
  part.sparse = field.at("sparse").yes();
  part.mean_diagonal = field.at("mean_diagonal").finite();
  part.weights = field.at("weights").finites();
  if (part.weights.size() != model.support.size()) {
    field.at("weights").refuse(
        fmt::format("has {} values for {} examples of support", part.weights.size(), model.support.size()));
  }
  if (part.sparse) part.starts.push_back(0);
  const auto vectors = field.at("vectors").items();
  const std::size_t wanted = model.settings.kernel == "precomputed" ? 0 : part.weights.size();
  if (vectors.size() != wanted) {
    field.at("vectors").refuse(fmt::format("has {} vectors, but must have {}", vectors.size(), wanted));
  }
  for (const JsonField& entry : vectors) {
    if (part.sparse) {
      read_sparse(entry, part);
      continue;
    }
    const std::vector<double> values = entry.finites();
    if (std::ssize(values) != part.columns) {
      entry.refuse(fmt::format("has {} values for {} columns", values.size(), part.columns));
    }
    part.values.insert(part.values.end(), values.begin(), values.end());
  }
  return part;
}

}  // namespace medlar

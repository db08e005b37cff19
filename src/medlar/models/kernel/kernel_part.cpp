// A sparse vector is written as pairs of column and value, one vector per entry of "vectors".
#include "medlar/models/kernel/kernel_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/rows.hpp"

namespace medlar {

GramStorage gram_storage(const Settings& settings) {
  return settings.gram_precision == GramPrecision::doubles ? GramStorage::doubles : GramStorage::floats;
}

Kernel kernel_of(const Settings& settings) {
  Kernel kernel;
  kernel.kind = settings.kernel;
  kernel.gamma = settings.gamma.value_or(1);
  kernel.coef0 = settings.coef0;
  kernel.degree = static_cast<int>(settings.degree);
  return kernel;
}

Matrix KernelPart::vectors() const {
  if (sparse) return Matrix::sparse(std::ssize(starts) - 1, columns, starts, column_of, values);
  return Matrix::dense(columns > 0 ? std::ssize(values) / columns : 0, columns, values);
}

KernelPart kept_vectors(const Matrix& x, const Kernel& kernel, std::span<const Index> support) {
  KernelPart part;
  part.columns = x.columns();
  if (kernel.kind == Kernel::Kind::precomputed) return part;
  const Matrix vectors = select_rows(x, support);
  part.sparse = vectors.is_sparse();
  part.starts.assign(vectors.starts().begin(), vectors.starts().end());
  part.column_of.assign(vectors.column_of().begin(), vectors.column_of().end());
  for (Index a = 0; a < vectors.rows(); ++a) {
    for_each(vectors.row(a), [&](Index, double value) { part.values.push_back(value); });
  }
  return part;
}

double mean_diagonal(const Gram& gram) {
  double sum = 0;
  for (Index t = 0; t < gram.size(); ++t) sum += gram.diagonal(t);
  return sum / static_cast<double>(gram.size());
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
  Json biases = Json::array();
  for (const double bias : part.pair_bias) biases.push_back(json_number(bias));
  Json json{{"columns", part.columns},       {"pair_bias", std::move(biases)},
            {"sparse", part.sparse},         {"mean_diagonal", json_number(part.mean_diagonal)},
            {"weights", std::move(weights)}, {"vectors", std::move(vectors)}};
  if (part.class_bias.empty()) return json;
  for (const double bias : part.class_bias) json["class_bias"].push_back(json_number(bias));
  return json;
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
  part.pair_bias = field.at("pair_bias").finites();
  const std::size_t classes = model.labels.size();
  const bool joint = classes > 2 && model.settings.multiclass == Multiclass::joint;
  const std::size_t pairs = classes > 2 && !joint ? classes * (classes - 1) / 2 : 0;
  if (part.pair_bias.size() != pairs) {
    field.at("pair_bias").refuse(fmt::format("has {} values for {} pairs of classes", part.pair_bias.size(), pairs));
  }
  if (joint) {
    part.class_bias = field.at("class_bias").finites();
    if (part.class_bias.size() != classes) {
      field.at("class_bias").refuse(fmt::format("has {} values for {} classes", part.class_bias.size(), classes));
    }
  }
  if (part.weights.size() != model.support.size() * std::max<std::size_t>(joint ? classes : pairs, 1)) {
    field.at("weights").refuse(fmt::format("has {} values for {} examples of support{}", part.weights.size(),
                                           model.support.size(),
                                           joint       ? fmt::format(" in {} classes", classes)
                                           : pairs > 0 ? fmt::format(" in {} pairs of classes", pairs)
                                                       : ""));
  }
  if (part.sparse) part.starts.push_back(0);
  const auto vectors = field.at("vectors").items();
  const std::size_t wanted = model.settings.kernel == KernelKind::precomputed ? 0 : model.support.size();
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

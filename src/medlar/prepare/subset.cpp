// Some of the examples, with everything that belongs to them.
#include "medlar/folds.hpp"
#include "medlar/prepare/impute.hpp"
#include "medlar/prepare/rows.hpp"

namespace medlar {

Dataset subset(const Dataset& data, std::span<const Index> rows) {
  const auto picked = [&](const auto& all) {
    std::decay_t<decltype(all)> some;
    if (all.empty()) return some;
    some.reserve(rows.size());
    for (const Index t : rows) some.push_back(all[static_cast<std::size_t>(t)]);
    return some;
  };
  Dataset part;
  part.source = data.source;
  part.x = select_rows(data.x, rows);
  part.names = data.names;
  part.group_of = data.group_of;
  part.group_names = data.group_names;
  part.target = {data.target.present, data.target.numeric, picked(data.target.values), data.target.labels,
                 picked(data.target.codes)};
  part.weights = picked(data.weights);
  part.beliefs = picked(data.beliefs);
  part.fold_group = picked(data.fold_group);
  part.imputed = imputed_of(data.imputed, rows);
  part.lines = picked(data.lines);
  part.schema = data.schema;
  part.notes = data.notes;
  return part;
}

namespace {

// Features that were made from the columns are no longer theirs.
bool can_impute(const Dataset& data) {
  Index features = 0;
  for (const ColumnSchema& column : data.schema.columns) {
    features += column.categorical() ? std::ssize(column.levels) : 1;
  }
  return !data.imputed.empty() && features == data.features();
}

}  // namespace

Dataset fitted_part(const Dataset& data, std::span<const Index> rows) {
  Dataset part = subset(data, rows);
  if (!can_impute(data)) return part;
  learn_means(part, features_of(data.imputed));
  put_means(part, part.schema);
  return part;
}

Dataset left_out_part(const Dataset& data, std::span<const Index> rows, const Dataset& fitted) {
  Dataset part = subset(data, rows);
  if (can_impute(data)) put_means(part, fitted.schema);
  return part;
}

}  // namespace medlar

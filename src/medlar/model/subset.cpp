// Some of the examples, with everything that belongs to them.
#include "medlar/folds.hpp"
#include "medlar/model/rows.hpp"

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
  part.lines = picked(data.lines);
  part.schema = data.schema;
  part.notes = data.notes;
  return part;
}

}  // namespace medlar

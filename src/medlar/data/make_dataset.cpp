// A table and its plan to a dataset.
#include <algorithm>
#include <cmath>
#include <limits>

#include "medlar/data/columns.hpp"
#include "medlar/data/memory.hpp"
#include "medlar/data/target.hpp"
#include "medlar/linalg/threads.hpp"

namespace medlar {
namespace {

Index width(const ColumnSchema& column) {
  return column.categorical() ? static_cast<Index>(column.levels.size()) : 1;
}

void name_features(Dataset& data) {
  for (const ColumnSchema& column : data.schema.columns) {
    const auto group = static_cast<Index>(data.group_names.size());
    data.group_names.push_back(column.name);
    data.group_of.insert(data.group_of.end(), static_cast<std::size_t>(width(column)), group);
    if (!column.categorical()) data.names.push_back(column.name);
    for (const std::string& level : column.levels) data.names.push_back(column.name + "=" + level);
  }
}

Target column_target(const Table& table, TableColumn& column) {
  if (!column.numeric()) return make_target(std::move(column.texts), table.file, table.lines);
  if (column.first_infinite) {
    fail_at(table.file, column.first_infinite->place, "target {}, but a target must be a finite number",
            shown(column.first_infinite->text));
  }
  Target target;
  target.present = column.missing < table.rows;
  target.numeric = target.present;
  if (target.present) target.values = std::move(column.numbers);
  return target;
}

std::vector<double> column_weights(const Table& table, TableColumn& column) {
  const auto refuse = [&](const std::optional<FoundCell>& cell) {
    if (!cell) return;
    fail_at(table.file, cell->place, "weight '{}' in column '{}', but a weight must be a finite number >= 0",
            shown(cell->text), column.name);
  };
  refuse(column.first_text);
  refuse(column.first_missing);
  refuse(column.first_infinite);
  double total = 0;
  for (std::size_t t = 0; t < column.numbers.size(); ++t) {
    const double weight = column.numbers[t];
    if (weight < 0) {
      fail_at(table.file, {table.lines.empty() ? 0 : table.lines[t], 0},
              "weight {} in column '{}', but a weight must be a finite number >= 0", weight, column.name);
    }
    total += weight;
  }
  if (!(total > 0)) fail_at(table.file, {}, "every weight in column '{}' is zero", column.name);
  return std::move(column.numbers);
}

}  // namespace

std::vector<bool> wanted_as_texts(const Table& table, const Plan& plan, const ReadOptions& options) {
  std::vector<bool> wanted(table.columns.size(), false);
  for (std::size_t k = 0; k < plan.features.size(); ++k) {
    const auto c = static_cast<std::size_t>(plan.features[k]);
    wanted[c] = options.schema ? options.schema->columns[k].categorical() : !table.columns[c].numeric();
  }
  if (plan.target >= 0) {
    const auto c = static_cast<std::size_t>(plan.target);
    if (!table.columns[c].numeric()) wanted[c] = true;
  }
  return wanted;
}

Matrix lay_out(const Table& table, std::vector<EncodedColumn>& columns, const std::vector<ColumnSchema>& schema,
               Index threads) {
  Index features = 0, nonzero = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    features += width(schema[k]);
    nonzero += std::count_if(columns[k].numbers.begin(), columns[k].numbers.end(), [](double x) { return x != 0; });
    nonzero += std::count_if(columns[k].codes.begin(), columns[k].codes.end(), [](Column code) { return code >= 0; });
  }
  const double cells = static_cast<double>(table.rows) * static_cast<double>(features);
  const bool sparse = features >= 8 && static_cast<double>(nonzero) < cells / 3;
  require_memory(sparse ? static_cast<double>(nonzero) * 12 : cells * 8,
                 fmt::format("{}: {} by {}", table.file, counted(table.rows, "row"), counted(features, "feature")),
                 "leave columns out with --ignore");

  // Blocks of rows keep both the columns that are read and the rows that are written near.
  constexpr Index block = 64;
  const auto visit = [&](Index begin, Index end, auto&& put) {
    Index offset = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      for (Index t = begin; t < end; ++t) {
        const auto row = static_cast<std::size_t>(t);
        if (!schema[k].categorical()) {
          put(t, offset, columns[k].numbers[row]);
        } else if (columns[k].codes[row] >= 0) {
          put(t, offset + columns[k].codes[row], 1.0);
        }
      }
      offset += width(schema[k]);
    }
  };
  if (!sparse) {
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(table.rows * features));
    prefer_large_pages(values.data(), values.capacity() * sizeof(double));
    values.resize(static_cast<std::size_t>(table.rows * features));
    side_by_side(thread_count(threads), table.rows, block, [&](Index first, Index last) {
      for (Index t = first; t < last; t += block) {
        visit(t, std::min(t + block, last),
              [&](Index row, Index i, double value) { values[static_cast<std::size_t>(row * features + i)] = value; });
      }
    });
    return Matrix::dense(table.rows, features, std::move(values));
  }
  std::vector<Index> starts{0};
  std::vector<Column> column_of;
  std::vector<double> values;
  column_of.reserve(static_cast<std::size_t>(nonzero));
  values.reserve(static_cast<std::size_t>(nonzero));
  std::vector<std::vector<std::pair<Column, double>>> rows(static_cast<std::size_t>(block));
  for (Index t = 0; t < table.rows; t += block) {
    const Index end = std::min(t + block, table.rows);
    for (auto& row : rows) row.clear();
    visit(t, end, [&](Index row, Index i, double value) {
      if (value != 0) rows[static_cast<std::size_t>(row - t)].emplace_back(static_cast<Column>(i), value);
    });
    for (Index row = t; row < end; ++row) {
      for (const auto& [column, value] : rows[static_cast<std::size_t>(row - t)]) {
        column_of.push_back(column);
        values.push_back(value);
      }
      starts.push_back(static_cast<Index>(values.size()));
    }
  }
  return Matrix::sparse(table.rows, features, std::move(starts), std::move(column_of), std::move(values));
}

Dataset make_dataset(Table table, const Plan& plan, const ReadOptions& options) {
  Dataset data;
  ColumnNotes notes;
  std::vector<EncodedColumn> encoded;
  if (options.schema) {
    data.schema = *options.schema;
  } else {
    data.schema.format = "csv";
    data.schema.columns.resize(plan.features.size());
  }
  const auto column_at = [&](Index c) -> TableColumn& { return table.columns[static_cast<std::size_t>(c)]; };
  if (plan.target >= 0) {
    if (!options.schema) data.schema.target = column_at(plan.target).name;
    require_utf8(column_at(plan.target).name, table.file, {1, 0});
    data.target = column_target(table, column_at(plan.target));
  }
  if (plan.weights >= 0) {
    if (!options.schema) data.schema.weights = column_at(plan.weights).name;
    require_utf8(column_at(plan.weights).name, table.file, {1, 0});
    data.weights = column_weights(table, column_at(plan.weights));
  }
  for (std::size_t k = 0; k < plan.features.size(); ++k) {
    TableColumn& column = column_at(plan.features[k]);
    ColumnSchema& schema = data.schema.columns[k];
    encoded.push_back(options.schema ? replay_column(table, column, schema, notes)
                                     : decide_column(table, column, options, schema, notes));
  }
  data.x = lay_out(table, encoded, data.schema.columns, options.threads);
  data.schema.features = data.x.columns();
  name_features(data);
  data.lines = std::move(table.lines);
  data.notes = std::move(table.notes);
  notes.move_to(data.notes);
  return data;
}

}  // namespace medlar

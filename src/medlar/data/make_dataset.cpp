// A table and its plan to a dataset.
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "medlar/data/bytes/memory.hpp"
#include "medlar/data/columns.hpp"
#include "medlar/data/idle_rows.hpp"
#include "medlar/data/sequence_rows.hpp"
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

// A level's feature may be called as another column is.
void require_names_apart(const std::string& file, const Dataset& data) {
  if (data.group_names.size() == data.names.size()) return;
  std::unordered_map<std::string_view, Index> group_of;
  for (std::size_t i = 0; i < data.names.size(); ++i) {
    const auto [at, added] = group_of.emplace(data.names[i], data.group_of[i]);
    if (added) continue;
    fail_at(file, {}, "columns '{}' and '{}' both make a feature '{}'; rename one",
            shown(data.group_names[static_cast<std::size_t>(at->second)]),
            shown(data.group_names[static_cast<std::size_t>(data.group_of[i])]), shown(data.names[i]));
  }
}

Target column_target(const Table& table, TableColumn& column) {
  if (!column.numeric()) {
    Target target = make_target(std::move(column.texts), table.file, table.lines);
    if (column.first_missing) target.first_missing = column.first_missing->place;
    return target;
  }
  if (column.first_infinite) {
    fail_at(table.file, column.first_infinite->place, "target {}, but a target must be a finite number",
            shown(column.first_infinite->text));
  }
  Target target;
  if (column.first_missing) target.first_missing = column.first_missing->place;
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
  refuse(column.first_outside);
  double total = 0;
  for (const double weight : column.numbers) total += weight;
  if (!(total > 0)) fail_at(table.file, {}, "every weight in column '{}' is zero", column.name);
  return std::move(column.numbers);
}

// NaN where the cell is empty: check_beliefs() settles what that means.
std::vector<double> column_beliefs(const Table& table, TableColumn& column) {
  for (const auto& cell : {column.first_text, column.first_infinite, column.first_outside}) {
    if (cell)
      fail_at(table.file, cell->place, "belief '{}' in column '{}', but a belief must be a number in [0, 1]",
              shown(cell->text), column.name);
  }
  return std::move(column.numbers);
}

// The text of each cell; `apart` says what the column tells apart.
std::vector<std::string> column_names(const Table& table, TableColumn& column, std::string_view apart) {
  if (column.first_missing) {
    fail_at(table.file, column.first_missing->place, "column '{}' has no value here, but tells the {} apart",
            column.name, apart);
  }
  std::vector<std::string> ids;
  if (column.numeric()) {
    for (const double number : column.numbers) ids.push_back(fmt::format("{}", number));
  } else {
    for (const Column code : column.texts.codes()) ids.push_back(column.texts.texts()[static_cast<std::size_t>(code)]);
  }
  return ids;
}

// Groups of examples, numbered as they come.
std::vector<Index> column_groups(const Table& table, TableColumn& column) {
  std::unordered_map<std::string, Index> number_of;
  std::vector<Index> groups;
  for (const std::string& name : column_names(table, column, "groups")) {
    groups.push_back(number_of.emplace(name, std::ssize(number_of)).first->second);
  }
  return groups;
}

std::vector<double> column_times(const Table& table, TableColumn& column) {
  for (const auto& cell : {column.first_text, column.first_missing, column.first_infinite}) {
    if (cell)
      fail_at(table.file, cell->place, "time '{}' in column '{}', but a time must be a finite number",
              shown(cell->text), column.name);
  }
  return std::move(column.numbers);
}

}  // namespace

std::vector<bool> wanted_as_texts(const Table& table, const Plan& plan, const ReadOptions& options) {
  std::vector<bool> wanted(table.columns.size(), false);
  for (std::size_t k = 0; k < plan.features.size(); ++k) {
    const auto c = static_cast<std::size_t>(plan.features[k]);
    wanted[c] = options.schema ? options.schema->columns[k].categorical() : !table.columns[c].numeric();
  }
  for (const Index column : {plan.target, plan.sequence, plan.fold_group}) {
    if (column >= 0 && !table.columns[static_cast<std::size_t>(column)].numeric()) {
      wanted[static_cast<std::size_t>(column)] = true;
    }
  }
  return wanted;
}

namespace {

// put(t, i, value) for the rows begin .. end, column by column.
template <class Put>
void visit(const std::vector<EncodedColumn>& columns, const std::vector<ColumnSchema>& schema, Index begin, Index end,
           Put&& put) {
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
}

constexpr Index row_block = 64;  // keeps both the columns that are read and the rows that are written near

template <class Value>
Matrix lay_out_dense(const Table& table, const std::vector<EncodedColumn>& columns,
                     const std::vector<ColumnSchema>& schema, Index features, Index threads) {
  std::vector<Value> values;
  values.reserve(static_cast<std::size_t>(table.rows * features));
  prefer_large_pages(values.data(), values.capacity() * sizeof(Value));
  values.resize(static_cast<std::size_t>(table.rows * features));
  side_by_side(thread_count(threads), table.rows, row_block, [&](Index first, Index last) {
    for (Index t = first; t < last; t += row_block) {
      visit(columns, schema, t, std::min(t + row_block, last), [&](Index row, Index i, double value) {
        values[static_cast<std::size_t>(row * features + i)] = static_cast<Value>(value);
      });
    }
  });
  return Matrix::dense(table.rows, features, std::move(values));
}

template <class Value>
Matrix lay_out_sparse(const Table& table, const std::vector<EncodedColumn>& columns,
                      const std::vector<ColumnSchema>& schema, Index features, Index nonzero) {
  std::vector<Index> starts{0};
  std::vector<Column> column_of;
  std::vector<Value> values;
  column_of.reserve(static_cast<std::size_t>(nonzero));
  values.reserve(static_cast<std::size_t>(nonzero));
  std::vector<std::vector<std::pair<Column, double>>> rows(static_cast<std::size_t>(row_block));
  for (Index t = 0; t < table.rows; t += row_block) {
    const Index end = std::min(t + row_block, table.rows);
    for (auto& row : rows) row.clear();
    visit(columns, schema, t, end, [&](Index row, Index i, double value) {
      if (value != 0) rows[static_cast<std::size_t>(row - t)].emplace_back(static_cast<Column>(i), value);
    });
    for (Index row = t; row < end; ++row) {
      for (const auto& [column, value] : rows[static_cast<std::size_t>(row - t)]) {
        column_of.push_back(column);
        values.push_back(static_cast<Value>(value));
      }
      starts.push_back(static_cast<Index>(values.size()));
    }
  }
  return Matrix::sparse(table.rows, features, std::move(starts), std::move(column_of), std::move(values));
}

// By example and feature.
std::vector<ImputedCell> imputed_cells(const std::vector<EncodedColumn>& columns,
                                       const std::vector<ColumnSchema>& schema) {
  std::vector<ImputedCell> cells;
  Index feature = 0;
  for (std::size_t k = 0; k < columns.size(); feature += width(schema[k++])) {
    for (const Index t : columns[k].imputed) cells.push_back({t, feature});
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [](const ImputedCell& a, const ImputedCell& b) { return a.example < b.example; });
  return cells;
}

}  // namespace

Matrix lay_out(const Table& table, const std::vector<EncodedColumn>& columns, const std::vector<ColumnSchema>& schema,
               const ReadOptions& options) {
  Index features = 0, nonzero = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    features += width(schema[k]);
    nonzero += std::count_if(columns[k].numbers.begin(), columns[k].numbers.end(), [](double x) { return x != 0; });
    nonzero += std::count_if(columns[k].codes.begin(), columns[k].codes.end(), [](Column code) { return code >= 0; });
  }
  const bool floats = options.precision == ValuePrecision::floats;
  const double cells = static_cast<double>(table.rows) * static_cast<double>(features);
  const bool sparse = features >= 8 && static_cast<double>(nonzero) < cells / 3;
  const double bytes = floats ? sizeof(float) : sizeof(double);
  require_memory(sparse ? static_cast<double>(nonzero) * (bytes + sizeof(Column)) : cells * bytes,
                 fmt::format("{}: {} by {}", table.file, counted(table.rows, "row"), counted(features, "feature")),
                 "leave columns out with --ignore");
  if (sparse) {
    return floats ? lay_out_sparse<float>(table, columns, schema, features, nonzero)
                  : lay_out_sparse<double>(table, columns, schema, features, nonzero);
  }
  return floats ? lay_out_dense<float>(table, columns, schema, features, options.threads)
                : lay_out_dense<double>(table, columns, schema, features, options.threads);
}

Dataset make_dataset(Table table, const Plan& plan, const ReadOptions& options) {
  Dataset data;
  ColumnNotes notes;
  std::vector<EncodedColumn> encoded;
  if (options.schema) {
    data.schema = *options.schema;
  } else {
    data.schema.format = "csv";
    if (!table.named) data.schema.file_columns = std::ssize(table.columns);
    data.schema.columns.resize(plan.features.size());
  }
  const auto column_at = [&](Index c) -> TableColumn& { return table.columns[static_cast<std::size_t>(c)]; };
  if (plan.weights >= 0) {
    if (!options.schema) data.schema.weights = column_at(plan.weights).name;
    require_utf8(column_at(plan.weights).name, table.file, column_at(plan.weights).heading);
    data.weights = column_weights(table, column_at(plan.weights));
    if (!options.schema && options.target_file.empty() && plan.sequence < 0) drop_idle_rows(table, data.weights);
  }
  if (plan.target >= 0) {
    if (!options.schema) data.schema.target = column_at(plan.target).name;
    require_utf8(column_at(plan.target).name, table.file, column_at(plan.target).heading);
    data.target = column_target(table, column_at(plan.target));
  }
  if (plan.fold_group >= 0) data.fold_group = column_groups(table, column_at(plan.fold_group));
  if (plan.beliefs >= 0) {
    if (!options.schema) data.schema.beliefs = column_at(plan.beliefs).name;
    require_utf8(column_at(plan.beliefs).name, table.file, column_at(plan.beliefs).heading);
    data.beliefs = column_beliefs(table, column_at(plan.beliefs));
  }
  for (std::size_t k = 0; k < plan.features.size(); ++k) {
    TableColumn& column = column_at(plan.features[k]);
    ColumnSchema& schema = data.schema.columns[k];
    if (const auto& large = column.first_outside) {
      fail_at(table.file, large->place, "column '{}' holds {}, which is too large for a float; use --precision double",
              column.name, shown(large->text));
    }
    encoded.push_back(options.schema ? replay_column(table, column, schema, notes)
                                     : decide_column(table, column, options, data.weights, schema, notes));
  }
  data.x = lay_out(table, encoded, data.schema.columns, options);
  if (plan.sequence < 0) data.imputed = imputed_cells(encoded, data.schema.columns);
  data.schema.features = data.x.columns();
  name_features(data);
  if (!options.schema) require_names_apart(table.file, data);
  data.lines = std::move(table.lines);
  data.notes = std::move(table.notes);
  notes.move_to(data.notes);
  if (plan.sequence >= 0) {
    data.source = table.file;
    data.schema.sequence_id = column_at(plan.sequence).name;
    if (plan.time >= 0) data.schema.time = column_at(plan.time).name;
    for (const ColumnSchema& column : data.schema.columns) {
      if (column.categorical()) {
        fail_at(table.file, {},
                "column '{}' holds texts, but the channels of a sequence are numbers; leave it out with --ignore {}",
                column.name, column.name);
      }
    }
    fold_sequences(column_names(table, column_at(plan.sequence), "sequences"),
                   plan.time >= 0 ? column_times(table, column_at(plan.time)) : std::vector<double>{}, data);
  }
  return data;
}

}  // namespace medlar

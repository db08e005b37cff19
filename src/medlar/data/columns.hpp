// Columns of a table to features: numbers stay numbers, categories become one 0/1 feature per level.
#pragma once

#include <vector>

#include "medlar/data/plan.hpp"
#include "medlar/data/table.hpp"
#include "medlar/io.hpp"

namespace medlar {

// One column ready to be laid into the matrix: numbers, or the level of each row (-1: none of them).
struct EncodedColumn {
  std::vector<double> numbers;
  std::vector<Column> codes;
  std::vector<Index> imputed = {};  // rows whose number is the mean of the others
};

// Decides a feature column from its values, or checks it against the schema that is replayed. Both empty the column of
// the table as they go.
struct ColumnNotes;
EncodedColumn decide_column(const Table& table, TableColumn& column, const ReadOptions& options,
                            const std::vector<double>& weights, ColumnSchema& schema, ColumnNotes& notes);
EncodedColumn replay_column(const Table& table, TableColumn& column, const ColumnSchema& schema, ColumnNotes& notes);

// What happened to columns: described for the first few and counted for the rest.
struct ColumnNotes {
  std::vector<std::string> told;
  Index columns = 0;
  void tell(std::string sentence);
  void move_to(std::vector<std::string>& notes);
};

// Lays encoded columns into one matrix: sparse when under a third of the cells is non-zero and there are 8 features.
Matrix lay_out(const Table& table, const std::vector<EncodedColumn>& columns, const std::vector<ColumnSchema>& schema,
               const ReadOptions& options);

// The columns whose texts a reader must keep, besides their numbers.
std::vector<bool> wanted_as_texts(const Table& table, const Plan& plan, const ReadOptions& options);

// Everything together: matrix, names, groups, target, weights, schema, notes.
Dataset make_dataset(Table table, const Plan& plan, const ReadOptions& options);

}  // namespace medlar

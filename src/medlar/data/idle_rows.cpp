// A column remembers the place of its first missing and first infinite cell for messages, and such a cell may be in a
// row that goes. All that is known of a column is therefore counted again.
#include "medlar/data/idle_rows.hpp"

#include <algorithm>
#include <cmath>

#include "medlar/data/text.hpp"

namespace medlar {
namespace {

template <class Value>
void keep_rows(std::vector<Value>& values, const std::vector<std::size_t>& rows) {
  if (values.empty()) return;
  for (std::size_t k = 0; k < rows.size(); ++k) values[k] = values[rows[k]];
  values.resize(rows.size());
}

void keep_rows(CodedTexts& texts, const std::vector<std::size_t>& rows) {
  if (texts.size() == 0) return;
  CodedTexts kept;
  for (const std::size_t t : rows) {
    const Column code = texts.codes()[t];
    kept.add(code < 0 ? std::string_view() : std::string_view(texts.texts()[static_cast<std::size_t>(code)]));
  }
  texts = std::move(kept);
}

// Counts again what is known of a column, because the rows that showed it may be gone. Of a new place only the line is
// known.
void recount(TableColumn& column, const std::vector<Index>& lines, Index rows) {
  const auto place = [&](std::size_t t) { return Place{lines.empty() ? static_cast<Index>(t) + 1 : lines[t], 0}; };
  column.missing = 0;
  std::optional<FoundCell> missing, infinite;
  for (std::size_t t = 0; t < static_cast<std::size_t>(rows); ++t) {
    const bool text = column.texts.size() > 0;
    const bool absent = text ? column.texts.codes()[t] < 0 : !column.numbers.empty() && std::isnan(column.numbers[t]);
    if (absent && ++column.missing == 1) {
      const bool same = column.first_missing && column.first_missing->place.line == place(t).line;
      missing = same ? column.first_missing : FoundCell{place(t), ""};
    }
    if (!text && !column.numbers.empty() && std::isinf(column.numbers[t]) && !infinite) {
      infinite = FoundCell{place(t), column.numbers[t] > 0 ? "inf" : "-inf"};
    }
  }
  column.first_missing = missing;
  column.first_infinite = infinite;
}

}  // namespace

void drop_idle_rows(Table& table, std::vector<double>& weights) {
  std::vector<std::size_t> rows;
  for (std::size_t t = 0; t < weights.size(); ++t) {
    if (weights[t] > 0) rows.push_back(t);
  }
  if (rows.size() == weights.size()) return;
  table.notes.push_back(fmt::format("{} of weight 0 left out", counted(std::ssize(weights) - std::ssize(rows), "row")));
  keep_rows(weights, rows);
  keep_rows(table.lines, rows);
  table.rows = std::ssize(rows);
  for (TableColumn& column : table.columns) {
    keep_rows(column.numbers, rows);
    keep_rows(column.texts, rows);
    recount(column, table.lines, table.rows);
  }
}

}  // namespace medlar

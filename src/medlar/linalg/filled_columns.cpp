// Counting stops as soon as too many columns are filled, so a matrix that gains nothing costs only a few rows.
#include "medlar/linalg/filled_columns.hpp"

#include <algorithm>

#include "medlar/linalg/give_up.hpp"
#include "medlar/thresholds/few_columns.hpp"

namespace medlar {
namespace {

// Which columns are filled. Empty when there are too many.
std::vector<char> seen_in(const Matrix& x) {
  std::vector<char> seen(static_cast<std::size_t>(x.columns()), 0);
  const auto most = most_filled_columns(x.columns());
  Index count = 0;
  Pauses pauses;
  for (Index t = 0; t < x.rows(); ++t) {
    const std::span<const Column> columns = x.row(t).columns;
    for (const Column i : columns) {
      char& here = seen[static_cast<std::size_t>(i)];
      count += here == 0 ? 1 : 0;
      here = 1;
    }
    if (count > most) return {};
    pauses.after(columns.size());
  }
  return seen;
}

}  // namespace

std::optional<FilledColumns> filled_columns(const Matrix& x) {
  if (!x.is_sparse() || !may_columns_be_empty(x.columns())) return {};
  const std::vector<char> seen = seen_in(x);
  if (std::find(seen.begin(), seen.end(), 1) == seen.end()) return {};  // too many, or none at all
  FilledColumns filled;
  filled.all = x.columns();
  std::vector<Column> place(seen.size(), -1);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] == 0) continue;
    place[i] = static_cast<Column>(filled.columns.size());
    filled.columns.push_back(static_cast<Index>(i));
  }
  std::vector<Column> column_of;
  column_of.reserve(static_cast<std::size_t>(x.stored()));
  for (const Column i : x.column_of()) column_of.push_back(place[static_cast<std::size_t>(i)]);
  filled.x = x.with_columns(std::ssize(filled.columns), std::move(column_of));
  return filled;
}

std::vector<double> FilledColumns::among_all(std::span<const double> values, double elsewhere) const {
  std::vector<double> made(static_cast<std::size_t>(all), elsewhere);
  for (std::size_t j = 0; j < columns.size(); ++j) made[static_cast<std::size_t>(columns[j])] = values[j];
  return made;
}

std::vector<double> FilledColumns::of_filled(std::span<const double> values) const {
  std::vector<double> made;
  made.reserve(columns.size());
  for (const Index i : columns) made.push_back(values[static_cast<std::size_t>(i)]);
  return made;
}

}  // namespace medlar

// A table as it was read: columns by name, each of numbers or of texts. CSV and npy both become one, and one place
// (columns.hpp) turns tables into features.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "medlar/data/coded_texts.hpp"
#include "medlar/data/text.hpp"
#include "medlar/dataset.hpp"

namespace medlar {

struct FoundCell {
  Place place;
  std::string text;
};

struct TableColumn {
  std::string name;
  std::vector<double> numbers;  // while every text is a number: one per row, NaN where it is missing
  CodedTexts texts;             // filled for the columns that are wanted as texts
  Index missing = 0;
  Place heading = {};  // of the name
  std::optional<FoundCell> first_missing, first_infinite, first_text;
  std::optional<FoundCell> first_outside;  // the first finite number that the column's use does not allow (plan.hpp)
  bool numeric() const { return !first_text; }
};

struct Table {
  std::string file;  // for messages
  bool named = false;
  Index rows = 0;
  std::vector<TableColumn> columns;
  std::vector<Index> lines;  // of each row; empty if unknown
  std::vector<std::string> notes;

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const TableColumn& column : columns) all.push_back(column.name);
    return all;
  }
};

inline std::string numbered_name(std::size_t column) {
  return "x" + std::to_string(column + 1);
}

}  // namespace medlar

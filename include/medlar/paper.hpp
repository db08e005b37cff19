// The figures and tables of the paper, made again: numbers, pictures, and what they say of each claim.
// [MED] is Jebara & Jaakkola, "Feature Selection and Dualities in Maximum Entropy Discrimination", UAI 2000.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "medlar/observer.hpp"
#include "medlar/types.hpp"

namespace medlar {

struct PaperOptions {
  std::string splice = "data/splice.csv";
  std::string boston = "data/boston.csv";
  std::string nci60;   // CSV: one row per cell line, its tissue in the column `class`; empty: table 2 is skipped
  Index splits = 50;   // random splits into training and test data
  bool quick = false;  // 3 splits and smaller grids, to see that everything runs
  Index seed = 1;
  Index threads = 0;
};

struct Series {
  std::string name;
  std::vector<double> x, y;
  enum class Style { line, dashed, dots } style = Style::line;
};

struct Chart {
  std::string name;  // of its file
  std::string title, x_label, y_label;
  std::vector<Series> series;
};

// Rows of numbers with their names; a cell may be empty.
struct ResultTable {
  std::string name;
  std::vector<std::string> columns;  // the first column is text
  struct Row {
    std::string label;
    std::vector<std::optional<double>> values;
  };
  std::vector<Row> rows;
};

struct Claim {
  std::string paper;     // what the paper says, or what its figure is about
  std::string verdict;   // "holds", "holds only when ...", "does not hold"
  std::string evidence;  // our numbers
  std::string source;    // where the paper says so; "our question" when no sentence of it is quoted
};

struct Exhibit {
  std::string name;     // figure6
  std::string title;    // of the figure or table
  std::string paper;    // what the paper did, as far as it is known here; none of its measured numbers is quoted
  std::string ours;     // what was done here, and what differs
  std::string skipped;  // why it was not done; empty when it was
  std::vector<Claim> claims;
  std::vector<Chart> charts;
  std::vector<ResultTable> tables;
};

// figure1 .. figure9, table1, table2, in the paper's order.
std::vector<std::string> exhibit_names();

// One of them. An unknown name is an OptionError, data that cannot be read a DataError; an observer may stop it, and
// then nothing is returned.
std::optional<Exhibit> reproduce(std::string_view name, const PaperOptions& options, Observer* observer = nullptr);

// A picture that stands alone, light or dark by the reader's preference.
std::string chart_svg(const Chart& chart);

// One page: the paper beside ours.
std::string paper_page(std::span<const Exhibit> exhibits);

}  // namespace medlar

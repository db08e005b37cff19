// The figures and tables of the paper, reproduced: numbers, pictures, and what they say about each claim. [MED] is
// Jebara & Jaakkola, "Feature Selection and Dualities in Maximum Entropy Discrimination", UAI 2000.
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
  // A CSV file with one row per cell line and its tissue in the column `class`. If empty, table 2 is skipped.
  std::string nci60;
  // Number of random splits into training and test data.
  Index splits = 50;
  // Only 3 splits and smaller grids, to check that everything runs.
  bool quick = false;
  Index seed = 1;
  Index threads = 0;
};

struct Series {
  std::string name;
  std::vector<double> x, y;
  enum class Style { line, dashed, dots } style = Style::line;
};

struct Chart {
  // The name of its file.
  std::string name;
  std::string title, x_label, y_label;
  std::vector<Series> series;
};

// A table of numbers with named rows and columns. A cell may be empty.
struct ResultTable {
  std::string name;
  // The first column holds the labels of the rows.
  std::vector<std::string> columns;
  struct Row {
    std::string label;
    std::vector<std::optional<double>> values;
  };
  std::vector<Row> rows;
};

struct Claim {
  // What the paper says, or what its figure is about.
  std::string paper;
  // "holds", "holds only when ..." or "does not hold".
  std::string verdict;
  // Our numbers.
  std::string evidence;
  // Where the paper says so; "our question" if no sentence of it is quoted.
  std::string source;
};

struct Exhibit {
  // For example figure6.
  std::string name;
  // The title of the figure or table.
  std::string title;
  // What the paper did, as far as we know. None of its measured numbers is quoted.
  std::string paper;
  // What was done here, and what differs.
  std::string ours;
  // Why it was not done; empty if it was.
  std::string skipped;
  std::vector<Claim> claims;
  std::vector<Chart> charts;
  std::vector<ResultTable> tables;
};

// The names of all exhibits in the paper's order: figure1 .. figure9, table1, table2.
std::vector<std::string> exhibit_names();

// Reproduces one exhibit. Throws OptionError for an unknown name and DataError for unreadable data. Returns nothing if
// the observer asked to stop.
std::optional<Exhibit> reproduce(std::string_view name, const PaperOptions& options, Observer* observer = nullptr);

// A self-contained picture, light or dark by the reader's preference.
std::string chart_svg(const Chart& chart);

// One page that shows the paper's results beside ours.
std::string paper_page(std::span<const Exhibit> exhibits);

}  // namespace medlar

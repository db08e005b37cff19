// Examples as they come from a file: features, target, weights, and the schema that reads further files alike.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "medlar/matrix.hpp"

namespace medlar {

// One column of the file and how it becomes features: a number (with the value that fills gaps, if any were
// imputed), or a category, which becomes one 0/1 feature per level, named "column=level".
struct ColumnSchema {
  std::string name;
  std::vector<std::string> levels;  // empty: numeric
  std::optional<double> fill;       // mean of the training column, when missing values may be imputed
  bool open = false;                // a missing value stays one (NaN), for models that can do without
  bool other = false;               // the last level stands for every text that training did not see
  bool categorical() const { return !levels.empty(); }
  friend bool operator==(const ColumnSchema&, const ColumnSchema&) = default;
};

// How a file becomes features: recorded at training, replayed at prediction.
struct Schema {
  std::string format;                 // csv, svmlight, npy, ts
  std::string target;                 // name of the target column; empty when there was none
  std::string weights;                // name of the weight column; empty when there was none
  std::vector<ColumnSchema> columns;  // feature columns only, in order; empty for svmlight and ts
  Index features = 0;                 // how many features they make
  std::string beliefs = {};           // name of the column of label beliefs; empty when there was none
  std::string sequence_id = {};       // csv of sequences: name of the column that tells them apart
  std::string time = {};              // csv of sequences: name of the column of times
  Index file_columns = 0;             // csv and npy without names: how many columns the file had; 0: it had names
  Index channels = 0;                 // of sequences: feature i is channel i % channels at time i / channels; 0: none
  std::vector<Index> indices = {};    // svmlight: increasing, the file's index of each feature; empty: 1, 2, 3, ...
  friend bool operator==(const Schema&, const Schema&) = default;
};

// The target of each example: numbers, or texts coded by a sorted list of labels.
struct Target {
  bool present = false;
  bool numeric = false;
  std::vector<double> values;       // numeric: one per example, NaN where it is missing
  std::vector<std::string> labels;  // text: the distinct texts in sorted order
  std::vector<Column> codes;        // text: index into labels, -1 where it is missing
  Place first_missing = {};         // of the first one that the file leaves out, for messages
};

// A cell without a value in the file, for which the mean of its column was put.
struct ImputedCell {
  Index example = 0, feature = 0;
};

struct Dataset {
  std::string source;  // file name for messages, "-" for standard input
  Matrix x;
  std::vector<std::string> names;        // one per feature
  std::vector<Index> group_of;           // group of each feature: the levels of one category share a group
  std::vector<std::string> group_names;  // one per group
  Target target;
  std::vector<double> weights;    // empty: every example counts once
  std::vector<double> beliefs;    // probability that each label is right; empty: every label is certain
  std::vector<Index> fold_group;  // examples with the same number are never parted by folds; empty: each stands alone
  std::vector<ImputedCell> imputed;  // by example and feature; folds impute them anew
  std::vector<Index> lines;          // line of each example in the file, for messages; empty if unknown
  Schema schema;
  std::vector<std::string> notes;  // what the reader decided or imputed, one sentence each

  Index examples() const { return x.rows(); }
  Index features() const { return x.columns(); }
};

}  // namespace medlar

// Examples as they come from a file: features, target, weights, and the schema for reading more files in the same way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "medlar/matrix.hpp"

namespace medlar {

// One column of the file and how it becomes features. A number is one feature; a category becomes one 0/1 feature per
// level, named "column=level".
struct ColumnSchema {
  std::string name;
  // Empty for a numeric column.
  std::vector<std::string> levels;
  // Mean of the training column, if missing values may be imputed.
  std::optional<double> fill;
  // A missing value stays missing (NaN), for models that can do without it.
  bool open = false;
  // The last level stands for every text that training did not see.
  bool other = false;
  bool categorical() const { return !levels.empty(); }
  friend bool operator==(const ColumnSchema&, const ColumnSchema&) = default;
};

// How a file becomes features: recorded at training, replayed at prediction.
struct Schema {
  // csv, svmlight, npy or ts.
  std::string format;
  // Name of the target column; empty if there was none.
  std::string target;
  // Name of the weight column; empty if there was none.
  std::string weights;
  // Feature columns only, in order; empty for svmlight and ts.
  std::vector<ColumnSchema> columns;
  // Number of features.
  Index features = 0;
  // Name of the column of label beliefs; empty if there was none.
  std::string beliefs = {};
  // csv of sequences: name of the column that identifies the sequence.
  std::string sequence_id = {};
  // csv of sequences: name of the column of times.
  std::string time = {};
  // csv and npy without names: number of columns of the file. 0 if it had names.
  Index file_columns = 0;
  // Sequences: feature i is channel i % channels at time i / channels. 0 if there are none.
  Index channels = 0;
  // svmlight: the index of each feature in the file, increasing. Empty means 1, 2, 3, ...
  std::vector<Index> indices = {};
  friend bool operator==(const Schema&, const Schema&) = default;
};

// The target of each example: numbers, or texts coded by a sorted list of labels.
struct Target {
  bool present = false;
  bool numeric = false;
  // Numeric targets: one per example, NaN if it is missing.
  std::vector<double> values;
  // Text targets: the distinct texts, sorted.
  std::vector<std::string> labels;
  // Text targets: index into labels, -1 if it is missing.
  std::vector<Column> codes;
  // Place of the first missing target, for messages.
  Place first_missing = {};
};

// A cell without a value in the file, filled with the mean of its column.
struct ImputedCell {
  Index example = 0, feature = 0;
};

struct Dataset {
  // File name for messages; "-" is standard input.
  std::string source;
  Matrix x;
  // One per feature.
  std::vector<std::string> names;
  // Group of each feature. The levels of a category share a group.
  std::vector<Index> group_of;
  // One per group.
  std::vector<std::string> group_names;
  Target target;
  // If empty, every example counts once.
  std::vector<double> weights;
  // Probability that each label is right. If empty, every label is certain.
  std::vector<double> beliefs;
  // Folds keep examples with the same number together. If empty, each stands alone.
  std::vector<Index> fold_group;
  // Sorted by example and feature. Folds impute these cells anew.
  std::vector<ImputedCell> imputed;
  // Line of each example in the file, for messages; empty if unknown.
  std::vector<Index> lines;
  Schema schema;
  // What the reader decided or imputed, one sentence each.
  std::vector<std::string> notes;

  Index examples() const { return x.rows(); }
  Index features() const { return x.columns(); }
};

}  // namespace medlar

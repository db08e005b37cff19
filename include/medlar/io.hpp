// Reads files into datasets and writes them. The format follows from the file name (or ReadOptions::format): csv, tsv,
// svmlight, npy. Each may be plain or compressed by gzip, xz, zstd or bzip2, which is recognised from its content. It
// may be a file or standard input ("-"). Errors read "file:line:column: sentence".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/words.hpp"

namespace medlar {

// Every field has a default, so that {.target = "y"} is enough.
struct ReadOptions {
  // csv, tsv, svmlight or npy; "" decides by the file name, then by the content.
  std::string format = {};
  // Column name, or 1-based number in a file without names; "" decides.
  std::string target = {};
  // A file with one target per line, for data files that hold features only.
  std::string target_file = {};
  // Name of the column of example weights.
  std::string weights = {};
  // Name of the column with the probability that a label is right, or one such probability for all labels.
  std::string label_belief = {};
  // A target value that stands for "no label", such as 0 or ?.
  std::string unlabelled = {};
  // For csv with one line per sequence and time: name of the column that identifies the sequence.
  std::string sequence_id = {};
  // For csv of sequences: name of the column of times. If empty, lines are taken in the order of the file.
  std::string time = {};
  // Name of the column of groups of examples. Folds keep a group together.
  std::string fold_group = {};
  // Columns to leave out.
  std::vector<std::string> ignore = {};
  // Missing values: refuse, mean or keep. auto keeps them if may_miss, and refuses them otherwise.
  std::string missing = "auto";
  // Whether the model can do without a missing value, as generative models can.
  bool may_miss = false;
  // Adds a level to every category, for values that training does not see.
  bool other_level = false;
  // Whether the first line holds names: auto, yes, no.
  std::string header = "auto";
  // auto, tab, space (any run of white space), or one character.
  std::string delimiter = "auto";
  // svmlight: the least number of features.
  Index features = 0;
  // svmlight: features that count as occurring, by their index.
  std::vector<std::string> named = {};
  // How feature values are stored.
  ValuePrecision precision = ValuePrecision::doubles;
  // 0 uses all cores.
  Index threads = 0;
  // False at prediction.
  bool target_required = true;
  // If no target is required: take the column that a fit would take.
  bool target_guessed = false;
  // Replays this schema instead of deciding anew.
  const Schema* schema = nullptr;
};

Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

// Writes to a temporary file, syncs it and renames it, so that the file is either complete or untouched.
void write_file_atomically(const std::string& path, std::string_view content);

// The file name decides format and compression; "-" is csv on standard output.
void write_dataset(const std::string& path, const Dataset& data);

}  // namespace medlar

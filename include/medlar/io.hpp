// Files to datasets and back. Formats by file name (or ReadOptions::format): csv, tsv, svmlight, npy;
// each plain, gzip, xz, zstd or bzip2 (seen from its content), from a file or from standard input ("-"). Errors read
// "file:line:column: sentence".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/words.hpp"

namespace medlar {

// Every field has its default, so that {.target = "y"} is enough.
struct ReadOptions {
  std::string format = {};               // "", csv, tsv, svmlight, npy; "" decides by name, then by content
  std::string target = {};               // column name, or 1-based number for a file without names; "" decides
  std::string target_file = {};          // one target per line, for files that hold features only
  std::string weights = {};              // column name of example weights
  std::string label_belief = {};         // column name of the probability that a label is right, or one for all
  std::string unlabelled = {};           // a target that stands for none, such as 0 or ?
  std::string sequence_id = {};          // csv, one line per sequence and time: the column that tells them apart
  std::string time = {};                 // csv of sequences: the column of times; "": as the lines follow each other
  std::string fold_group = {};           // column name of groups of examples that folds do not part
  std::vector<std::string> ignore = {};  // columns to leave out
  std::string missing = "auto";          // refuse, mean, keep; auto keeps if may_miss, else refuses
  bool may_miss = false;                 // the model does without a missing value, as generative ones do
  bool other_level = false;              // a level more for every category: what training does not see
  std::string header = "auto";           // auto, yes, no
  std::string delimiter = "auto";        // auto, tab, space (any run of white space), or one character
  Index features = 0;                    // svmlight: at least this many features
  std::vector<std::string> named = {};   // svmlight: features that count as occurring, by their index
  ValuePrecision precision = ValuePrecision::doubles;
  Index threads = 0;               // 0: all
  bool target_required = true;     // false at prediction
  bool target_guessed = false;     // though none is required: the column that a fit would take
  const Schema* schema = nullptr;  // replay this schema instead of deciding anew
};

Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

// Writes aside, syncs, renames: the file is complete or untouched.
void write_file_atomically(const std::string& path, std::string_view content);

// Format and compression by the name of the file; "-" is csv on standard output.
void write_dataset(const std::string& path, const Dataset& data);

}  // namespace medlar

// The target of each example, from a column, from the labels of svmlight lines, or from a file of its own.
#pragma once

#include <string>
#include <vector>

#include "medlar/data/coded_texts.hpp"
#include "medlar/dataset.hpp"
#include "medlar/io.hpp"

namespace medlar {

// Numeric if every text is a number, unless the texts are known to be classes. Absent if there is no text at all. lines
// may be empty.
Target make_target(CodedTexts texts, const std::string& file, const std::vector<Index>& lines, bool classes = false);

// Replaces the target by options.target_file's, one per line; how many must match the examples.
void read_target_file(const ReadOptions& options, Dataset& data);

// Treats the target named by options.unlabelled as missing.
void forget_unlabelled(const ReadOptions& options, Dataset& data);

// Settles the beliefs: one for every label, if options.label_belief is a number. Every belief lies in [0, 1] and is 1
// if only the label is given. A missing label must have none, because it would be unclear what it refers to.
void check_beliefs(const ReadOptions& options, Dataset& data);

// Refuses a missing target where one is needed, and notes the examples without one.
void check_target(const ReadOptions& options, Dataset& data);

}  // namespace medlar

// The role of each column of a table: target, weights, features, or left out.
#pragma once

#include <vector>

#include "medlar/data/table.hpp"
#include "medlar/io.hpp"

namespace medlar {

struct Plan {
  Index target = -1;            // column of the table, -1: none
  Index weights = -1;           // likewise
  Index beliefs = -1;           // likewise
  Index fold_group = -1;        // likewise
  Index sequence = -1;          // likewise: tells sequences apart
  Index time = -1;              // likewise
  std::vector<Index> features;  // columns in the order of the schema
};

// The names by which a target column is usually called.
bool is_usual_target(const std::string& name);

// ReadOptions::label_belief is the name of a column unless it is a number, one belief for every label.
bool names_a_column(const std::string& label_belief);

// Decides from the options, or from the schema that is replayed; the notes say what was guessed.
Plan make_plan(Table& table, const ReadOptions& options);

// Sets first_outside, the first number outside its range: a weight must not be negative, a belief must lie in [0, 1],
// and a feature stored as a float must fit one. If the table has lines, only the line of its place is known.
void find_outside(Table& table, const Plan& plan, const ReadOptions& options);

}  // namespace medlar

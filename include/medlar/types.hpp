// The integer that counts examples, features and non-zeros everywhere, and a place in a file.
#pragma once

#include <cstdint>

namespace medlar {

// Counts and indices: t examples, i features, k constraints.
using Index = std::int64_t;
// A column number as stored in sparse rows.
using Column = std::int32_t;

// A place in a file, counted from 1; 0 is unknown.
struct Place {
  Index line = 0;
  // In bytes.
  Index column = 0;
};

}  // namespace medlar

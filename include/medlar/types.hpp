// The integer that counts examples, features and non-zeros everywhere, and a place in a file.
#pragma once

#include <cstdint>

namespace medlar {

using Index = std::int64_t;   // t examples, i features, k constraints
using Column = std::int32_t;  // a column number as stored in sparse rows

// Where something stands in a file, counted from 1; 0 is unknown.
struct Place {
  Index line = 0;
  Index column = 0;  // in bytes
};

}  // namespace medlar

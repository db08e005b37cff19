// The integer that counts examples, features and non-zeros everywhere.
#pragma once

#include <cstdint>

namespace medlar {

using Index = std::int64_t;   // t examples, i features, k constraints
using Column = std::int32_t;  // a column number as stored in sparse rows

}  // namespace medlar

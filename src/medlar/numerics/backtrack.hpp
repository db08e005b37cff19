// The one loop that shortens a step until it is good enough.
#pragma once

namespace medlar {

// The first of the lengths first, first factor, first factor^2, ... above `least` that good(length) accepts; 0 when it
// accepts none.
template <class Good>
double backtrack(double first, double factor, double least, Good good) {
  for (double length = first; length > least; length *= factor) {
    if (good(length)) return length;
  }
  return 0;
}

}  // namespace medlar

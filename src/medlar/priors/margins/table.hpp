// What makes each margin prior that Settings::margin can name: one more of them is one more line here, whatever the
// model (and its word in options/vocabulary.cpp).
#pragma once

#include <span>

#include "medlar/priors/margins/margin.hpp"
#include "medlar/words.hpp"

namespace medlar {

// What margin priors are made of; each takes what it has.
struct MarginStrength {
  double c = 1, location = 1, epsilon = 0;
};

struct MarginMaker {
  MarginKind kind;
  bool regresses;  // for numbers, else for classes
  Margin (*make)(const MarginStrength&);
};

std::span<const MarginMaker> margin_makers();

// A kind that is none of them is an OptionError.
const MarginMaker& margin_maker(MarginKind kind);

}  // namespace medlar

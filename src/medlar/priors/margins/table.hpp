// The margin priors that a word of Settings::margin names, each with what makes it: one more of them is one more line
// here, whatever the model (and its word in options/vocabulary.cpp).
#pragma once

#include <span>
#include <string_view>

#include "medlar/priors/margins/margin.hpp"

namespace medlar {

// What margin priors are made of; each takes what it has.
struct MarginStrength {
  double c = 1, location = 1, epsilon = 0;
};

struct MarginKind {
  std::string_view word;
  bool regresses;  // for numbers, else for classes
  Margin (*make)(const MarginStrength&);
};

std::span<const MarginKind> margin_kinds();

// An unknown word is an OptionError that lists the known ones.
const MarginKind& margin_kind(std::string_view word);

}  // namespace medlar

// What makes each margin prior that Settings::margin can name: one more of them is one more line here, whatever the
// model (and its word in options/vocabulary.cpp). A word that serves classes and numbers has a line for each.
#pragma once

#include <span>
#include <string>

#include "medlar/priors/margins/margin.hpp"
#include "medlar/words.hpp"

namespace medlar {

// Whose location and strength a margin of the program's own takes.
inline constexpr MarginKind kUsualToClassify = MarginKind::exponential;
inline constexpr MarginKind kUsualToRegress = MarginKind::tube;

// What margin priors are made of; each takes what it has.
struct MarginStrength {
  double c = 1, location = 1, epsilon = 0;
};

struct MarginMaker {
  MarginKind kind;
  bool regresses;    // for numbers, else for classes
  bool has_epsilon;  // knows errors that are all alike to it
  double location;  // of linear and kernel models: of classes 1, which margin-location changes, or 0, which it does not
  double usual_c;   // of linear and kernel models; to regress in units of 1 / sd(y)
  Margin (*make)(const MarginStrength&);
};

std::span<const MarginMaker> margin_makers();

// None where the kind does not go with the task; asked by the second name, that is an OptionError.
const MarginMaker* find_margin(MarginKind kind, bool regresses);
const MarginMaker& margin_maker(MarginKind kind, bool regresses);

// The words that go with a task, as in "tube, svr or gaussian".
std::string margins_that(bool regress);

}  // namespace medlar

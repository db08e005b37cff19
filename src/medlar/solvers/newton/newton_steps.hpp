// What the Newtons over free multipliers share: steps until the gap is closed, and their count.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "medlar/problem/run.hpp"

namespace medlar {

// Newton's step of the free multipliers: of beta, and all multipliers after it.
struct FreeStep {
  std::vector<double> beta, lambda;
};

class NewtonSteps {
 public:
  // `told` hears of each step, for the trace, and whether it was a whole one; it says whether there may be more.
  using Told = std::function<bool(Index passes, bool whole)>;
  NewtonSteps(Run& run, double tolerance, Told told) : run_(run), tolerance_(tolerance), told_(std::move(told)) {}

  // Until the gap of `best` is closed, or step() says that it does not help.
  template <class Best, class Step>
  void repeat(const Best& best, Index most, Step step) {
    for (Index k = 0; k < most && best.relative_gap() > tolerance_ && !run_.asked(); ++k) {
      bool moved = false;
      if (!run_.whole([&] { moved = step(); }) || !moved) break;
      ++count;
      if (!told_(passes, whole)) break;
    }
  }

  Index passes = 0, count = 0;
  bool whole = false;  // the last step was not shortened

 private:
  Run& run_;
  double tolerance_;
  Told told_;
};

}  // namespace medlar

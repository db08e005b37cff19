// Certified lower bounds of the optima of peers' problems. Two sources: a peer's own weights, for a smooth loss; and
// our certified fit of the same problem, for hinge, squared hinge and tube. The second takes a while, so what it proves
// to 2e-7 is kept in a file between runs, under a fingerprint of the set: a bound once proved stays true.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <string>

#include "contestant.hpp"

namespace medlar::bench {

struct Bound {
  double value = -HUGE_VAL;
  bool precise = false;  // within 2e-7 of the optimum: it proves a gap, and it disproves accuracy as well
};

class Bounds {
 public:
  Bounds(const ContestSet& set, std::string file, double limit_seconds)
      : set_(set), file_(std::move(file)), limit_(limit_seconds) {
    std::ifstream lines(file_);
    double bound = 0;
    for (std::string text; lines >> bound && std::getline(lines >> std::ws, text);) ours_[text] = {bound, true};
  }

  // By the weights of a peer; none for a loss with a kink.
  double from_weights(const PeerProblem& problem, const Outcome& outcome) const {
    return problem.smooth() ? dual(problem, set_, outcome.w, outcome.bias) : -HUGE_VAL;
  }

  // By our fit of the same problem; none where we have no such problem.
  Bound from_our_fit(const PeerProblem& problem) {
    if (!has_twin(problem)) return {};
    const std::string text = set_.fingerprint + " " + problem.text();
    if (const auto entry = ours_.find(text); entry != ours_.end()) return entry->second;
    const Outcome ours = medlar_bound(set_, problem, limit_);
    Bound bound;
    if (!ours.status.empty()) bound = {ours.objective, ours.relative_gap <= 2e-7};
    if (bound.precise && !file_.empty()) {
      std::ofstream lines(file_, std::ios::app);
      lines.precision(17);
      lines << bound.value << ' ' << text << '\n';
    }
    return ours_[text] = bound;
  }

 private:
  static bool has_twin(const PeerProblem& problem) {
    return problem.penalty == PeerPenalty::ridge && problem.loss != PeerLoss::logistic &&
           problem.loss != PeerLoss::squared_tube;
  }

  const ContestSet& set_;
  std::string file_;
  double limit_;
  std::map<std::string, Bound> ours_;
};

}  // namespace medlar::bench

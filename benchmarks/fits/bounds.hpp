// Certified lower bounds of the optima of peers' problems, the best known so far. Those of hinge and tube take a fit of
// our own, so they are kept in a file between runs, under a fingerprint of the set: a bound once proved stays true.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <string>

#include "contestant.hpp"

namespace medlar::bench {

class Bounds {
 public:
  Bounds(const ContestSet& set, std::string file, double limit_seconds)
      : set_(set), file_(std::move(file)), limit_(limit_seconds) {
    std::ifstream lines(file_);
    double bound = 0;
    for (std::string text; lines >> bound && std::getline(lines >> std::ws, text);) known_[text] = bound;
  }

  // The best bound of this problem once these weights have been seen.
  double after(const PeerProblem& problem, const Outcome& outcome) {
    const std::string text = set_.fingerprint + " " + problem.text();
    if (problem.smooth()) {
      const double bound = dual(problem, set_, outcome.w, outcome.bias);
      const auto [entry, added] = known_.emplace(text, bound);
      return entry->second = std::max(entry->second, bound);
    }
    if (const auto entry = known_.find(text); entry != known_.end()) return entry->second;
    const Outcome ours = medlar_bound(set_, problem, limit_);
    const bool told = !ours.status.empty();
    if (told && ours.relative_gap <= kPrecise && !file_.empty()) {
      std::ofstream lines(file_, std::ios::app);
      lines.precision(17);
      lines << ours.objective << ' ' << text << '\n';
    }
    return known_[text] = told ? ours.objective : -HUGE_VAL;
  }

 private:
  static constexpr double kPrecise = 2e-7;

  const ContestSet& set_;
  std::string file_;
  double limit_;
  std::map<std::string, double> known_;
};

}  // namespace medlar::bench

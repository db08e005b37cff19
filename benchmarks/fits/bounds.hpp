// Certified lower bounds of the optima of peers' problems, the best known so far. Those of hinge and tube take a fit of
// our own; those of a lasso with a free bias, whose gap is of first order in the error of the weights, take a precise
// fit of LIBLINEAR with a nearly free one. Both are kept in a file between runs, under a fingerprint of the set: a
// bound once proved stays true.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "contestant.hpp"

namespace medlar::bench {

class Bounds {
 public:
  Bounds(const ContestSet& set, std::string file, double limit_seconds,
         std::function<std::shared_ptr<LiblinearRows>()> rows)
      : set_(set), file_(std::move(file)), limit_(limit_seconds), rows_(std::move(rows)) {
    std::ifstream lines(file_);
    double bound = 0;
    for (std::string text; lines >> bound && std::getline(lines >> std::ws, text);) known_[text] = bound;
  }

  // The best bound of this problem once these weights have been seen.
  double after(const PeerProblem& problem, const Outcome& outcome) {
    const std::string text = set_.fingerprint + " " + problem.text();
    if (!known_.contains(text)) {
      const bool precise = !problem.smooth() ? by_our_fit(problem, text) : by_liblinear(problem, text);
      if (precise && !file_.empty()) keep(text);
    }
    if (problem.smooth()) raise(text, dual(problem, set_, outcome.w, outcome.bias));
    return known_.at(text);
  }

 private:
  static constexpr double kPrecise = 2e-7, kNear = 1e-4;

  void raise(const std::string& text, double bound) {
    const auto [entry, added] = known_.emplace(text, bound);
    entry->second = std::max(entry->second, bound);
  }
  void keep(const std::string& text) {
    std::ofstream lines(file_, std::ios::app);
    lines.precision(17);
    lines << known_.at(text) << ' ' << text << '\n';
  }

  bool by_our_fit(const PeerProblem& problem, const std::string& text) {
    const Outcome ours = medlar_bound(set_, problem, limit_);
    raise(text, ours.status.empty() ? -HUGE_VAL : ours.objective);
    return !ours.status.empty() && ours.relative_gap <= kPrecise;
  }
  bool by_liblinear(const PeerProblem& problem, const std::string& text) {
    if (problem.penalty != PeerPenalty::lasso || problem.bias != PeerBias::free) return false;
    double spent = 0, least = HUGE_VAL;
    for (const double bias_value : {100.0, 1000.0}) {
      const auto peer = liblinear_contestant(rows_(), 6, problem.c, bias_value * set_.row_length, 0);
      for (const double tolerance : {1e-5, 1e-6, 1e-7, 1e-8}) {
        const Outcome outcome = peer->run(tolerance, limit_);
        if (!outcome.ok() || (spent += outcome.seconds) > limit_) break;
        least = std::min(least, primal(problem, set_, outcome.w, outcome.bias));
        raise(text, dual(problem, set_, outcome.w, outcome.bias));
        if (least - known_.at(text) <= kPrecise * least) return true;
      }
    }
    if (known_.contains(text) && least - known_.at(text) <= kNear * least)
      return raise(text, (1 - kPrecise) * least), true;
    return false;
  }

  const ContestSet& set_;
  std::string file_;
  double limit_;
  std::function<std::shared_ptr<LiblinearRows>()> rows_;
  std::map<std::string, double> known_;
};

}  // namespace medlar::bench

// One solve as it goes on: its limits, when it ends and with which sentence, and the report of it all. The one place
// that decides and words how a solve ends.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "medlar/linalg/give_up.hpp"
#include "medlar/observer.hpp"
#include "medlar/problem/bounds.hpp"
#include "medlar/report.hpp"
#include "medlar/thresholds/direct_factor.hpp"
#include "medlar/thresholds/few_columns.hpp"
#include "medlar/thresholds/giving_up.hpp"

namespace medlar {

struct Limits {
  double tolerance = 1e-6;
  Index max_passes = 100000;
  double max_seconds = HUGE_VAL;
  std::uint64_t seed = 1;                         // of the order in which examples are visited
  Index largest_factor = kLargestFactorOfAscent;  // side of the factor of Newton in ascent; beyond, it sweeps on
  Index many_columns = kManyColumns;              // from which on ascent looks for the few that matter
  // What to try when no further progress is made far from the optimum.
  const char* remedy = "scale the features (--scale), or bring --c and --prior-variance nearer to 1";
};

// For solvers that could go on for ever without coming nearer.
class Patience {
 public:
  // True when the gap has hardly fallen for too many calls (thresholds/giving_up.hpp).
  bool lost(double gap) {
    if (gap < kProgress * least_) {
      least_ = gap;
      idle_ = 0;
    }
    return ++idle_ > kMostIdleCertificates;
  }

 private:
  double least_ = HUGE_VAL;
  int idle_ = 0;
};

// J, F and their gap as a report has them.
void tell(const Bounds& bounds, Report& report);

class Run {
 public:
  Run(const Limits& limits, Observer* observer);

  Report report;  // solver and why are the solver's to say

  const Limits& limits() const { return limits_; }
  double tolerance() const { return limits_.tolerance; }

  double seconds() const;
  // True when the observer or the clock asks to end; cheap, asked inside iterations.
  bool asked();
  // Does a piece of work that may be given up half-way (linalg/give_up.hpp) when the end is asked for; false when it
  // was.
  template <class Work>
  bool whole(Work&& work) {
    return unless_given_up([this] { return asked(); }, std::forward<Work>(work));
  }
  // The same for work whose result is worth a little more time, as the certificate of what was just solved: given up
  // only when the grace since the end was asked for is over.
  template <class Work>
  bool graced(Work&& work) {
    return unless_given_up([this] { return asked() && seconds() >= asked_at_ + grace_; }, std::forward<Work>(work));
  }
  // True when the solve is over; the report then has status and message.
  bool reached(const Bounds& bounds, Index passes);
  // No further progress is possible; or the end was asked for, which is then why.
  void give_up(const Bounds& bounds);
  // J and F contradict each other beyond rounding.
  void lost_digits(const Bounds& bounds);
  // Adds a point to the trace and tells the observer.
  void record(const Bounds& bounds, Index passes, const char* stage);
  // The report of a pair that was settled since.
  Report finish(const Bounds& bounds, Index passes);

  // For a solve within this one: it ends when this one is asked to.
  class Inner : public Observer {
   public:
    explicit Inner(Run& outer) : outer_(outer) {}
    bool stop_requested() override { return outer_.asked(); }

   private:
    Run& outer_;
  };
  // Its limits: this relative gap at best, and all the time that the outer run has.
  Limits inner_limits(double relative_gap) const;

 private:
  Limits limits_;
  Observer* observer_;
  std::chrono::steady_clock::time_point start_;
  bool interrupted_ = false, out_of_time_ = false;
  double asked_at_ = 0;  // seconds: when the end was first asked for
  double grace_;         // seconds
};

}  // namespace medlar

// --max-seconds beyond the solve. What a fit does before and after the solve, and could do less of, respects the limit
// too.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>

#include "medlar/linalg/give_up.hpp"
#include "medlar/observer.hpp"
#include "medlar/report.hpp"
#include "medlar/settings.hpp"

namespace medlar {

// Runs from the beginning of a fit.
class FitTime {
 public:
  FitTime(const Settings& settings, Observer* observer)
      : most_(settings.max_seconds), observer_(observer), start_(std::chrono::steady_clock::now()) {}

  double left() const { return std::max(0.0, most_ - spent()); }
  // The time for the solve: at least half of all, however long the data took.
  double for_solve() const { return std::max(0.5 * most_, left()); }
  // Whether the fit was asked to end, or this share of the time is over.
  bool over(double share) const {
    return spent() >= share * most_ || (observer_ != nullptr && observer_->stop_requested());
  }
  // Does what comes after the solve, unless the fit was asked to end or the time is over. A little more time is
  // granted, so that short work is done in full. Returns false when it was given up.
  template <class Work>
  bool allows(Work&& work) const {
    constexpr double little_more = 1.05;
    return unless_given_up([this] { return over(little_more); }, std::forward<Work>(work));
  }
  Observer* observer() const { return observer_; }

 private:
  double spent() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  double most_;
  Observer* observer_;
  std::chrono::steady_clock::time_point start_;
};

// Whether the user or the clock ended a solve.
inline bool cut_short(const Settings& settings, const Report& report) {
  return report.status == Status::interrupted ||
         (report.status == Status::limit &&
          (report.seconds >= settings.max_seconds || report.passes < settings.max_passes));
}

}  // namespace medlar

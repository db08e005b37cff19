#include "medlar/problem/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "medlar/thresholds/giving_up.hpp"

namespace medlar {

namespace {

// Of the tenth of a second that a program may take to its end, the part that what was not yet certified gets. Of a time
// that was given beforehand, a fiftieth if that is more.
constexpr double kGrace = 0.02, kGraceOfLimit = 0.02;

}  // namespace

void tell(const Bounds& bounds, Report& report) {
  report.objective = bounds.objective;
  report.primal = bounds.primal;
  report.gap = bounds.gap();
  report.relative_gap = bounds.relative_gap();
}

Run::Run(const Limits& limits, Observer* observer)
    : limits_(limits), observer_(observer), start_(std::chrono::steady_clock::now()), grace_(kGrace) {
  report.tolerance = limits.tolerance;
}

double Run::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

bool Run::asked() {
  const bool before = interrupted_ || out_of_time_;
  interrupted_ = interrupted_ || (observer_ != nullptr && observer_->stop_requested());
  out_of_time_ = out_of_time_ || seconds() >= limits_.max_seconds;
  const bool now = interrupted_ || out_of_time_;
  if (now && !before) {
    asked_at_ = seconds();
    grace_ = interrupted_ ? kGrace : std::max(kGrace, kGraceOfLimit * limits_.max_seconds);
  }
  return now;
}

bool Run::reached(const Bounds& bounds, Index passes) {
  const double relative_gap = bounds.relative_gap();
  if (relative_gap <= limits_.tolerance) {
    report.status = Status::converged;
    report.message = fmt::format("converged: relative gap {:.1e} <= {:.1e}", relative_gap, limits_.tolerance);
    return true;
  }
  asked();
  if (interrupted_) {
    report.status = Status::interrupted;
    report.message = fmt::format("interrupted with relative gap {:.1e} > {:.1e}; the best model so far is kept",
                                 relative_gap, limits_.tolerance);
    return true;
  }
  if (out_of_time_) {
    report.status = Status::limit;
    report.message = fmt::format("stopped: its seconds were over at relative gap {:.1e} > {:.1e}; raise --max-seconds",
                                 relative_gap, limits_.tolerance);
    return true;
  }
  if (passes >= limits_.max_passes) {
    report.status = Status::limit;
    report.message = fmt::format("stopped: {} passes reached with relative gap {:.1e} > {:.1e}; raise --max-passes",
                                 passes, relative_gap, limits_.tolerance);
    return true;
  }
  return false;
}

void Run::give_up(const Bounds& bounds) {
  const double relative_gap = bounds.relative_gap();
  if (asked() && reached(bounds, 0)) return;  // what was given up half-way made no progress for that
  const bool almost = is_almost_closed(relative_gap, limits_.tolerance);
  report.status = almost ? Status::almost : Status::stalled;
  report.message = fmt::format("{}: no further progress at relative gap {:.1e} > {:.1e}; {}",
                               almost ? "almost converged" : "stalled", relative_gap, limits_.tolerance,
                               almost ? "raise --tolerance or lower --c" : limits_.remedy);
}

void Run::lost_digits(const Bounds& bounds) {
  report.status = Status::stalled;
  report.message = fmt::format(
      "stalled: J = {:g} exceeds F = {:g}, so that double precision cannot certify this fit; scale "
      "the features (--scale) or lower --c",
      bounds.objective, bounds.primal);
}

void Run::record(const Bounds& bounds, Index passes, const char* stage) {
  TracePoint point;
  point.iteration = report.iterations;
  point.passes = passes;
  point.seconds = seconds();
  point.objective = bounds.objective;
  point.primal = bounds.primal;
  point.relative_gap = bounds.relative_gap();
  point.stage = stage;
  if (!report.trace.empty()) {
    point.objective = std::max(point.objective, report.trace.back().objective);
    point.primal = std::min(point.primal, report.trace.back().primal);
  }
  report.trace.push_back(point);
  if (observer_ != nullptr) observer_->on_iteration(report.trace.back());
}

Report Run::finish(const Bounds& bounds, Index passes) {
  if (bounds.relative_gap() <= limits_.tolerance) reached(bounds, passes);  // also to tell the gap as it is now
  tell(bounds, report);
  report.passes = passes;
  report.seconds = seconds();
  return std::move(report);
}

Limits Run::inner_limits(double relative_gap) const {
  Limits limits = limits_;
  limits.tolerance = std::max(relative_gap, limits_.tolerance);
  limits.max_seconds = HUGE_VAL;  // the observer keeps the time
  return limits;
}

}  // namespace medlar

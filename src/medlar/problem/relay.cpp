#include "medlar/problem/relay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "medlar/numerics/duality_gap.hpp"

namespace medlar {

bool is_stuck(const Report& report) {
  return report.status == Status::stalled || report.status == Status::almost;
}

void add_cost(Report& second, const Report& first) {
  second.iterations += first.iterations;
  second.passes += first.passes;
  second.seconds += first.seconds;
  for (TracePoint& point : second.trace) {
    point.iteration += first.iterations;
    point.passes += first.passes;
    point.seconds += first.seconds;
  }
}

Report joined_report(const Report& first, Report second) {
  for (TracePoint& point : second.trace) {
    point.objective = std::max(point.objective, first.objective);
    point.primal = std::min(point.primal, first.primal);
    point.relative_gap = relative_duality_gap(point.primal, point.objective);
  }
  add_cost(second, first);
  if (!second.trace.empty()) second.trace.erase(second.trace.begin());  // its start is where the first ended
  second.trace.insert(second.trace.begin(), first.trace.begin(), first.trace.end());
  return second;
}

void end_like(Report& kept, const Report& later) {
  if (later.status == Status::limit || later.status == Status::interrupted) {
    kept.status = later.status;
    kept.message =
        later.message +
        fmt::format("; the model kept is that of the solver before, with relative gap {:.1e}", kept.relative_gap);
  }
  kept.iterations += later.iterations;
  kept.passes += later.passes;
  kept.seconds += later.seconds;
}

void add_beside(Report& sum, const Report& next) {
  if (sum.message.empty()) {
    sum = next;
    return;
  }
  for (TracePoint point : next.trace) {
    point.iteration += sum.iterations;
    point.passes += sum.passes;
    point.seconds += sum.seconds;
    point.objective += sum.objective;
    point.primal += sum.primal;
    point.relative_gap = relative_duality_gap(point.primal, point.objective);
    sum.trace.push_back(point);
  }
  if (next.status > sum.status) sum.status = next.status, sum.message = next.message;
  sum.solver = next.solver;
  sum.objective += next.objective;
  sum.primal += next.primal;
  sum.gap += next.gap;
  sum.relative_gap = sum.gap / gap_scale(sum.primal);
  sum.iterations += next.iterations;
  sum.passes += next.passes;
  sum.seconds += next.seconds;
}

}  // namespace medlar

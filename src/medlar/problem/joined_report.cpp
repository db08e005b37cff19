// See the header.
#include "medlar/problem/joined_report.hpp"
#include "medlar/numerics/duality_gap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace medlar {

Report joined_report(const Report& first, Report second) {
  for (TracePoint& point : second.trace) {
    point.objective = std::max(point.objective, first.objective);
    point.primal = std::min(point.primal, first.primal);
    point.relative_gap = relative_duality_gap(point.primal, point.objective);
    point.iteration += first.iterations;
    point.passes += first.passes;
    point.seconds += first.seconds;
  }
  if (!second.trace.empty()) second.trace.erase(second.trace.begin());  // its start is where the first ended
  second.trace.insert(second.trace.begin(), first.trace.begin(), first.trace.end());
  second.iterations += first.iterations;
  second.passes += first.passes;
  second.seconds += first.seconds;
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

}  // namespace medlar

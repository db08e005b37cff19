// From one solver to the next: what the first does not finish the second takes up within the limits that are left, the
// better pair is kept, and both are told as one report, whose trace goes on: J never falls in it and F never rises.
#pragma once

#include <algorithm>
#include <utility>

#include "medlar/problem/run.hpp"
#include "medlar/report.hpp"

namespace medlar {

// Neither converged nor ended by a limit or the user: another solver may still get on.
bool is_stuck(const Report& report);

// The limits that a solve has left for the next; L has max_seconds and max_passes, as Limits and Settings have.
template <class L>
L what_is_left(L limits, const Report& spent) {
  limits.max_seconds = std::max(0.0, limits.max_seconds - spent.seconds);
  limits.max_passes = std::max<Index>(1, limits.max_passes - spent.passes);
  return limits;
}

// `second` began where `first` ended; how it ended is how both did.
Report joined_report(const Report& first, Report second);

// `second` began anew, after a solve whose pair is of no use but whose cost counts.
void add_cost(Report& second, const Report& first);

// `kept` has the better pair of two solves in succession, but the later one was ended by a limit or by the user: that
// is then how the whole ended. What the later one cost is added.
void end_like(Report& kept, const Report& later);

// Adds a problem that is solved beside others, as one for each pair of classes or for each class: J, F, their gaps and
// the costs add up, and the worse ending is how all ended. `sum` is the report of those before, at first of none.
void add_beside(Report& sum, const Report& next);

// The better of two solves in succession; S has a `report`.
template <class S>
S better_of(S first, S second) {
  if (!(second.report.relative_gap <= first.report.relative_gap)) {
    end_like(first.report, second.report);
    return first;
  }
  second.report.solver = first.report.solver + ", then " + second.report.solver;
  second.report.why = first.report.why + "; the first made no further progress";
  second.report = joined_report(first.report, std::move(second.report));
  return second;
}

// `next`, called with the limits that are left and with `first`, where that is stuck.
template <class S, class Next>
S relay(S first, const Limits& limits, Next next) {
  if (!is_stuck(first.report)) return first;
  S second = next(what_is_left(limits, first.report), std::as_const(first));
  return better_of(std::move(first), std::move(second));
}

}  // namespace medlar

// Two solves of one problem, one after the other, as one report: its trace goes on, J never falls in it and F never
// rises.
#pragma once

#include "medlar/report.hpp"

namespace medlar {

// `second` began where `first` ended; how it ended is how both did.
Report joined_report(const Report& first, Report second);

// `kept` has the better pair of two solves in succession, but the later one was ended by a limit or by the user: that
// is then how the whole ended. What the later one cost is added.
void end_like(Report& kept, const Report& later);

}  // namespace medlar

// Two solves of one problem, one after the other, as one report: its trace goes on, J never falls in it and F never
// rises.
#pragma once

#include "medlar/report.hpp"

namespace medlar {

// `second` began where `first` ended; how it ended is how both did.
Report joined_report(const Report& first, Report second);

}  // namespace medlar

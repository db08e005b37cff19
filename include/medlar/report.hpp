// How a solve ended, with its certificate.
#pragma once

#include <string>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

enum class Status {
  converged,    // relative gap <= tolerance
  almost,       // no further progress, relative gap <= 1000 tolerance
  limit,        // passes or seconds ran out
  stalled,      // no further progress, relative gap above that
  interrupted,  // the observer asked to stop
};

std::string to_string(Status status);
Status status_from(const std::string& name);  // an unknown name is an OptionError

struct TracePoint {
  Index iteration = 0;
  Index passes = 0;  // passes over the data so far
  double seconds = 0;
  double objective = 0;     // J, the best so far: never falls
  double primal = 0;        // F, the best so far: never rises
  double relative_gap = 0;  // (F - J) / max(F, 1e-10)
  std::string stage;        // what the solver is doing, for progress lines
  friend bool operator==(const TracePoint&, const TracePoint&) = default;
};

struct Report {
  Status status = Status::stalled;
  std::string message;   // one sentence with both sides of the test that ended the solve
  std::string solver;    // which solver, and in which form
  std::string why;       // why it was chosen
  double objective = 0;  // J(lambda)
  double primal = 0;     // F(w, b)
  double gap = 0;        // F - J
  double relative_gap = 0;
  double tolerance = 0;
  Index iterations = 0;
  Index passes = 0;
  double seconds = 0;
  std::vector<TracePoint> trace;
  friend bool operator==(const Report&, const Report&) = default;
};

}  // namespace medlar

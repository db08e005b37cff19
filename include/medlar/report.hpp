// How a solve ended, with its certificate.
#pragma once

#include <string>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

enum class Status {
  // The relative gap is at most the tolerance.
  converged,
  // No further progress; the relative gap is at most 1000 times the tolerance, and at most 1 %.
  almost,
  // Passes or seconds ran out.
  limit,
  // No further progress; the relative gap is larger than for `almost`.
  stalled,
  // The observer asked to stop.
  interrupted,
};

std::string to_string(Status status);
// An unknown name is an OptionError.
Status status_from(const std::string& name);

struct TracePoint {
  Index iteration = 0;
  // Passes over the data so far.
  Index passes = 0;
  double seconds = 0;
  // J, the best so far; it never falls.
  double objective = 0;
  // F, the best so far; it never rises.
  double primal = 0;
  // (F - J) / max(F, 1e-10).
  double relative_gap = 0;
  // What the solver is doing, for progress lines.
  std::string stage;
  friend bool operator==(const TracePoint&, const TracePoint&) = default;
};

struct Report {
  Status status = Status::stalled;
  // One sentence with both sides of the test that ended the solve.
  std::string message;
  // Which solver was used, and in which form.
  std::string solver;
  // Why this solver was chosen.
  std::string why;
  // J(lambda).
  double objective = 0;
  // F(w, b).
  double primal = 0;
  // F - J.
  double gap = 0;
  double relative_gap = 0;
  double tolerance = 0;
  Index iterations = 0;
  Index passes = 0;
  double seconds = 0;
  std::vector<TracePoint> trace;
  friend bool operator==(const Report&, const Report&) = default;
};

}  // namespace medlar

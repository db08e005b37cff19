// Watches a solve: progress lines, callbacks, Ctrl-C.
#pragma once

#include "medlar/report.hpp"

namespace medlar {

class Observer {
 public:
  virtual ~Observer() = default;
  // Called after each iteration with its certificate.
  virtual void on_iteration(const TracePoint&) {}
  // Asked often, also inside an iteration; true ends the solve with the best certified model so far.
  virtual bool stop_requested() { return false; }
};

}  // namespace medlar

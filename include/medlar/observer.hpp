// Watches a solve: progress lines, callbacks, Ctrl-C.
#pragma once

#include "medlar/report.hpp"

namespace medlar {

class Observer {
 public:
  virtual ~Observer() = default;
  // Called after each iteration with its certificate.
  virtual void on_iteration(const TracePoint&) {}
  // Asked often; true ends the solve with the best certified model so far. May throw Interrupted to do without one.
  virtual bool stop_requested() { return false; }
};

}  // namespace medlar

// Watches a fit that runs without the interpreter's lock: Ctrl-C, and a callback with each trace point.
#pragma once

#include <chrono>
#include <thread>

#include "bindings.hpp"

namespace medlar::python {

// The lock is taken for each call of the callback and, at most every 10 ms, to see whether a signal is pending, which
// Python tells the thread alone that began the fit. What Python raises meanwhile ends the fit and waits in error(); the
// model is the best certified one, or there is none if nothing was. A callback that returns True ends the fit without
// an error.
class Watcher : public Observer {
 public:
  explicit Watcher(py::object callback) : callback_(std::move(callback)) {}
  void on_iteration(const TracePoint& point) override;
  bool stop_requested() override;
  // Whether a signal is pending, in the thread that began the fit and with the lock.
  void look();
  const py::object& error() const { return error_; }  // an exception, or None

 private:
  py::object callback_;
  py::object error_ = py::none();
  bool stopped_ = false, certified_ = false;
  std::thread::id own_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace medlar::python

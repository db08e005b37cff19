// Watches a fit that runs without the interpreter's lock: Ctrl-C, and a callback with each trace point.
#pragma once

#include <chrono>
#include <thread>

#include "bindings.hpp"

namespace medlar::python {

// The interpreter's lock is taken for each call of the callback and, at most every 10 ms, to look for a pending signal.
// Python reports signals only to the thread that started the fit. An exception raised meanwhile ends the fit and is
// kept in error(); the model is then the best certified one, if there is any. A callback that returns True ends the fit
// without an error.
class Watcher : public Observer {
 public:
  explicit Watcher(py::object callback) : callback_(std::move(callback)) {}
  void on_iteration(const TracePoint& point) override;
  bool stop_requested() override;
  // Looks for a pending signal; call it on the thread that started the fit, with the lock.
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

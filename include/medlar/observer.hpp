// Watches a solve: progress lines, callbacks, Ctrl-C.
#pragma once

#include <chrono>

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

// Another observer, or none, and a time after which it asks to stop: for many fits that have so many seconds together.
class Deadline : public Observer {
 public:
  Deadline(Observer* asked, double seconds) : asked_(asked), seconds_(seconds) {}

  void on_iteration(const TracePoint& point) override {
    if (asked_ != nullptr) asked_->on_iteration(point);
  }
  bool stop_requested() override {
    if (asked_ != nullptr && asked_->stop_requested()) return true;
    if (!(left() > 0)) ended_ = true;
    return ended_;
  }

  double left() const {
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return spent < seconds_ ? seconds_ - spent : 0;
  }
  bool ended() const { return ended_; }  // the time did, before the other observer asked to

 private:
  Observer* asked_;
  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool ended_ = false;
};

}  // namespace medlar

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
  // Called often. If it returns true, the solve ends with the best certified model so far. It may throw Interrupted to
  // end without a model.
  virtual bool stop_requested() { return false; }
};

// An observer that passes everything on to another one (or none) and also asks to stop after some seconds. For several
// fits that share a time limit.
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
  // Whether the time was over before the other observer asked to stop.
  bool ended() const { return ended_; }

 private:
  Observer* asked_;
  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool ended_ = false;
};

}  // namespace medlar

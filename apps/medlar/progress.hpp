// Watches a solve: a progress line on a terminal, and Ctrl-C.
#pragma once

#include <chrono>

#include "command.hpp"

namespace medlar::cli {

// While it lives, the first SIGINT or SIGTERM asks the solve to stop with its best model, and the second ends the
// program at once.
class Progress : public Observer {
 public:
  explicit Progress(const Globals& globals);
  ~Progress() override;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void on_iteration(const TracePoint& point) override;
  bool stop_requested() override;

 private:
  bool visible_;         // standard error is a terminal and the user wants talk
  bool drawn_ = false;   // there is a line to wipe
  bool warned_ = false;  // the user was told that the solve is ending
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace medlar::cli

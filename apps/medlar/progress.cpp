// Watches a solve: a progress line on a terminal, and Ctrl-C.
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace medlar::cli {
namespace {

volatile std::sig_atomic_t stop_flag = 0;

extern "C" void request_stop(int) {
  stop_flag = 1;
}

struct sigaction before_int, before_term;  // what the signals did before

void watch(int signal, struct sigaction& before) {
  struct sigaction action = {};
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);  // the second signal meets the default: the end
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, &before);
}

}  // namespace

Progress::Progress(const Globals& globals) : visible_(!globals.quiet && isatty(STDERR_FILENO) == 1) {
  stop_flag = 0;
  watch(SIGINT, before_int);
  watch(SIGTERM, before_term);
}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  sigaction(SIGINT, &before_int, nullptr);
  sigaction(SIGTERM, &before_term, nullptr);
}

void Progress::on_iteration(const TracePoint& point) {
  const auto now = std::chrono::steady_clock::now();
  if (!visible_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  // Many fits at once have no pass and no gap in common.
  const std::string line = point.passes == 0 ? point.stage
                                             : fmt::format("{} passes  relative gap {:.1e}  {}", point.passes,
                                                           point.relative_gap, point.stage);
  std::fputs(fmt::format("\r{:.1f} s  {}\033[K", point.seconds, line).c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

bool Progress::stop_requested() {
  if (stop_flag == 0) return false;
  if (visible_ && !warned_) {
    std::fputs("\r\033[Kstopping with the best model so far; once more ends at once\n", stderr);
    warned_ = true;
    drawn_ = false;
  }
  return true;
}

}  // namespace medlar::cli

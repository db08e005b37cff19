// See the header.
#include "medlar/selection/refits.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "medlar/linalg/threads.hpp"

namespace medlar {
namespace {

// The caller's observer, asked by one thread at a time. It never sees the iterations of single refits.
class SharedObserver : public Observer {
 public:
  SharedObserver(Observer* asked, Index count, std::string_view what)
      : asked_(asked), count_(count), what_(what), start_(std::chrono::steady_clock::now()) {}

  bool stop_requested() override {
    if (stop_) return true;
    if (asked_ == nullptr) return false;
    const std::lock_guard guard(mutex_);
    if (asked_->stop_requested()) stop_ = true;
    return stop_;
  }

  void end() { stop_ = true; }

  void one_done() {
    const std::lock_guard guard(mutex_);
    ++done_;
    if (asked_ == nullptr) return;
    TracePoint point;
    point.iteration = done_;
    point.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const double left = point.seconds * static_cast<double>(count_ - done_) / static_cast<double>(done_);
    point.stage = fmt::format("{} {} of {}, about {:.0f} s left", what_, done_, count_, left);
    asked_->on_iteration(point);
  }

  bool all_done() const { return done_ == count_; }

 private:
  Observer* asked_;
  Index count_, done_ = 0;
  std::string_view what_;
  std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;
  std::atomic<bool> stop_ = false;
};

}  // namespace

bool run_refits(Index threads, Index count, std::string_view what, Observer* observer,
                const std::function<void(Index, Observer*)>& task) {
  SharedObserver shared(observer, count, what);
  std::atomic<Index> next = 0;
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto work = [&] {
    try {
      for (Index k = next++; k < count && !shared.stop_requested(); k = next++) {
        task(k, &shared);
        if (!shared.stop_requested()) shared.one_done();
      }
    } catch (...) {
      const std::lock_guard guard(mutex);
      if (!thrown) thrown = std::current_exception();
      shared.end();
    }
  };
  {
    std::vector<std::jthread> helpers;
    try {
      for (Index k = 1; k < std::min(thread_count(threads), count); ++k) helpers.emplace_back(work);
    } catch (const std::system_error&) {
      // no more threads: those that run do the rest
    }
    work();
  }
  if (thrown) std::rethrow_exception(thrown);
  return shared.all_done();
}

}  // namespace medlar

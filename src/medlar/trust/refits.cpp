// The caller's observer is not written for threads and may handle signals on its own thread only. So it is locked, and
// the calling thread keeps asking it while it waits for the others. An exception on any thread stops all of them and is
// thrown to the caller.
#include "medlar/trust/refits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "medlar/error.hpp"
#include "medlar/linalg/threads.hpp"

namespace medlar {

// The caller's observer, asked by one thread at a time. It never sees the iterations of single refits.
class Refits::Shared : public Observer {
 public:
  Shared(Observer* asked, Index total, std::string_view what)
      : asked_(asked), total_(total), what_(what), start_(std::chrono::steady_clock::now()) {}

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
    const double left = point.seconds * static_cast<double>(total_ - done_) / static_cast<double>(done_);
    point.stage = fmt::format("{} {} of {}, about {:.0f} s left", what_, done_, total_, left);
    asked_->on_iteration(point);
  }

  void expect(Index left) { total_ = done_ + left; }
  Index done() const { return done_; }

 private:
  Observer* asked_;
  Index total_, done_ = 0;
  std::string_view what_;
  std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;
  std::atomic<bool> stop_ = false;
};

Refits::Refits(Index threads, Index total, std::string_view what, Observer* observer)
    : threads_(thread_count(threads)), shared_(std::make_unique<Shared>(observer, total, what)) {}
Refits::~Refits() = default;

void Refits::expect(Index left) {
  shared_->expect(left);
}

bool Refits::run(Index count, const std::function<void(Index, Observer*)>& task) {
  const Index before = shared_->done();
  std::atomic<Index> next = 0;
  std::mutex mutex;
  std::exception_ptr thrown;
  Index helping = 0;
  std::condition_variable done;
  const auto work = [&] {
    try {
      for (Index k = next++; k < count && !shared_->stop_requested(); k = next++) {
        task(k, shared_.get());
        if (!shared_->stop_requested()) shared_->one_done();
      }
    } catch (const Interrupted&) {
      shared_->end();
    } catch (...) {
      const std::lock_guard guard(mutex);
      if (!thrown) thrown = std::current_exception();
      shared_->end();
    }
  };
  const auto help = [&] {
    work();
    const std::lock_guard guard(mutex);
    --helping;
    done.notify_one();
  };
  {
    std::vector<std::jthread> helpers;
    try {
      for (Index k = 1; k < std::min(threads_, count); ++k) {
        const std::lock_guard guard(mutex);
        helpers.emplace_back(help);
        ++helping;
      }
    } catch (const std::system_error&) {
      // No more threads: the running ones do the rest.
    }
    work();
    // The observer may learn of signals on this thread only, so it is asked while the others finish.
    std::unique_lock waiting(mutex);
    while (!done.wait_for(waiting, std::chrono::milliseconds(10), [&] { return helping == 0; })) {
      waiting.unlock();
      shared_->stop_requested();
      waiting.lock();
    }
  }
  if (thrown) std::rethrow_exception(thrown);
  return shared_->done() == before + count;
}

}  // namespace medlar

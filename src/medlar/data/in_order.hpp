// Blocks of text, parsed side by side and taken in the order of the file. The thread that asks for the next block reads
// it, and decompresses it if necessary, while the others parse.
#pragma once

#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

// Blocks gives blocks of whole lines: `bool next(block)`, and `finished()` once there are no more. A Part holds such a
// `block`, `Index lines` and what they become. parse(part, first_line) fills it from its block without knowing the
// lines before. take(part, first_line) is called by one thread at a time, in order. A block that parse refuses is
// parsed again when its turn comes and the number of its first line is known. So the error that is reported is the
// first one in the file, with its true line.
template <class Part, class Blocks, class Parse, class Take>
class InOrder {
 public:
  InOrder(Blocks& blocks, Parse parse, Take take) : blocks_(blocks), parse_(std::move(parse)), take_(std::move(take)) {}

  void run(Index threads) {
    threads_ = static_cast<std::size_t>(threads);
    work(true);
    helpers_.clear();  // joins them
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Job {
    Part part;
    Index number = 0;
    std::exception_ptr unread;  // why the block could not be read
    bool refused = false;
  };

  void work(bool lead) {
    try {
      while (std::unique_ptr<Job> job = free_job()) {
        if (!fetch(*job)) return;
        if (lead) call_helpers();
        lead = false;
        try {
          job->refused = false;
          if (!job->unread) parse_(job->part, Index{1});
        } catch (...) {
          job->refused = true;
        }
        deposit(std::move(job));
      }
    } catch (...) {
      stop(std::current_exception());
    }
  }

  // Only where a second block is there to be parsed.
  void call_helpers() {
    if (blocks_.finished()) return;  // asked while no helper is there to read on
    for (std::size_t k = 1; k < threads_; ++k) {
      try {
        helpers_.emplace_back([this] { work(false); });
      } catch (const std::system_error&) {
        return;  // fewer threads do
      }
    }
  }

  // Null when reading was stopped. There are few jobs, so that text does not pile up behind a slow block.
  std::unique_ptr<Job> free_job() {
    std::unique_lock lock(jobs_mutex_);
    freed_.wait(lock, [&] { return stopped_ || !free_.empty() || made_ < 2 * threads_; });
    if (stopped_) return nullptr;
    if (free_.empty()) {
      ++made_;
      return std::make_unique<Job>();
    }
    std::unique_ptr<Job> job = std::move(free_.back());
    free_.pop_back();
    return job;
  }

  // False at the end, and after a block that could not be read.
  bool fetch(Job& job) {
    const std::lock_guard lock(blocks_mutex_);
    if (ended_) return false;
    try {
      ended_ = !blocks_.next(job.part.block);
      if (ended_) return false;
    } catch (...) {
      job.unread = std::current_exception();
      ended_ = true;
    }
    job.number = fetched_++;
    return true;
  }

  // The thread that brings the job whose turn it is takes it, and those that waited for it.
  void deposit(std::unique_ptr<Job> job) {
    std::unique_lock lock(jobs_mutex_);
    const Index number = job->number;
    ready_.emplace(number, std::move(job));
    if (taking_) return;
    taking_ = true;
    while (!stopped_ && !ready_.empty() && ready_.begin()->first == taken_) {
      std::unique_ptr<Job> next = std::move(ready_.begin()->second);
      ready_.erase(ready_.begin());
      lock.unlock();
      take_next(*next);
      lock.lock();
      ++taken_;
      free_.push_back(std::move(next));
      freed_.notify_one();
    }
    taking_ = false;
  }

  void take_next(Job& job) {
    if (job.unread) std::rethrow_exception(job.unread);
    if (job.refused) parse_(job.part, first_line_);
    take_(job.part, first_line_);
    first_line_ += job.part.lines;
  }

  void stop(std::exception_ptr failure) {
    const std::lock_guard lock(jobs_mutex_);
    if (!failure_) failure_ = std::move(failure);
    stopped_ = true;
    freed_.notify_all();
  }

  Blocks& blocks_;
  Parse parse_;
  Take take_;
  std::size_t threads_ = 1;
  std::vector<std::jthread> helpers_;

  std::mutex blocks_mutex_;  // what belongs to fetch
  Index fetched_ = 0;
  bool ended_ = false;

  std::mutex jobs_mutex_;  // what belongs to the jobs
  std::condition_variable freed_;
  std::map<Index, std::unique_ptr<Job>> ready_;  // parsed, waiting for its turn
  std::vector<std::unique_ptr<Job>> free_;
  std::size_t made_ = 0;
  Index taken_ = 0;
  bool taking_ = false, stopped_ = false;
  std::exception_ptr failure_;

  Index first_line_ = 1;  // of the next block; owned by the thread that takes
};

template <class Part, class Blocks, class Parse, class Take>
void parse_in_order(Blocks& blocks, Index threads, Parse parse, Take take) {
  InOrder<Part, Blocks, Parse, Take>(blocks, std::move(parse), std::move(take)).run(threads);
}

}  // namespace medlar

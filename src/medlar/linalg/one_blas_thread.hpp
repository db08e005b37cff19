// While it lives, the BLAS has one thread. Used where our own threads each call the BLAS for their part.
#pragma once

#include "medlar/linalg/threads.hpp"

namespace medlar {

class OneBlasThread {
 public:
  // `threads` is what the BLAS gets back afterwards.
  explicit OneBlasThread(Index threads) : threads_(threads) { set_linear_algebra_threads(1); }
  ~OneBlasThread() { set_linear_algebra_threads(threads_); }
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

 private:
  Index threads_;
};

}  // namespace medlar

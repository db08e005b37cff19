// Two systems can refuse here. A thread may not start, and then its share of the work is done by the caller. OpenBLAS
// may find no memory for its buffer, and then it never returns.
#include "medlar/linalg/threads.hpp"

#include <Eigen/Dense>
#include <cstdlib>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

extern "C" [[gnu::weak]] void openblas_set_num_threads(int threads);

namespace medlar {

Index thread_count(Index wanted) {
  if (wanted > 0) return wanted;
  const auto all = static_cast<Index>(std::thread::hardware_concurrency());
  return all > 0 ? all : 1;
}

void side_by_side(Index threads, Index count, Index grain, const std::function<void(Index, Index)>& work) {
  const Index grains = (count + grain - 1) / grain;
  const Index share = (grains + threads - 1) / threads * grain;
  std::vector<std::jthread> helpers;
  Index begin = 0;
  for (; begin + share < count; begin += share) {
    try {
      helpers.emplace_back(work, begin, begin + share);
    } catch (const std::system_error&) {
      break;  // no more threads: the rest is done here
    }
  }
  if (begin < count) work(begin, count);
}

namespace {

// When OpenBLAS finds no memory for its buffer (128 MB of address space on x86-64), it asks again for ever. So it is
// made to take the buffer at the start, after a test that the memory is there.
bool take_buffer() {
  constexpr std::size_t buffer = std::size_t{160} << 20;
  void* there = std::malloc(buffer);
  if (there == nullptr) throw std::bad_alloc();
  std::free(there);
  const Eigen::MatrixXd ones = Eigen::MatrixXd::Ones(40, 40);  // large enough that Eigen calls the BLAS
  const Eigen::MatrixXd product = ones * ones;
  return product(0, 0) == 40;
}

}  // namespace

void set_linear_algebra_threads(Index threads) {
  if (openblas_set_num_threads == nullptr) return;
  static const bool ready = take_buffer();
  static_cast<void>(ready);
  openblas_set_num_threads(static_cast<int>(thread_count(threads)));
}

}  // namespace medlar

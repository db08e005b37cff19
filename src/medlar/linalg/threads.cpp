// See the header.
#include "medlar/linalg/threads.hpp"

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

void set_linear_algebra_threads(Index threads) {
  if (openblas_set_num_threads == nullptr) return;
  openblas_set_num_threads(static_cast<int>(thread_count(threads)));
}

}  // namespace medlar

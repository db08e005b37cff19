// See the header.
#include "medlar/linalg/threads.hpp"

#include <thread>

extern "C" [[gnu::weak]] void openblas_set_num_threads(int threads);

namespace medlar {

Index thread_count(Index wanted) {
  if (wanted > 0) return wanted;
  const auto all = static_cast<Index>(std::thread::hardware_concurrency());
  return all > 0 ? all : 1;
}

void set_linear_algebra_threads(Index threads) {
  if (openblas_set_num_threads == nullptr) return;
  openblas_set_num_threads(static_cast<int>(thread_count(threads)));
}

}  // namespace medlar

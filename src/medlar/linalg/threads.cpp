// See the header.
#include "medlar/linalg/threads.hpp"

#include <thread>

extern "C" [[gnu::weak]] void openblas_set_num_threads(int threads);

namespace medlar {

void set_linear_algebra_threads(Index threads) {
  if (openblas_set_num_threads == nullptr) return;
  const auto all = static_cast<Index>(std::thread::hardware_concurrency());
  openblas_set_num_threads(static_cast<int>(threads > 0 ? threads : (all > 0 ? all : 1)));
}

}  // namespace medlar

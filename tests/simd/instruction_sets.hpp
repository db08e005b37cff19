// What the tests of the vector loops share: every instruction set in turn, and arrays that end where memory ends, so
// that a read or a write past their last entry is a fault and their first entry is seldom aligned.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <random>
#include <span>
#include <vector>

#include "medlar/simd/sweep_loops.hpp"

namespace medlar::test {

// Calls check() under each instruction set that was compiled and that this machine has; the best one is back at the
// end.
template <class Check>
void with_every_instruction_set(Check check) {
  struct Restore {
    ~Restore() { hwy::SetSupportedTargetsForTest(0); }
  } restore;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    SCOPED_TRACE(hwy::TargetName(target));
    ASSERT_STREQ(kernel_target(), hwy::TargetName(target));
    check();
    hwy::SetSupportedTargetsForTest(0);
  }
}

template <class T>
class ArrayAtTheEdge {
 public:
  explicit ArrayAtTheEdge(std::span<const T> values) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    inside_ = (values.size_bytes() / page + 1) * page;
    map_ =
        static_cast<char*>(mmap(nullptr, inside_ + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (map_ == MAP_FAILED || mprotect(map_ + inside_, page, PROT_NONE) != 0) throw std::bad_alloc();
    all_ = inside_ + page;
    first_ = reinterpret_cast<T*>(map_ + inside_) - values.size();
    std::copy(values.begin(), values.end(), first_);
  }
  explicit ArrayAtTheEdge(const std::vector<T>& values) : ArrayAtTheEdge(std::span<const T>(values)) {}
  ~ArrayAtTheEdge() { munmap(map_, all_); }
  ArrayAtTheEdge(const ArrayAtTheEdge&) = delete;
  ArrayAtTheEdge& operator=(const ArrayAtTheEdge&) = delete;

  T* data() { return first_; }
  T operator[](std::size_t i) const { return first_[i]; }

 private:
  char* map_;
  T* first_;
  std::size_t inside_, all_;
};

inline std::vector<std::size_t> loop_sizes() {
  std::vector<std::size_t> sizes(71);
  for (std::size_t size = 0; size < sizes.size(); ++size) sizes[size] = size;
  for (const std::size_t size : {1000, 1023, 3001}) sizes.push_back(size);
  return sizes;
}

// Numbers of either sign whose sizes are spread evenly over decades from 10^-decades to 10^decades.
template <class T>
std::vector<T> over_decades(std::size_t size, double decades, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> exponent(-decades, decades);
  std::vector<T> values(size);
  for (T& value : values) value = static_cast<T>((random() % 2 == 0 ? 1 : -1) * std::pow(10.0, exponent(random)));
  return values;
}

// Multipliers near 0, near c, between, at 0, and some outside [0, c].
inline std::vector<double> multipliers_up_to(double c, std::size_t size) {
  std::vector<double> lambda = over_decades<double>(size, 8, 2);
  for (std::size_t k = 0; k < size; ++k) {
    lambda[k] = k % 3 == 0 ? c * (1 - std::min(1.0, std::abs(lambda[k]))) : std::abs(lambda[k]) / 1e8 * 1.01 * c;
    if (k % 11 == 5) lambda[k] = -lambda[k];
    if (k % 13 == 7) lambda[k] = 0;
  }
  return lambda;
}

// Half a unit in the last place of 1.
template <class T>
inline constexpr double kRounding = std::numeric_limits<T>::epsilon() / 2;

}  // namespace medlar::test

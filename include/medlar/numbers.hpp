// Contiguous numbers, stored as doubles, or as floats in half the memory; they are read as doubles either way.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace medlar {

// The largest double that rounds to a finite float. Half a unit above it rounds to infinity.
constexpr double largest_for_float = 0x1.fffffefffffffp127;

// A view of some numbers; their owner must outlive it.
class NumbersView {
 public:
  NumbersView() = default;
  NumbersView(const double* first, std::size_t size) : doubles_(first), size_(size) {}
  NumbersView(const float* first, std::size_t size) : floats_(first), size_(size) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool are_floats() const { return floats_ != nullptr; }
  double operator[](std::size_t j) const { return floats_ ? static_cast<double>(floats_[j]) : doubles_[j]; }

  // Calls visit(first) with a const double* or a const float*, so that a loop inside need not ask which it is.
  template <class Visit>
  decltype(auto) visit(Visit&& visit) const {
    return floats_ ? visit(floats_) : visit(doubles_);
  }

  NumbersView part(std::size_t first, std::size_t size) const {
    return floats_ ? NumbersView(floats_ + first, size) : NumbersView(doubles_ + first, size);
  }

 private:
  const double* doubles_ = nullptr;
  const float* floats_ = nullptr;
  std::size_t size_ = 0;
};

// Owns its numbers.
class Numbers {
 public:
  Numbers() = default;
  Numbers(std::vector<double> numbers) : doubles_(std::move(numbers)) {}
  Numbers(std::vector<float> numbers) : floats_(std::move(numbers)), are_floats_(true) {}
  Numbers(std::initializer_list<double> numbers) : doubles_(numbers) {}

  NumbersView view() const {
    return are_floats_ ? NumbersView(floats_.data(), floats_.size()) : NumbersView(doubles_.data(), doubles_.size());
  }

 private:
  std::vector<double> doubles_;
  std::vector<float> floats_;
  bool are_floats_ = false;
};

}  // namespace medlar

// A dataset of features and their copies, to be fitted together.
#pragma once

#include <vector>

#include "medlar/dataset.hpp"

namespace medlar {

// Each feature, with its copy behind it unless it is kept, and where both are; the copy of a kept one is itself.
struct WithCopies {
  Dataset data;
  std::vector<std::size_t> own, copied;
};

// `x` are the dense values of the data, `copy` as many.
WithCopies with_copies(const Dataset& data, const std::vector<double>& x, const std::vector<double>& copy,
                       const std::vector<char>& kept);

}  // namespace medlar

// Which short lists are tried: the fits that rank features, how many are kept, and to what their coefficients are
// fitted.
#pragma once

#include <span>
#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/settings.hpp"
#include "medlar/tuning.hpp"

namespace medlar {

enum class ListOrder {
  size,         // the largest |coefficient| x sd of the reference
  elimination,  // of the largest 64, the one whose loss costs least is dropped again and again
};

struct ListSpec {
  std::size_t reference = 0;  // index of a candidate
  ListOrder order = ListOrder::size;
  Index features = 1;
  double ridge = 0;             // times the number of examples
  double share_of_targets = 0;  // 0: the scores of the reference alone; 1: the targets alone
};

// In the order of references; nothing where lists make no sense: for models other than linear ones without a kernel
// map.
std::vector<ListSpec> list_specs(const Dataset& data, const Settings& settings,
                                 std::span<const TuneCandidate> candidates);

}  // namespace medlar

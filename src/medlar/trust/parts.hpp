// Which examples a refit of stability sees: random halves and their complements, or parts of another size, each with
// its share of every class. Groups of Dataset::fold_group stay together.
#pragma once

#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/settings.hpp"

namespace medlar {

inline constexpr double kHalves = 0.5;  // the share of parts that come in complementary pairs

class Parts {
 public:
  // Refuses data if a part could lack a label or have no example.
  Parts(const Dataset& data, const Settings& settings, double share);

  // The examples of refit k. Of halves, 2k and 2k + 1 share none.
  std::vector<Index> of(Index k) const;

 private:
  std::vector<std::vector<Index>> groups_;  // examples that stay together
  std::vector<Index> stratum_;              // of each group; parts have their share of each
  double share_;
  Index seed_;
};

}  // namespace medlar

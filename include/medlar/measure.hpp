// How well a model predicts, as one number; held_out_score() in metrics.hpp is the usual one.
#pragma once

#include <functional>
#include <string>

#include "medlar/model.hpp"

namespace medlar {

struct Measured {
  std::string metric;
  double value = 0;
  bool higher_is_better = true;
};
using Measure = std::function<Measured(const Model&, const Dataset&)>;

}  // namespace medlar

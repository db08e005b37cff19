// The sets on which kernel fits are timed: real ones from a folder, each as two classes with its scaling done.
#pragma once

#include <string>
#include <vector>

#include "medlar/dataset.hpp"

namespace medlar::bench {

struct KernelSet {
  std::string name;
  Dataset data;  // target -1 or +1
  double gamma, C;
};

std::vector<std::string> kernel_set_names();
KernelSet load_kernel_set(const std::string& folder, const std::string& name);

}  // namespace medlar::bench

// The fits of a path in the order in which they are made, each begun from its neighbours: of two labels or numbers
// (linear_path.cpp), or of several classes (class_path.cpp).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "medlar/path.hpp"

namespace medlar {

class PathFits {
 public:
  virtual ~PathFits() = default;

  virtual const Settings& settings() const = 0;  // as resolved: no "auto" is left
  virtual const std::vector<std::string>& names() const = 0;
  virtual std::vector<std::string> labels() const = 0;  // of several classes; else none

  // Solves at the next value, from the last ones.
  virtual const Report& next(const Settings& tried, double value, Observer* observer) = 0;
  // Solves at a value between those that were solved this way, or beyond them: `place` says after how many.
  virtual const Report& insert(const Settings& tried, double value, std::size_t place, Observer* observer) = 0;

  // Of the last solve.
  virtual PathStep step() const = 0;
  virtual Model model() const = 0;
};

// The dataset and the settings have been checked.
std::unique_ptr<PathFits> linear_path(const Dataset& data, const Settings& settings, Swept over);
std::unique_ptr<PathFits> class_path(const Dataset& data, const Settings& settings, Swept over);

}  // namespace medlar

// The sentence with which something is refused.
#pragma once

#include <string>

#include "medlar/error.hpp"

namespace medlar {

inline std::string refused(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "(not refused)";
}

}  // namespace medlar

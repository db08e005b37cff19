// The place of a signed index in a container of the standard library.
#pragma once

#include <cstddef>

#include "medlar/types.hpp"

namespace medlar {

constexpr std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

}  // namespace medlar

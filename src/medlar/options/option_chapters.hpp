// The chapters of the table of options, and the ranges that several of them share.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>

#include "medlar/options/option_text.hpp"

namespace medlar {

using In = std::string_view;

namespace ranges {

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr Range above_zero{0, inf, true, true, "be a number > 0"};
inline constexpr Range location{0, 1e12, true, false, "lie in (0, 1e12]"};
inline constexpr Range from_zero{0, inf, false, true, "be a number >= 0"};
inline constexpr Range probability{0, 1, true, false, "lie in (0, 1]"};
inline constexpr Range probability_or_zero{0, 1, false, false, "lie in [0, 1]"};
inline constexpr Range quarter_turn{0, 90, false, false, "lie in [0, 90]"};
inline constexpr Range tolerance{1e-14, 1, false, true, "lie in [1e-14, 1)"};
inline constexpr Range fraction{0, 1, true, true, "lie in (0, 1)"};
inline constexpr Range part_below_half{0, 0.5, false, true, "lie in [0, 0.5)"};
inline constexpr Range duration{0, inf, true, false, "be a number > 0, or inf"};
inline constexpr Range real{-inf, inf, true, true, "be a finite number"};
inline constexpr Index many = std::numeric_limits<Index>::max();

}  // namespace ranges

std::span<const Option> model_options();
std::span<const Option> generative_options();
std::span<const Option> latent_options();
std::span<const Option> solving_options();

}  // namespace medlar

#include "medlar/priors/margins/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>
#include <vector>

#include "medlar/error.hpp"

namespace medlar {
namespace {

using Of = const MarginStrength&;

// c^2 = 10 / var(y): errors of a third of the target's spread are usual (docs/defaults.md).
constexpr double kNoiseOfAThird = 3.1622776601683795;

constexpr std::array kMakers{
    MarginMaker{MarginKind::exponential, false, false, 1, 3,
                [](Of of) -> Margin {
                  return ExponentialMargin{of.c, of.location};
                }},
    MarginMaker{MarginKind::laplace, false, false, 1, 3,
                [](Of of) -> Margin {
                  return LaplaceMargin{of.c, of.location};
                }},
    MarginMaker{MarginKind::gaussian, false, false, 1, 3,
                [](Of of) -> Margin {
                  return GaussianMargin{of.c, of.location};
                }},
    MarginMaker{MarginKind::hinge, false, false, 1, 3,
                [](Of of) -> Margin {
                  return HingeMargin{of.c, of.location};
                }},
    MarginMaker{MarginKind::logistic, false, false, 0, 1,
                [](Of of) -> Margin {
                  return LogisticMargin{of.c, of.location};
                }},
    MarginMaker{MarginKind::tube, true, true, 0, 10,
                [](Of of) -> Margin {
                  return TubeMargin{of.c, of.epsilon};
                }},
    MarginMaker{MarginKind::svr, true, true, 0, 10,
                [](Of of) -> Margin {
                  return SvrMargin{of.c, of.epsilon};
                }},
    MarginMaker{MarginKind::gaussian, true, false, 0, kNoiseOfAThird,
                [](Of of) -> Margin {
                  return GaussianMargin{of.c, of.location};
                }},
};

}  // namespace

std::span<const MarginMaker> margin_makers() {
  return kMakers;
}

const MarginMaker* find_margin(MarginKind kind, bool regresses) {
  for (const MarginMaker& maker : kMakers) {
    if (maker.kind == kind && maker.regresses == regresses) return &maker;
  }
  return nullptr;
}

const MarginMaker& margin_maker(MarginKind kind, bool regresses) {
  if (const MarginMaker* maker = find_margin(kind, regresses)) return *maker;
  throw OptionError(fmt::format("margin = '{}' says of no margin prior {} how it is made", word_of(kind),
                                regresses ? "for numbers" : "for classes"));
}

std::string margins_that(bool regress) {
  std::vector<std::string_view> words;
  for (const MarginMaker& maker : kMakers) {
    if (maker.regresses == regress) words.push_back(word_of(maker.kind));
  }
  const std::string_view last = words.back();
  words.pop_back();
  return fmt::format("{} or {}", fmt::join(words, ", "), last);
}

}  // namespace medlar

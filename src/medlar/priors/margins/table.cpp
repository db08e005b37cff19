#include "medlar/priors/margins/table.hpp"

#include <fmt/format.h>

#include <array>

#include "medlar/error.hpp"

namespace medlar {
namespace {

using Of = const MarginStrength&;

constexpr std::array kMakers{
    MarginMaker{MarginKind::exponential, false,
                [](Of of) -> Margin {
                  return ExponentialMargin{of.c, of.location};
                }},
    MarginMaker{MarginKind::laplace, false,
                [](Of of) -> Margin {
                  return LaplaceMargin{of.c, of.location};
                }},
    MarginMaker{MarginKind::gaussian, false,
                [](Of of) -> Margin {
                  return GaussianMargin{of.c, of.location};
                }},
    MarginMaker{MarginKind::hinge, false,
                [](Of of) -> Margin {
                  return HingeMargin{of.c, of.location};
                }},
    MarginMaker{MarginKind::tube, true,
                [](Of of) -> Margin {
                  return TubeMargin{of.c, of.epsilon};
                }},
    MarginMaker{MarginKind::svr, true,
                [](Of of) -> Margin {
                  return SvrMargin{of.c, of.epsilon};
                }},
};

}  // namespace

std::span<const MarginMaker> margin_makers() {
  return kMakers;
}

const MarginMaker& margin_maker(MarginKind kind) {
  for (const MarginMaker& maker : kMakers) {
    if (maker.kind == kind) return maker;
  }
  throw OptionError(fmt::format("margin = '{}' says of no margin prior how it is made", word_of(kind)));
}

}  // namespace medlar

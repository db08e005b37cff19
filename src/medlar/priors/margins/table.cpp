// See the header.
#include "medlar/priors/margins/table.hpp"

#include <fmt/format.h>

#include <array>
#include <string>

#include "medlar/error.hpp"

namespace medlar {
namespace {

using Of = const MarginStrength&;

constexpr std::array kKinds{
    MarginKind{"exponential", false,
               [](Of of) -> Margin {
                 return ExponentialMargin{of.c, of.location};
               }},
    MarginKind{"laplace", false,
               [](Of of) -> Margin {
                 return LaplaceMargin{of.c, of.location};
               }},
    MarginKind{"gaussian", false,
               [](Of of) -> Margin {
                 return GaussianMargin{of.c, of.location};
               }},
    MarginKind{"hinge", false,
               [](Of of) -> Margin {
                 return HingeMargin{of.c, of.location};
               }},
    MarginKind{"tube", true,
               [](Of of) -> Margin {
                 return TubeMargin{of.c, of.epsilon};
               }},
    MarginKind{"svr", true,
               [](Of of) -> Margin {
                 return SvrMargin{of.c, of.epsilon};
               }},
};

}  // namespace

std::span<const MarginKind> margin_kinds() {
  return kKinds;
}

const MarginKind& margin_kind(std::string_view word) {
  for (const MarginKind& kind : kKinds) {
    if (kind.word == word) return kind;
  }
  std::string known;
  for (const MarginKind& kind : kKinds) known += fmt::format("{}{}", known.empty() ? "" : ", ", kind.word);
  throw OptionError(fmt::format("margin = '{}' is unknown; known are {}", word, known));
}

}  // namespace medlar

// Options: how the data is prepared and how the fit is solved.
#include <fmt/format.h>

#include <array>

#include "medlar/error.hpp"
#include "medlar/options/option_chapters.hpp"
#include "medlar/options/option_text.hpp"
#include "medlar/options/vocabulary.hpp"

namespace medlar {
namespace {

void set_expand(Settings& s, std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto kind = read_word<ExpansionKind>(text.substr(0, colon));
  const bool sized = kind && kind != ExpansionKind::none && kind != ExpansionKind::quadratic;
  if (!kind || sized != (colon < text.size())) {
    throw OptionError(
        fmt::format("expand = '{}' is unknown; known are none, quadratic, powers:D, fourier:D, nystrom:D", text));
  }
  ExpansionChoice expand = *kind;
  if (sized) {
    const Index most = kind == ExpansionKind::powers ? 20 : 100000;
    expand.argument = integer(fmt::format("expand = {}:D, D", *kind), text.substr(colon + 1), 1, most);
  }
  s.expand = expand;
}

const std::array solving_table{
    Option{"expand", "none, quadratic, powers:D, fourier:D, nystrom:D", "none",
           "products or powers that are added to the features, or D basis functions of a kernel instead of them",
           "data", false, set_expand, [](const Settings& s) { return text_of(s.expand); }},
    Option{"scale", "auto, standard, maxabs, none", "auto: standard if dense, maxabs if sparse",
           "scaling of features, recorded in the model and replayed", "data", false,
           [](Settings& s, In text) { s.scale = word<ScaleKind>(text); },
           [](const Settings& s) { return text_of(s.scale); }},
    Option{"precision", "double, float", "double", "how the values of features are kept: float takes half the memory",
           "data", false, [](Settings& s, In text) { s.precision = word<ValuePrecision>(text); },
           [](const Settings& s) { return text_of(s.precision); }},
    Option{"solver", "auto, ascent, primal-newton, newton, coordinate, bounded-qp, smo", "auto",
           "how the dual is maximised", "solver", false,
           [](Settings& s, In text) { s.solver = word<SolverKind>(text); },
           [](const Settings& s) { return text_of(s.solver); }},
    Option{"line-search", "newton, brent", "newton",
           "solvers coordinate and bounded-qp: how a maximum along a line is found", "solver", false,
           [](Settings& s, In text) { s.line_search = word<LineSearch>(text); },
           [](const Settings& s) { return text_of(s.line_search); }},
    Option{"tolerance", "number in [1e-14, 1)", "1e-06", "the relative duality gap that counts as converged", "solver",
           true, [](Settings& s, In text) { s.tolerance = number("tolerance", text, ranges::tolerance); },
           [](const Settings& s) { return text_of(s.tolerance); }},
    Option{"max-passes", "whole number >= 1", "100000",
           "passes over the data after which the solve stops at its next check", "solver", true,
           [](Settings& s, In text) { s.max_passes = integer("max-passes", text, 1, ranges::many); },
           [](const Settings& s) { return fmt::format("{}", s.max_passes); }},
    Option{"max-seconds", "number > 0, or inf", "inf",
           "seconds after which the solve stops; of tune, path and stability, all their fits together", "solver", true,
           [](Settings& s, In text) { s.max_seconds = number("max-seconds", text, ranges::duration); },
           [](const Settings& s) { return text_of(s.max_seconds); }},
    Option{"cache-mb", "number > 0", "200", "model kernel: megabytes for rows of the Gram matrix", "solver", true,
           [](Settings& s, In text) { s.cache_mb = number("cache-mb", text, ranges::above_zero); },
           [](const Settings& s) { return text_of(s.cache_mb); }},
    Option{"gram-precision", "float, double", "float",
           "model kernel: how rows of the Gram matrix are kept; double takes twice the memory", "solver", false,
           [](Settings& s, In text) { s.gram_precision = word<GramPrecision>(text); },
           [](const Settings& s) { return text_of(s.gram_precision); }},
    Option{"threads", "whole number >= 0", "0: all", "processor cores to use", "solver", true,
           [](Settings& s, In text) { s.threads = integer("threads", text, 0, 65536); },
           [](const Settings& s) { return fmt::format("{}", s.threads); }},
    Option{"seed", "whole number >= 0", "1", "seed of every random choice", "solver", true,
           [](Settings& s, In text) { s.seed = integer("seed", text, 0, ranges::many); },
           [](const Settings& s) { return fmt::format("{}", s.seed); }},
};

}  // namespace

std::span<const Option> solving_options() {
  return solving_table;
}

}  // namespace medlar

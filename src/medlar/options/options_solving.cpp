// Options: how the data is prepared and how the fit is solved.
#include <fmt/format.h>

#include <array>

#include "medlar/error.hpp"
#include "medlar/options/option_chapters.hpp"
#include "medlar/options/option_text.hpp"

namespace medlar {
namespace {

void set_expand(Settings& s, std::string_view text) {
  constexpr std::string_view powers = "powers:", fourier = "fourier:", nystrom = "nystrom:";
  if (text.starts_with(fourier) || text.starts_with(nystrom)) {
    integer(fmt::format("expand = {}D, D", text.substr(0, fourier.size())), text.substr(fourier.size()), 1, 100000);
  } else if (text.starts_with(powers)) {
    integer("expand = powers:D, D", text.substr(powers.size()), 1, 20);
  } else if (!knows("expand", text)) {
    throw OptionError(
        fmt::format("expand = '{}' is unknown; known are none, quadratic, powers:D, fourier:D, nystrom:D", text));
  }
  s.expand = text;
}

const std::array solving_table{
    Option{"expand", "none, quadratic, powers:D, fourier:D, nystrom:D", "none",
           "products or powers that are added to the features, or D basis functions of a kernel instead of them",
           "data", false, set_expand, [](const Settings& s) { return s.expand; }},
    Option{"scale", "auto, standard, maxabs, none", "auto: standard if dense, maxabs if sparse",
           "scaling of features, recorded in the model and replayed", "data", false,
           [](Settings& s, In text) { s.scale = word("scale", text); }, [](const Settings& s) { return s.scale; }},
    Option{"precision", "double, float", "double", "how the values of features are kept: float takes half the memory",
           "data", false, [](Settings& s, In text) { s.precision = word("precision", text); },
           [](const Settings& s) { return s.precision; }},
    Option{"solver", "auto, ascent, primal-newton, newton, coordinate, bounded-qp, smo", "auto",
           "how the dual is maximised", "solver", false, [](Settings& s, In text) { s.solver = word("solver", text); },
           [](const Settings& s) { return s.solver; }},
    Option{"line-search", "newton, brent", "newton",
           "solvers coordinate and bounded-qp: how a maximum along a line is found", "solver", false,
           [](Settings& s, In text) { s.line_search = word("line-search", text); },
           [](const Settings& s) { return s.line_search; }},
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
           [](Settings& s, In text) { s.gram_precision = word("gram-precision", text); },
           [](const Settings& s) { return s.gram_precision; }},
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

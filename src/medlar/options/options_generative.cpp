// Options: generative models.
#include <fmt/format.h>

#include <array>

#include "medlar/error.hpp"
#include "medlar/options/option_chapters.hpp"
#include "medlar/options/option_text.hpp"
#include "medlar/options/vocabulary.hpp"

namespace medlar {
namespace {

// One word, or column:word,...; columns are known when there is data.
void set_family(Settings& s, std::string_view text) {
  if (text.find(':') == text.npos) {
    s.family = word<FamilyKind>(text);
    return;
  }
  FamilyChoice family = FamilyKind::by_column;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const std::size_t colon = part.rfind(':');
    if (colon == part.npos || colon == 0) {
      throw OptionError(fmt::format("family has '{}', but needs a name or column:name,...", part));
    }
    family.argument.emplace_back(part.substr(0, colon), word<FamilyKind>(part.substr(colon + 1)));
    begin = end + 1;
  }
  s.family = std::move(family);
}

const std::array generative_table{
    Option{"family", "a name, or column:name,...", "auto: guessed for each column",
           "generative: the family of each column", "generative", false, set_family,
           [](const Settings& s) { return text_of(s.family); }},
    Option{"prior-strength", "number > 0", "1", "generative: pseudo-examples of the prior", "generative", true,
           [](Settings& s, In text) { s.prior_strength = number("prior-strength", text, ranges::above_zero); },
           [](const Settings& s) { return text_of(s.prior_strength); }},
    Option{"statistics-weight", "number >= 0", "1",
           "generative: weight of a class's own statistics in its prior; 0 is a weak prior", "generative", true,
           [](Settings& s, In text) { s.statistics_weight = number("statistics-weight", text, ranges::from_zero); },
           [](const Settings& s) { return text_of(s.statistics_weight); }},
    Option{"offsets", "leave-one-out, none", "leave-one-out",
           "generative: whether an example's margin is measured with a prior that has seen it", "generative", false,
           [](Settings& s, In text) { s.offsets = word<Offsets>(text); },
           [](const Settings& s) { return text_of(s.offsets); }},
    Option{"switches", "none, tied, per-class", "none", "generative: switches that select columns, with p0",
           "generative", false, [](Settings& s, In text) { s.switches = word<SwitchKind>(text); },
           [](const Settings& s) { return text_of(s.switches); }},
    Option{"switch-evidence", "bayes-factor, none", "bayes-factor", "generative: what a switch knows before the fit",
           "generative", false, [](Settings& s, In text) { s.switch_evidence = word<SwitchEvidence>(text); },
           [](const Settings& s) { return text_of(s.switch_evidence); }},
    Option{"calibration", "folds, left-out", "folds", "generative: which scores become probabilities", "generative",
           false, [](Settings& s, In text) { s.calibration = word<CalibrationScores>(text); },
           [](const Settings& s) { return text_of(s.calibration); }},
    Option{"alpha", "number in (0, 1)", "0.05", "anomaly: share of the training examples below the level", "generative",
           true, [](Settings& s, In text) { s.alpha = number("alpha", text, ranges::fraction); },
           [](const Settings& s) { return text_of(s.alpha); }},
    Option{"trim", "number in [0, 0.5)", "0.1", "anomaly: share of the oddest examples that the prior leaves out",
           "generative", true, [](Settings& s, In text) { s.trim = number("trim", text, ranges::part_below_half); },
           [](const Settings& s) { return text_of(s.trim); }},
};

}  // namespace

std::span<const Option> generative_options() {
  return generative_table;
}

}  // namespace medlar

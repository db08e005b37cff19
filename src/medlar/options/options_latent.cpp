// Options: latent variables.
#include <fmt/format.h>

#include <array>

#include "medlar/error.hpp"
#include "medlar/options/option_chapters.hpp"
#include "medlar/options/option_text.hpp"
#include "medlar/options/vocabulary.hpp"

namespace medlar {
namespace {

void set_balance(Settings& s, std::string_view text) {
  constexpr Range share{0, 1, true, true, "be auto, none or a number in (0, 1)"};
  const auto kind = read_word<BalanceKind>(text);
  s.balance = kind ? BalanceChoice(*kind) : BalanceChoice(BalanceKind::share, {number("balance", text, share), text});
}

void set_latent(Settings& s, std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view argument = text.substr(std::min(colon + 1, text.size()));
  const auto kind = read_word<LatentKind>(text.substr(0, colon));
  if (kind == LatentKind::shifts) {
    integer("latent = shifts:R, R", argument, 1, 1000);
  } else if (kind == LatentKind::alignment && argument != "auto") {
    for (std::size_t begin = 0; begin <= argument.size();) {
      const std::size_t end = std::min(argument.find(',', begin), argument.size());
      integer("latent = alignment:S, S", argument.substr(begin, end - begin), 1, 1000);
      begin = end + 1;
    }
  } else if ((kind == LatentKind::matrices || kind == LatentKind::translation) && argument.empty()) {
    throw OptionError(fmt::format("latent = '{}' names no file; write {}:FILE", text, *kind));
  } else if (!kind || ((kind == LatentKind::labels || kind == LatentKind::none) && colon < text.size())) {
    throw OptionError(fmt::format(
        "latent = '{}' is unknown; known are labels, shifts:R, matrices:FILE, translation:FILE, alignment:S", text));
  }
  s.latent = {*kind, std::string(argument)};
}

void set_state_path(Settings& s, std::string_view text) {
  constexpr std::string_view file = "file:";
  if (text.starts_with(file) && text.size() == file.size()) {
    throw OptionError("state-path = 'file:' names no file; write file:FILE");
  }
  s.state_path = text.starts_with(file) ? StatePathChoice(StatePath::given, std::string(text.substr(file.size())))
                                        : StatePathChoice(word<StatePath>(text));
}

void set_image(Settings& s, std::string_view text) {
  if (!text.empty()) {
    const std::size_t cross = text.find('x');
    const auto height = integer_in(text.substr(0, cross)),
               width = cross == text.npos ? std::nullopt : integer_in(text.substr(cross + 1));
    if (!height || !width || *height < 1 || *width < 1 || *height > 1 << 15 || *width > 1 << 15) {
      throw OptionError(fmt::format("image = '{}', but must be HEIGHTxWIDTH, such as 28x28", text));
    }
  }
  s.image = text;
}

const std::array latent_table{
    Option{"latent", "labels, shifts:R, matrices:FILE, translation:FILE, alignment:S", "none",
           "latent: what is unknown about the examples", "latent", false, set_latent,
           [](const Settings& s) { return text_of(s.latent); }},
    Option{"latent-mode", "anchored, literal", "anchored", "latent: how the unknown is fitted", "latent", false,
           [](Settings& s, In text) { s.latent_mode = word<LatentMode>(text); },
           [](const Settings& s) { return text_of(s.latent_mode); }},
    Option{"balance", "auto, none, or a number in (0, 1)", "auto: as among the labelled examples",
           "latent labels: share of positive examples among the unlabelled, or else the uncertain", "latent", false,
           set_balance, [](const Settings& s) { return text_of(s.balance); }},
    Option{"unlabelled-weight", "number in (0, 1]", "0.1", "latent labels: what an unlabelled example counts", "latent",
           true,
           [](Settings& s, In text) { s.unlabelled_weight = number("unlabelled-weight", text, ranges::probability); },
           [](const Settings& s) { return text_of(s.unlabelled_weight); }},
    Option{"image", "HEIGHTxWIDTH", "none: a signal", "latent shifts: the shape of an image, row by row", "latent",
           false, set_image, [](const Settings& s) { return s.image; }},
    Option{"rotation", "number in [0, 90]", "0", "latent shifts: an image may also be turned by this angle either way",
           "latent", true, [](Settings& s, In text) { s.rotation = number("rotation", text, ranges::quarter_turn); },
           [](const Settings& s) { return text_of(s.rotation); }},
    Option{"state-path", "auto, hmm, segments, left-to-right, file:FILE", "auto",
           "latent alignment: what gives the states of a sequence", "latent", false, set_state_path,
           [](const Settings& s) { return text_of(s.state_path); }},
    Option{"state-statistics", "auto, levels, squares, changes, roots", "auto",
           "latent alignment: what is measured in each state", "latent", false,
           [](Settings& s, In text) { s.state_statistics = word<StateStatistics>(text); },
           [](const Settings& s) { return text_of(s.state_statistics); }},
};

}  // namespace

std::span<const Option> latent_options() {
  return latent_table;
}

}  // namespace medlar

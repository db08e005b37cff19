// The table of exhibits, and the entrance.
#include "medlar/paper/exhibits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "medlar/error.hpp"

namespace medlar {
namespace {

struct Named {
  std::string_view name;
  Exhibit (*make)(const PaperOptions&, Observer*);
};

constexpr std::array all_exhibits{
    Named{"figure1", classification_margins}, Named{"figure2", regression_margins}, Named{"figure3", sinc},
    Named{"figure4", switch_prior},           Named{"figure5", shrinkage},          Named{"figure6", splice_linear},
    Named{"figure7", splice_weights},         Named{"figure8", splice_quadratic},   Named{"table1", boston_losses},
    Named{"figure9", boston_weights},         Named{"table2", gene_losses},
};

}  // namespace

void check_observer(Observer* observer) {
  if (observer != nullptr && observer->stop_requested()) throw Interrupted{};
}

std::vector<std::string> exhibit_names() {
  std::vector<std::string> names;
  for (const Named& each : all_exhibits) names.emplace_back(each.name);
  return names;
}

std::optional<Exhibit> reproduce(std::string_view name, const PaperOptions& options, Observer* observer) {
  if (options.splits < 2) throw OptionError(fmt::format("splits = {}, but must be at least 2", options.splits));
  const auto found = std::find_if(all_exhibits.begin(), all_exhibits.end(),
                                  [&](const Named& each) { return each.name == (name == "sinc" ? "figure3" : name); });
  if (found == all_exhibits.end()) {
    throw OptionError(
        fmt::format("'{}' is no figure or table of the paper; there are {}", name, fmt::join(exhibit_names(), ", ")));
  }
  try {
    Exhibit exhibit = found->make(options, observer);
    exhibit.name = found->name;
    return exhibit;
  } catch (const Interrupted&) {
    return std::nullopt;
  }
}

}  // namespace medlar

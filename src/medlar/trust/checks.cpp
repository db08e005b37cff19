#include "medlar/trust/checks.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/kernel_map.hpp"

#include <fmt/format.h>

#include "medlar/error.hpp"

namespace medlar {

void require_linear(const Settings& settings, std::string_view what) {
  if (settings.model != ModelKind::linear) {
    throw OptionError(fmt::format("{} is for linear models, but model = {}; use --model linear", what, settings.model));
  }
  if (settings.task == Task::anomaly) throw OptionError(fmt::format("{} needs a target, but task = anomaly", what));
  if (is_kernel_map(settings.expand.kind)) {
    throw OptionError(
        fmt::format("{} follows features from fit to fit, but expand = {} makes new ones in each; use "
                    "--expand none, quadratic or powers:D",
                    what, settings.expand));
  }
}

}  // namespace medlar

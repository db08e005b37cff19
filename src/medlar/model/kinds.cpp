// See the header; and the two entrances, which check what they are given and go to the kind that was asked for.
#include "medlar/model/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "medlar/error.hpp"
#include "medlar/linalg/threads.hpp"
#include "medlar/model/checks.hpp"

namespace medlar {
namespace {

constexpr std::array all_kinds{
    Kind{"linear", fit_linear, predict_linear},
    Kind{"kernel", fit_kernel, predict_kernel},
};

}  // namespace

std::span<const Kind> kinds() {
  return all_kinds;
}

const Kind& kind_of(const Settings& settings) {
  const auto found =
      std::find_if(all_kinds.begin(), all_kinds.end(), [&](const Kind& kind) { return kind.name == settings.model; });
  if (found == all_kinds.end()) throw OptionError(fmt::format("model = {} is not known", settings.model));
  return *found;
}

Model fit(const Dataset& data, const Settings& settings, Observer* observer) {
  check_dataset(data);
  check_settings(settings);
  set_linear_algebra_threads(settings.threads);
  return kind_of(settings).fit(data, settings, observer);
}

std::vector<Prediction> Model::predict(const Matrix& x) const {
  if (x.columns() != schema.features) {
    throw DataError(
        fmt::format("the data has {} features, but the model was fitted on {}", x.columns(), schema.features));
  }
  return kind_of(settings).predict(*this, x);
}

}  // namespace medlar

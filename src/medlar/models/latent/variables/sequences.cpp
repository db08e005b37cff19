#include "medlar/models/latent/variables/sequences.hpp"

#include <fmt/format.h>

#include "medlar/error.hpp"

namespace medlar {

std::vector<Sequence> sequences_of(const Matrix& x, Index channels, const std::vector<double>& shift,
                                   const std::vector<double>& factor) {
  std::vector<Sequence> all;
  const auto width = static_cast<std::size_t>(channels);
  for (Index t = 0; t < x.rows(); ++t) {
    Sequence sequence{width, {}};
    for_each(x.row(t), [&](Index i, double value) {
      const auto channel = static_cast<std::size_t>(i) % width;
      sequence.values.push_back(shift.empty() ? value : (value - shift[channel]) * factor[channel]);
    });
    if (sequence.values.empty() || sequence.values.size() % width != 0) {
      throw DataError(
          fmt::format("sequence {} has {} values, which are no times of {} channels; every time needs all "
                      "channels, and a sequence at least one time",
                      t + 1, sequence.values.size(), channels));
    }
    all.push_back(std::move(sequence));
  }
  return all;
}

}  // namespace medlar

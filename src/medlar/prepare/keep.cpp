#include "medlar/prepare/keep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "medlar/data/text.hpp"
#include "medlar/error.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/kernel_map.hpp"

namespace medlar {
namespace {

template <class Value>
void refuse_both(const ByFeature<Value>& given, std::span<const std::string> kept, std::string_view option) {
  for (const auto& [name, value] : given.entries) {
    if (std::find(kept.begin(), kept.end(), name) == kept.end()) continue;
    throw OptionError(fmt::format("keep holds '{}' in, without a prior, but {} gives it one; leave one of the two out",
                                  name, option));
  }
}

// The places of names, of which expansions may have made more than the file has.
std::unordered_map<std::string_view, Index> places_of(std::span<const std::string> names) {
  std::unordered_map<std::string_view, Index> place;
  for (std::size_t i = 0; i < names.size(); ++i) place.emplace(names[i], static_cast<Index>(i));
  return place;
}

}  // namespace

std::vector<Index> kept_features(const Dataset& data, const Settings& settings, std::span<const std::string> names) {
  std::vector<Index> kept;
  if (settings.keep.empty()) return kept;
  if (is_kernel_map(settings.expand.kind)) {
    throw OptionError(fmt::format(
        "keep names features, but expand = {} puts others in their place; leave one of the two out", settings.expand));
  }
  const auto place = places_of(names);
  std::vector<std::string> known(names.begin(), names.end());
  for (const std::string& group : data.group_names) {
    if (!place.contains(group)) known.push_back(group);
  }
  for (std::size_t k = 0; k < settings.keep.size(); ++k) {
    const std::string& name = settings.keep[k];
    if (std::find(settings.keep.begin(), settings.keep.begin() + static_cast<std::ptrdiff_t>(k), name) !=
        settings.keep.begin() + static_cast<std::ptrdiff_t>(k)) {
      throw OptionError(fmt::format("keep names '{}' twice", name));
    }
    const std::size_t before = kept.size();
    if (const auto found = place.find(name); found != place.end()) kept.push_back(found->second);
    for (std::size_t i = 0; i < data.group_of.size() && kept.size() == before; ++i) {
      if (data.group_names[at(data.group_of[i])] != name) continue;
      for (std::size_t j = i; j < data.group_of.size(); ++j) {
        if (data.group_of[j] != data.group_of[i]) continue;
        if (const auto level = place.find(data.names[j]); level != place.end()) kept.push_back(level->second);
      }
      break;
    }
    if (kept.size() > before) continue;
    throw OptionError(
        fmt::format("keep names '{}', which is no feature of the model; {}", name, suggestion(name, known)));
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  std::vector<std::string> of_kept;
  for (const Index i : kept) of_kept.push_back(names[at(i)]);
  refuse_both(settings.feature_p0, of_kept, "feature-priors");
  refuse_both(settings.feature_prior_variance, of_kept, "feature-prior-variance");
  refuse_both(settings.prior_mean, of_kept, "prior-mean");
  return kept;
}

std::vector<char> levels_of_categories(const Dataset& data, std::span<const std::string> names) {
  std::vector<char> levels(names.size(), 0);
  if (data.group_of.empty()) return levels;
  std::vector<Index> members(data.group_names.size(), 0);
  for (const Index group : data.group_of) ++members[at(group)];
  const auto place = places_of(names);
  for (std::size_t j = 0; j < data.group_of.size(); ++j) {
    if (members[at(data.group_of[j])] < 2) continue;
    if (const auto found = place.find(data.names[j]); found != place.end()) levels[at(found->second)] = 1;
  }
  return levels;
}

}  // namespace medlar

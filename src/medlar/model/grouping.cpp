// See the header.
#include "medlar/model/grouping.hpp"

#include <unordered_map>
#include <vector>

namespace medlar {

Grouping grouping_of(const Dataset& data, const Settings& settings, std::span<const std::string> names) {
  std::vector<std::string> label(names.size());
  if (settings.groups == "columns" && settings.expand == "none" && !data.group_of.empty()) {
    for (std::size_t i = 0; i < names.size(); ++i)
      label[i] = data.group_names[static_cast<std::size_t>(data.group_of[i])];
  } else if (settings.groups == "file") {
    label = per_feature(settings.feature_group, names, "", "groups");
  } else {
    return {std::vector<Index>(names.size(), -1), {}};
  }
  std::unordered_map<std::string, Index> members, place;
  for (const std::string& name : label) ++members[name];
  Grouping grouping;
  for (const std::string& name : label) {
    if (name.empty() || members[name] < 2) {
      grouping.group_of.push_back(-1);
      continue;
    }
    const auto [entry, added] = place.emplace(name, static_cast<Index>(grouping.names.size()));
    if (added) grouping.names.push_back(name);
    grouping.group_of.push_back(entry->second);
  }
  return grouping;
}

}  // namespace medlar

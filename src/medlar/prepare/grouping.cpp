#include "medlar/prepare/grouping.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

#include "medlar/prepare/keep.hpp"

namespace medlar {

namespace {

// Drops groups of one and numbers the others in the order of their first feature. An id of -1 is in no group.
Grouping numbered(const std::vector<Index>& id, std::span<const std::string> names) {
  std::vector<Index> members(names.size(), 0), place(names.size(), -1);
  for (const Index group : id) {
    if (group >= 0) ++members[static_cast<std::size_t>(group)];
  }
  Grouping grouping;
  grouping.group_of.assign(id.size(), -1);
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (id[i] < 0 || members[static_cast<std::size_t>(id[i])] < 2) continue;
    Index& number = place[static_cast<std::size_t>(id[i])];
    if (number < 0) {
      number = static_cast<Index>(grouping.names.size());
      grouping.names.push_back(names[static_cast<std::size_t>(id[i])]);
    }
    grouping.group_of[i] = number;
  }
  return grouping;
}

Grouping by_label(const std::vector<std::string>& label, std::span<const Index> kept) {
  std::unordered_map<std::string_view, Index> known;
  std::vector<std::string> names;
  std::vector<Index> id;
  for (const std::string& name : label) {
    const auto [entry, added] = known.emplace(name, static_cast<Index>(names.size()));
    if (added) names.push_back(name);
    id.push_back(name.empty() ? -1 : entry->second);
  }
  for (const Index i : kept) id[static_cast<std::size_t>(i)] = -1;
  return numbered(id, names);
}

Grouping of_others(const Dataset& data, const Settings& settings, std::span<const std::string> names,
                   std::span<const Index> kept) {
  if (settings.groups == GroupsKind::file) {
    return by_label(per_feature(settings.feature_group, names, "", "groups"), kept);
  }
  const bool by_column =
      settings.groups == GroupsKind::columns && settings.expand == ExpansionKind::none && !data.group_of.empty();
  if (!by_column) return {std::vector<Index>(names.size(), -1), {}, {}};
  std::vector<Index> id = data.group_of;
  for (const Index i : kept) id[static_cast<std::size_t>(i)] = -1;
  return numbered(id, data.group_names);
}

}  // namespace

Grouping grouping_of(const Dataset& data, const Settings& settings, std::span<const std::string> names) {
  std::vector<Index> kept = kept_features(data, settings, names);
  Grouping grouping = of_others(data, settings, names, kept);
  grouping.kept = std::move(kept);
  return grouping;
}

}  // namespace medlar

// A model file may hold members without an inclusion for each label: then there is nothing to tell by class.
#include "medlar/class_inclusion.hpp"

#include "medlar/numerics/at.hpp"

namespace medlar {

std::vector<std::vector<double>> inclusion_by_class(const Model& model) {
  if (!model.generative || model.settings.switches != SwitchKind::per_class || model.generative->members.empty())
    return {};
  std::vector<std::vector<double>> all(model.features.size(), std::vector<double>(model.labels.size(), 1.0));
  for (const GenerativeMember& member : model.generative->members) {
    if (member.inclusion.size() != model.labels.size()) return {};
    for (const Index i : member.columns) all.at(at(i)) = member.inclusion;
  }
  return all;
}

}  // namespace medlar

#include "medlar/modelfile/generative_json.hpp"

#include <fmt/format.h>

#include <limits>

namespace medlar {

Json generative_json(const GenerativePart& part) {
  Json members = Json::array();
  for (const GenerativeMember& member : part.members) {
    Json chi = Json::array();
    for (const std::vector<double>& each : member.chi) chi.push_back(json_numbers(each));
    Json entry = {{"family", word_of(member.family)}, {"columns", member.columns}, {"chi", std::move(chi)}};
    if (!member.inclusion.empty()) entry["inclusion"] = json_numbers(member.inclusion);
    if (!member.shape.empty()) entry["shape"] = json_numbers(member.shape);
    members.push_back(std::move(entry));
  }
  Json object = {
      {"class_bias", json_numbers(part.class_bias)},    {"margin_location", json_number(part.margin_location)},
      {"margin_scale", json_number(part.margin_scale)}, {"slope", json_number(part.slope)},
      {"threshold", json_number(part.threshold)},       {"levels", json_numbers(part.levels)},
      {"typical", json_numbers(part.typical)},          {"members", std::move(members)}};
  if (part.trees.empty()) return object;
  object["variables"] = part.variables;
  Json& trees = object["trees"] = Json::array();
  for (const GenerativeTree& tree : part.trees) {
    Json single = Json::array(), pair = Json::array();
    for (const auto& each : tree.single) single.push_back(json_numbers(each));
    for (const auto& each : tree.pair) pair.push_back(json_numbers(each));
    trees.push_back({{"single", std::move(single)}, {"pair", std::move(pair)}, {"weight", json_numbers(tree.weight)}});
  }
  return object;
}

GenerativePart generative_from(const JsonField& field) {
  constexpr Index many = std::numeric_limits<Index>::max();
  GenerativePart part;
  part.class_bias = field.at("class_bias").finites();
  part.margin_location = field.at("margin_location").finite();
  part.margin_scale = field.at("margin_scale").finite();
  part.slope = field.at("slope").finite();
  part.threshold = field.at("threshold").finite();
  part.levels = field.at("levels").finites();
  part.typical = field.at("typical").finites();
  for (const JsonField& entry : field.at("members").items()) {
    GenerativeMember member;
    member.family = entry.at("family").word({FamilyKind::gaussian, FamilyKind::gaussian_diagonal,
                                             FamilyKind::gaussian_full, FamilyKind::multinomial, FamilyKind::bernoulli,
                                             FamilyKind::poisson, FamilyKind::exponential});
    for (const JsonField& column : entry.at("columns").items()) member.columns.push_back(column.integer(0, many));
    for (const JsonField& chi : entry.at("chi").items()) member.chi.push_back(chi.finites());
    if (member.chi.size() != part.class_bias.size()) {
      entry.at("chi").refuse(
          fmt::format("has {} classes, but there are {}", member.chi.size(), part.class_bias.size()));
    }
    if (entry.has("shape")) member.shape = entry.at("shape").finites();
    if (entry.has("inclusion")) {
      for (const JsonField& each : entry.at("inclusion").items()) {
        member.inclusion.push_back(each.at_least(0));
        if (member.inclusion.back() > 1) each.refuse(fmt::format("is {}, but must be <= 1", member.inclusion.back()));
      }
      if (member.inclusion.size() != 1 && member.inclusion.size() != part.class_bias.size()) {
        entry.at("inclusion").refuse("must have one value, or one for each class");
      }
    }
    part.members.push_back(std::move(member));
  }
  if (!field.has("trees")) return part;
  for (const JsonField& variable : field.at("variables").items()) {
    auto& features = part.variables.emplace_back();
    for (const JsonField& each : variable.items()) features.push_back(each.integer(0, many));
  }
  for (const JsonField& entry : field.at("trees").items()) {
    GenerativeTree tree;
    for (const JsonField& each : entry.at("single").items()) tree.single.push_back(each.finites());
    for (const JsonField& each : entry.at("pair").items()) tree.pair.push_back(each.finites());
    tree.weight = entry.at("weight").finites();
    part.trees.push_back(std::move(tree));
  }
  if (part.trees.size() != part.class_bias.size()) {
    field.at("trees").refuse(fmt::format("has {} trees for {} classes", part.trees.size(), part.class_bias.size()));
  }
  return part;
}

}  // namespace medlar

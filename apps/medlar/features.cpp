// medlar features MODEL: the table of features with all that the model keeps about them.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>

#include "checks.hpp"
#include "feature_list.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace medlar::cli {
namespace {

struct FeaturesFlags {
  std::string model, sort = "selected";
  Index top = 0;
  double min_inclusion = 0;
};

// By the name of the feature: the coefficient in each class.
Json class_coefficients(const Model& model) {
  Json object = Json::object();
  const std::size_t classes = model.labels.size();
  for (std::size_t i = 0; i < model.features.size(); ++i) {
    Json& of = object[model.features[i].name] = Json::object();
    for (std::size_t k = 0; k < classes; ++k) of[model.labels[k]] = model.multiclass->coefficient[i * classes + k];
  }
  return object;
}

// The most probable tree of each label.
Json trees_json(const Model& model) {
  const ProbableTrees trees = most_probable_trees(model);
  Json object = Json::object();
  for (std::size_t k = 0; k < trees.edges.size(); ++k) {
    Json& list = object[shown(model.labels[k])] = Json::array();
    for (const TreeEdge& edge : trees.edges[k]) {
      list.push_back({{"from", shown(trees.variables[static_cast<std::size_t>(edge.from)])},
                      {"to", shown(trees.variables[static_cast<std::size_t>(edge.to)])},
                      {"probability", edge.probability}});
    }
  }
  return object;
}

int features(const Globals& globals, const FeaturesFlags& flags) {
  const Model model = load_model(flags.model);
  if (model.kernel) {
    throw OptionError(
        fmt::format("{} is a kernel model, which has support vectors but no features with coefficients; fit one with "
                    "--model linear, or with --expand nystrom:D for basis functions",
                    flags.model));
  }
  if (flags.sort == "stability" && !model.stability) {
    throw OptionError(
        fmt::format("sort = stability, but {} keeps none; make it with medlar stability DATA -o MODEL", flags.model));
  }
  if (flags.sort == "probability" && !has_probabilities(model)) {
    throw OptionError(fmt::format(
        "sort = probability, but {} keeps none; make it with medlar stability DATA --fdr Q -o MODEL", flags.model));
  }
  std::vector<std::size_t> listed = sorted_features(model, flags.sort);
  std::erase_if(listed, [&](std::size_t i) { return model.features[i].inclusion < flags.min_inclusion; });
  if (flags.top > 0 && static_cast<Index>(listed.size()) > flags.top)
    listed.resize(static_cast<std::size_t>(flags.top));
  if (globals.json) {
    Json list = Json::array();
    const Json by_class = model.multiclass ? class_coefficients(model) : Json();
    const auto inclusion = inclusion_by_class(model);
    for (const std::size_t i : listed) {
      list.push_back(feature_json(model, i));
      if (!inclusion.empty()) {
        Json& labels = list.back()["inclusion_by_class"] = Json::object();
        for (std::size_t k = 0; k < model.labels.size(); ++k) labels[model.labels[k]] = inclusion[i][k];
      }
      if (model.multiclass) list.back()["coefficients"] = by_class[model.features[i].name];
    }
    Json object = {{"status", "ok"},
                   {"selected", model.selected()},
                   {"selected_by", word_of(model.selected_by())},
                   {"total", model.features.size()}};
    if (model.stability) object["stable"] = model.stability->stable();
    if (model.discoveries) object["discovered"] = model.discoveries->discovered();
    if (model.clusters) object["clusters"] = clusters_json(model);
    if (model.generative && !model.generative->trees.empty()) object["trees"] = trees_json(model);
    object["features"] = std::move(list);
    print_json(object);
  } else {
    double largest = 0;
    for (const Feature& feature : model.features) largest = std::max(largest, std::abs(feature.coefficient));
    std::vector<Bar> bars;
    for (const std::size_t i : listed) {
      const double size = std::abs(model.features[i].coefficient);
      bars.push_back({largest > 0 ? size / largest : 0, model.features[i].coefficient >= 0});
    }
    print(with_bars(feature_table(model, listed, globals.verbose), bars, terminal()));
    const std::string remarks = trust_remarks(model);
    if (!remarks.empty()) print("\n" + remarks);
    for (const std::string& sentence : verdict(model)) talk(globals, sentence);
    talk(globals, selected_text(model));
  }
  return ok;
}

}  // namespace

void add_features(CLI::App& program, Command& chosen) {
  CLI::App* command = program.add_subcommand("features", "List features with inclusion, coefficient and sd");
  auto flags = std::make_shared<FeaturesFlags>();
  command->add_option("MODEL", flags->model, "model file")->required();
  command->add_option("--top", flags->top, "only the first N [default: all]")
      ->type_name("N")
      ->check(number_from(Index{1}));
  command
      ->add_option("--min-inclusion", flags->min_inclusion, "only features with at least this inclusion [default: 0]")
      ->type_name("P")
      ->check(number_from(0.0, 1.0));
  command
      ->add_option("--sort", flags->sort,
                   "order of the table: selected, inclusion, coefficient, stability, probability, name; selected ones "
                   "come first "
                   "and then large coefficients [default: selected]")
      ->type_name("WORD")
      ->check(one_of({"selected", "inclusion", "coefficient", "stability", "probability", "name"}));
  command->callback(
      [flags, &chosen] { chosen = [flags](const Globals& globals) { return features(globals, *flags); }; });
}

}  // namespace medlar::cli

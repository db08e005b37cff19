// The same sentences stand in the summary of the command, in Python and on the page.
#include <fmt/format.h>

#include <cmath>

#include "medlar/model.hpp"

namespace medlar {
namespace {

std::string error_of(const LeftOutScore& score, bool classify) {
  return classify ? fmt::format("{:.3g} %", 100 * score.error) : fmt::format("{:.4g}", score.error);
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::size_t in_use(const Model& model) {
  std::size_t count = 0;
  for (const Feature& feature : model.features) count += feature.coefficient != 0 ? 1 : 0;
  return count;
}

// "an error of 8 % with all 7129 features, 10 % with the 14 of the list, 34 % when nothing is known"
std::string how_good(const Model& model, const LeftOutAnswer& answer) {
  const bool classify = model.task == Task::classify;
  std::string text = classify ? "Of examples that were left out, the predictor labels "
                              : "For examples that were left out, the root mean squared error is ";
  const std::string wrong = classify ? " wrongly" : "";
  text += error_of(answer.predictor, classify) + wrong;
  if (model.settings.model == ModelKind::linear) text += fmt::format(" with {}", counted(in_use(model), "feature"));
  if (model.list && !model.list->features.empty()) {
    text += fmt::format(", the list {} with {}", error_of(model.list->score, classify), model.list->features.size());
  }
  return text + fmt::format(", and knowing nothing {} ({} folds{}).", error_of(answer.nothing, classify), answer.folds,
                            answer.repeats > 1 ? fmt::format(", {} times", answer.repeats) : "");
}

std::string what_the_list_costs(const FeatureList& list) {
  if (list.as_good()) {
    return fmt::format("The list of {} predicts as well as all features, within a standard error.",
                       counted(list.features.size(), "feature"));
  }
  const Index longest = list.curve.empty() ? std::ssize(list.features) : list.curve.back().features;
  return fmt::format(
      "No list of up to {} features predicts as well as the predictor: the loss of this one is larger by {:.3g} ± "
      "{:.2g}. Use the predictor to predict, and the list to see what matters most.",
      longest, list.cost, list.cost_error);
}

}  // namespace

std::vector<std::string> verdict(const Model& model) {
  std::vector<std::string> sentences;
  if (!model.answer) return sentences;
  sentences.push_back(how_good(model, *model.answer));
  if (model.list && model.list->features.empty()) {
    sentences.push_back(
        "Nothing that was tried predicts better than knowing nothing, so the list is empty. Add examples "
        "or other features, or look for an error in the target.");
    return sentences;
  }
  if (model.list) sentences.push_back(what_the_list_costs(*model.list));
  return sentences;
}

}  // namespace medlar

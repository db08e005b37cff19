// medlar evaluate MODEL DATA: how well the model predicts examples whose target is known.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "input.hpp"
#include "output.hpp"

namespace medlar::cli {
namespace {

struct EvaluateFlags {
  std::string model, data, use = "predictor";
  ReadOptions reading;
};

using Named = std::vector<std::pair<std::string, double>>;

Named numbers(const ClassificationMetrics& m) {
  return {{"accuracy", m.accuracy},
          {"auc", m.auc},
          {"log_loss", m.log_loss},
          {"brier", m.brier},
          {"balanced_accuracy", m.balanced_accuracy},
          {"precision", m.precision},
          {"recall", m.recall},
          {"f1", m.f1}};
}

Named numbers(const MulticlassMetrics& m) {
  return {{"accuracy", m.accuracy},
          {"auc", m.auc},
          {"log_loss", m.log_loss},
          {"brier", m.brier},
          {"balanced_accuracy", m.balanced_accuracy},
          {"f1", m.f1}};
}

std::string confusion_table(const Model& model, const MulticlassMetrics& m) {
  std::vector<std::vector<std::string>> rows{{"truth \\ predicted"}};
  for (const std::string& label : model.labels) rows.front().push_back(shown(label));
  for (std::size_t k = 0; k < model.labels.size(); ++k) {
    rows.push_back({shown(model.labels[k])});
    for (const Index count : m.confusion[k]) rows.back().push_back(fmt::format("{}", count));
  }
  return table(rows);
}

Named numbers(const RegressionMetrics& m) {
  return {{"rmse", m.rmse}, {"mae", m.mae}, {"eps_loss", m.eps_loss}, {"r2", m.r2}};
}

std::string confusion_table(const Model& model, const ClassificationMetrics& m) {
  const std::string negative = shown(model.labels[0]), positive = shown(model.labels[1]);
  return table({{"truth \\ predicted", negative, positive},
                {negative, fmt::format("{}", m.true_negative), fmt::format("{}", m.false_positive)},
                {positive, fmt::format("{}", m.false_negative), fmt::format("{}", m.true_positive)}});
}

int evaluate(const Globals& globals, const EvaluateFlags& flags) {
  const Model model = load_used(flags.model, flags.use);
  const Dataset data = read_for(globals, model, flags.data, flags.reading);
  for (const std::string& note : data.notes) talk(globals, "note: " + note);
  const Comparison compared = compare(model, data);
  Json object = {{"status", "ok"},
                 {"task", word_of(model.task)},
                 {"model", flags.model},
                 {"data", flags.data},
                 {"examples", compared.predicted.size()},
                 {"left_out", compared.left_out},
                 {"weighted", !compared.weights.empty()},
                 {"notes", data.notes}};
  Named named;
  std::string confusion;
  if (model.task != Task::regress && model.labels.size() > 2) {
    const auto metrics =
        multiclass_metrics(compared.predicted, compared.y, static_cast<Index>(model.labels.size()), compared.weights);
    named = numbers(metrics);
    confusion = "\n" + confusion_table(model, metrics);
    object["labels"] = model.labels;
    object["confusion"] = metrics.confusion;
  } else if (model.task != Task::regress) {
    const auto metrics = classification_metrics(compared.predicted, compared.y, compared.weights);
    named = numbers(metrics);
    confusion = "\n" + confusion_table(model, metrics);
    object["labels"] = model.labels;
    object["confusion"] = {{"true_positive", metrics.true_positive},
                           {"false_positive", metrics.false_positive},
                           {"true_negative", metrics.true_negative},
                           {"false_negative", metrics.false_negative}};
  } else {
    const double epsilon = model.settings.epsilon.value_or(0);
    named = numbers(regression_metrics(compared.predicted, compared.values, epsilon, compared.weights));
    object["epsilon"] = epsilon;
  }
  for (const auto& [name, value] : named) object[name] = std::isfinite(value) ? Json(value) : Json(nullptr);
  if (globals.json) {
    print_json(object);
    return ok;
  }
  if (compared.left_out > 0) {
    talk(globals,
         fmt::format("note: {} examples without a target that the model knows were left out", compared.left_out));
  }
  std::vector<std::vector<std::string>> rows{{"examples", fmt::format("{}", compared.predicted.size())}};
  for (const auto& [name, value] : named) rows.push_back({name, std::isnan(value) ? "undefined" : brief(value)});
  print(table(rows) + confusion);
  return ok;
}

}  // namespace

void add_evaluate(CLI::App& program, Command& chosen) {
  CLI::App* command = program.add_subcommand("evaluate", "Compare predictions with the target of DATA");
  auto flags = std::make_shared<EvaluateFlags>();
  command->add_option("MODEL", flags->model, "model file")->required();
  command->add_option("DATA", flags->data, "examples with their target; - is standard input")->required();
  command->add_option("--target", flags->reading.target, "column to compare with [default: the model's]")
      ->type_name("NAME")
      ->group("Reading");
  add_use_flag(*command, flags->use);
  add_replay_flags(*command, flags->reading);
  command->callback(
      [flags, &chosen] { chosen = [flags](const Globals& globals) { return evaluate(globals, *flags); }; });
}

}  // namespace medlar::cli

// medlar predict MODEL DATA [-o OUT.csv]: one line per example.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "checks.hpp"
#include "fitted.hpp"
#include "input.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace medlar::cli {
namespace {

struct PredictFlags {
  std::string model, data, output, alignment;
  bool transduce = false;
  std::string use = "predictor";
  std::optional<double> interval;
  ReadOptions reading;
};

// A field of CSV, quoted if necessary.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char each : text) quoted += each == '"' ? std::string("\"\"") : std::string(1, each);
  return quoted + "\"";
}

constexpr std::size_t reasons = 3;

// The features that lower an odd example's score most, against what is typical of them: "name -4.2 name -1.1".
std::string why(const Model& model, const std::vector<double>& parts) {
  std::vector<std::pair<double, std::size_t>> below;
  for (std::size_t i = 0; i < parts.size(); ++i) below.push_back({parts[i] - model.generative->typical[i], i});
  std::sort(below.begin(), below.end());
  std::string text;
  for (std::size_t i = 0; i < std::min(reasons, below.size()) && below[i].first < 0; ++i) {
    text += fmt::format("{}{} {:.3g}", text.empty() ? "" : " ", model.features[below[i].second].name, below[i].first);
  }
  return text;
}

std::string anomaly_csv(const Model& model, const std::vector<Prediction>& predictions,
                        const std::vector<std::vector<double>>& parts) {
  std::string text = "score,label,probability,sd,why\n";
  for (std::size_t t = 0; t < predictions.size(); ++t) {
    const Prediction& each = predictions[t];
    text += fmt::format("{},{},{},{},{}\n", each.score, model.labels[static_cast<std::size_t>(each.label)],
                        each.probability, each.sd, field(why(model, parts[t])));
  }
  return text;
}

// Numbers are written in full: they read back to the same bits.
std::string csv(const Model& model, const std::vector<Prediction>& predictions, std::optional<double> half_width) {
  if (model.labels.size() > 2) {
    std::string text = "score,label,probability,sd";
    for (const std::string& label : model.labels) text += "," + field("probability " + label);
    text += "\n";
    for (const Prediction& each : predictions) {
      text += fmt::format("{},{},{},{}", each.score, field(model.labels[static_cast<std::size_t>(each.label)]),
                          each.probability, each.sd);
      for (const double p : each.probabilities) text += fmt::format(",{}", p);
      text += "\n";
    }
    return text;
  }
  const bool classify = model.task == Task::classify;
  std::string text = classify ? "score,label,probability,sd\n" : half_width ? "value,sd,low,high\n" : "value,sd\n";
  for (const Prediction& each : predictions) {
    if (classify) {
      text += fmt::format("{},{},{},{}\n", each.score, field(model.labels[static_cast<std::size_t>(each.label)]),
                          each.probability, each.sd);
    } else if (half_width) {
      text += fmt::format("{},{},{},{}\n", each.score, each.sd, each.score - *half_width, each.score + *half_width);
    } else {
      text += fmt::format("{},{}\n", each.score, each.sd);
    }
  }
  return text;
}

// Says what the probabilities are, if they are not those of the usual score.
std::string rule(const Model& model) {
  if (!model.latent || model.task != Task::classify) return "";
  const bool literal = model.settings.latent_mode == LatentMode::literal,
             tilted = literal && model.settings.latent != LatentKind::labels;
  const std::string probability = model.labels.size() == 2 ? "the probability is 1 / (1 + e^(-2 score))"
                                  : model.latent->belief.empty() && !literal
                                      ? "the probabilities are in proportion to e^(2 score) of each class"
                                      : "the probabilities are in proportion to e^score of each class";
  return tilted ? "the score takes U under its prior with the tilt of each label in turn; " + probability : probability;
}

// One line per sequence and time: the probability of each state, and what a unit of each channel adds to the score.
std::string alignment_csv(const Model& model, const Dataset& data) {
  const auto states =
      static_cast<std::size_t>(model.latent && model.latent->alignment ? model.latent->alignment->states : 1);
  std::string text = "sequence,time";
  for (std::size_t s = 1; s <= states; ++s) text += fmt::format(",state{}", s);
  const auto all = expected_alignment(model, data.x);
  const bool weighed =
      model.settings.expand == ExpansionKind::none;  // else a channel's part of the score is no product
  const auto weights = weighed ? weights_over_time(model, data.x) : std::vector<std::vector<double>>{};
  const auto channels = static_cast<std::size_t>(weighed ? model.latent->alignment->channels : 0);
  for (std::size_t c = 1; c <= channels; ++c) text += fmt::format(",weight{}", c);
  text += "\n";
  for (std::size_t t = 0; t < all.size(); ++t) {
    for (std::size_t tau = 0; tau < all[t].size() / states; ++tau) {
      text += fmt::format("{},{}", t + 1, tau + 1);
      for (std::size_t s = 0; s < states; ++s) text += fmt::format(",{:.6g}", all[t][tau * states + s]);
      for (std::size_t c = 0; c < channels; ++c) text += fmt::format(",{:.6g}", weights[t][tau * channels + c]);
      text += "\n";
    }
  }
  return text;
}

Json summary(const Model& model, const Dataset& data, const std::vector<Prediction>& predictions,
             const std::vector<std::vector<double>>& parts, const PredictFlags& flags,
             std::optional<double> half_width) {
  Json object = {{"status", "ok"},
                 {"task", word_of(model.task)},
                 {"model", flags.model},
                 {"data", flags.data},
                 {"examples", predictions.size()}};
  double sum = 0;
  for (const Prediction& each : predictions) sum += each.score;
  object["mean_score"] = predictions.empty() ? Json(nullptr) : Json(sum / static_cast<double>(predictions.size()));
  if (model.task != Task::regress) {
    Json& counts = object["labels"] = Json::object();
    for (std::size_t k = 0; k < model.labels.size(); ++k) {
      counts[model.labels[k]] = std::count_if(predictions.begin(), predictions.end(), [&](const Prediction& each) {
        return each.label == static_cast<Index>(k);
      });
    }
  }
  if (model.latent) {
    if (!rule(model).empty()) object["rule"] = rule(model);
    object["kl"] = model.latent->kl;
  }
  if (flags.transduce) object["status"] = to_string(model.report.status), object["message"] = model.report.message;
  object["output"] = flags.output.empty() ? Json(nullptr) : Json(flags.output);
  object["notes"] = data.notes;
  if (!flags.output.empty()) return object;
  Json& rows = object["predictions"] = Json::array();
  for (std::size_t t = 0; t < predictions.size(); ++t) {
    const Prediction& each = predictions[t];
    if (model.task != Task::regress) {
      rows.push_back({{"score", each.score},
                      {"label", model.labels[static_cast<std::size_t>(each.label)]},
                      {"probability", each.probability},
                      {"sd", each.sd}});
      if (!each.probabilities.empty()) rows.back()["probabilities"] = each.probabilities;
      if (!parts.empty()) {
        Json& list = rows.back()["contributions"] = Json::object();
        for (std::size_t i = 0; i < parts[t].size(); ++i) {
          list[model.features[i].name] = parts[t][i] - model.generative->typical[i];
        }
      }
    } else {
      rows.push_back({{"value", each.score}, {"sd", each.sd}});
      if (half_width) rows.back()["low"] = each.score - *half_width, rows.back()["high"] = each.score + *half_width;
    }
  }
  return object;
}

// Half the width of the intervals that were asked for.
std::optional<double> half_width_of(const Model& model, const PredictFlags& flags) {
  if (!flags.interval) return {};
  if (model.task != Task::regress) {
    throw OptionError("interval is for models of numbers; of labels the probability says how sure a prediction is");
  }
  if (!model.errors) {
    throw OptionError(
        fmt::format("interval = {}, but {} has no errors of examples that were left out; fit it by medlar tune",
                    *flags.interval, flags.model));
  }
  const double half = model.errors->half_width(*flags.interval);
  if (!std::isfinite(half)) {
    throw OptionError(
        fmt::format("interval = {}, but {} examples were left out, which are too few for it; ask for at "
                    "most {:.4g}",
                    *flags.interval, model.errors->examples,
                    static_cast<double>(model.errors->examples) / (static_cast<double>(model.errors->examples) + 1)));
  }
  return half;
}

int predict(const Globals& globals, const PredictFlags& flags) {
  if (!flags.output.empty()) check_writable(flags.output, {flags.model, flags.data});
  if (!flags.alignment.empty()) check_writable(flags.alignment, {flags.model, flags.data});
  if (!flags.alignment.empty() && flags.alignment == flags.output) {
    throw OptionError(fmt::format("alignment = {} is the output too; give it another name", flags.alignment));
  }
  Model model = load_used(flags.model, flags.use);
  const std::optional<double> half_width = half_width_of(model, flags);
  ReadOptions reading = flags.reading;
  reading.target_required = false;
  const Dataset data = read_for(globals, model, flags.data, reading);
  for (const std::string& note : data.notes) talk(globals, "note: " + note);
  if (flags.transduce) {
    Progress progress(globals);
    model = transduce(model, data, &progress);
    talk(globals, model.report.message);
  }
  if (!rule(model).empty()) talk(globals, "note: " + rule(model));
  const auto predictions = model.predict(data.x);
  std::vector<std::vector<double>> parts;
  if (model.task == Task::anomaly) parts = contributions(model, data.x);
  const auto text = [&] {
    return parts.empty() ? csv(model, predictions, half_width) : anomaly_csv(model, predictions, parts);
  };
  if (!flags.alignment.empty()) write_file_atomically(flags.alignment, alignment_csv(model, data));
  if (!flags.output.empty()) write_file_atomically(flags.output, text());
  if (globals.json) {
    print_json(summary(model, data, predictions, parts, flags, half_width));
  } else if (flags.output.empty()) {
    print(text());
  } else {
    talk(globals, fmt::format("{} predictions written to {}", predictions.size(), flags.output));
  }
  return flags.transduce ? exit_code(model) : ok;
}

}  // namespace

void add_predict(CLI::App& program, Command& chosen) {
  CLI::App* command = program.add_subcommand(
      "predict", "Predict each example: score, label, probability and sd, or value and sd, as CSV");
  auto flags = std::make_shared<PredictFlags>();
  command->add_option("MODEL", flags->model, "model file")->required();
  command->add_option("DATA", flags->data, "examples; a target is not needed; - is standard input")->required();
  command->add_option("-o,--output", flags->output, "file to write; standard output without it")->type_name("OUT.csv");
  command->add_flag("--transduce", flags->transduce,
                    "add the examples to a model of latent labels as unlabelled ones, and fit it again first");
  command
      ->add_option("--alignment", flags->alignment,
                   "file to write with the expected alignment: at each time the probability of each state, and what a "
                   "unit of each channel adds to the score")
      ->type_name("OUT.csv");
  add_use_flag(*command, flags->use);
  command
      ->add_option("--interval", flags->interval,
                   "of numbers: also the interval that holds the value with this probability, from the errors of "
                   "examples that tune left out")
      ->type_name("P")
      ->check(probability_inside());
  add_replay_flags(*command, flags->reading);
  command->callback(
      [flags, &chosen] { chosen = [flags](const Globals& globals) { return predict(globals, *flags); }; });
}

}  // namespace medlar::cli

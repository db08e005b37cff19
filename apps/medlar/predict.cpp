// medlar predict MODEL DATA [-o OUT.csv]: one line per example.
#include <fmt/format.h>

#include <memory>

#include "input.hpp"
#include "output.hpp"

namespace medlar::cli {
namespace {

struct Flags {
  std::string model, data, output;
  ReadOptions reading;
};

// A field of CSV, in quotes where it must be.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char each : text) quoted += each == '"' ? std::string("\"\"") : std::string(1, each);
  return quoted + "\"";
}

// Numbers are written in full: they read back to the same bits.
std::string csv(const Model& model, const std::vector<Prediction>& predictions) {
  const bool classify = model.task == "classify";
  std::string text = classify ? "score,label,probability,sd\n" : "value,sd\n";
  for (const Prediction& each : predictions) {
    text += classify ? fmt::format("{},{},{},{}\n", each.score,
                                   field(model.labels[static_cast<std::size_t>(each.label)]), each.probability, each.sd)
                     : fmt::format("{},{}\n", each.score, each.sd);
  }
  return text;
}

Json summary(const Model& model, const Dataset& data, const std::vector<Prediction>& predictions, const Flags& flags) {
  Json object = {{"status", "ok"},
                 {"task", model.task},
                 {"model", flags.model},
                 {"data", flags.data},
                 {"examples", predictions.size()}};
  double sum = 0;
  for (const Prediction& each : predictions) sum += each.score;
  object["mean_score"] = predictions.empty() ? Json(nullptr) : Json(sum / static_cast<double>(predictions.size()));
  if (model.task == "classify") {
    Index positive = 0;
    for (const Prediction& each : predictions) positive += each.label;
    object["labels"] = {{model.labels[0], static_cast<Index>(predictions.size()) - positive},
                        {model.labels[1], positive}};
  }
  object["output"] = flags.output.empty() ? Json(nullptr) : Json(flags.output);
  object["notes"] = data.notes;
  if (!flags.output.empty()) return object;
  Json& rows = object["predictions"] = Json::array();
  for (const Prediction& each : predictions) {
    if (model.task == "classify") {
      rows.push_back({{"score", each.score},
                      {"label", model.labels[static_cast<std::size_t>(each.label)]},
                      {"probability", each.probability},
                      {"sd", each.sd}});
    } else {
      rows.push_back({{"value", each.score}, {"sd", each.sd}});
    }
  }
  return object;
}

int predict(const Globals& globals, const Flags& flags) {
  const Model model = load_model(flags.model);
  ReadOptions reading = flags.reading;
  reading.target_required = false;
  const Dataset data = read_for(globals, model, flags.data, reading);
  for (const std::string& note : data.notes) talk(globals, "note: " + note);
  const auto predictions = model.predict(data.x);
  if (!flags.output.empty()) write_file_atomically(flags.output, csv(model, predictions));
  if (globals.json) {
    print_json(summary(model, data, predictions, flags));
  } else if (flags.output.empty()) {
    print(csv(model, predictions));
  } else {
    talk(globals, fmt::format("{} predictions written to {}", predictions.size(), flags.output));
  }
  return ok;
}

}  // namespace

void add_predict(CLI::App& program, Command& chosen) {
  CLI::App* command = program.add_subcommand(
      "predict", "Predict each example: score, label, probability and sd, or value and sd, as CSV");
  auto flags = std::make_shared<Flags>();
  command->add_option("MODEL", flags->model, "model file")->required();
  command->add_option("DATA", flags->data, "examples; a target is not needed; - is standard input")->required();
  command->add_option("-o,--output", flags->output, "file to write; standard output without it")->type_name("OUT.csv");
  add_replay_flags(*command, flags->reading);
  command->callback(
      [flags, &chosen] { chosen = [flags](const Globals& globals) { return predict(globals, *flags); }; });
}

}  // namespace medlar::cli

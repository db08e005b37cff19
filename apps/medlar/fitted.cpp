// The summary of a fit, for people and for programs.
#include "fitted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "feature_list.hpp"
#include "output.hpp"
#include "recalibrating.hpp"

namespace medlar::cli {
namespace {

constexpr std::size_t least_shown = 10, most_shown = 24;  // features

// A kernel model has no features of its own: what its support vectors have.
Index feature_count(const Model& model) {
  return model.kernel ? model.kernel->columns : static_cast<Index>(model.features.size());
}

// "latent labels (anchored, 300 unlabelled, balanced at 0.42)"
std::string latent_description(const Model& model) {
  const LatentPart& latent = *model.latent;
  std::string inside = text_of(model.settings.latent_mode);
  if (!latent.unlabelled.empty()) inside += fmt::format(", {} unlabelled", latent.unlabelled.size());
  if (!latent.share.empty()) {
    std::string shares;
    for (const double share : latent.share) shares += (shares.empty() ? "" : ", ") + brief(share);
    inside += ", balanced at " + shares;
  }
  return fmt::format("latent {} ({})", text_of(model.settings.latent), inside);
}

Json score_json(const LeftOutScore& score) {
  return {{"error", json_number(score.error)}, {"loss", json_number(score.loss)}};
}

// What left-out examples say of predictor and list.
Json answer_json(const Model& model) {
  const LeftOutAnswer& answer = *model.answer;
  Json object = {{"examples", answer.examples},
                 {"folds", answer.folds},
                 {"repeats", answer.repeats},
                 {"predictor", score_json(answer.predictor)},
                 {"nothing", score_json(answer.nothing)},
                 {"gain", json_number(answer.gain)},
                 {"gain_standard_error", json_number(answer.gain_error)}};
  if (!model.list) return object;
  const FeatureList& list = *model.list;
  Json names = Json::array(), curve = Json::array();
  for (const Index i : list.features) names.push_back(model.features[static_cast<std::size_t>(i)].name);
  for (const ListStep& step : list.curve) {
    Json entry = score_json(step.score);
    entry["features"] = step.features;
    entry["behind"] = json_number(step.behind);
    entry["standard_error"] = json_number(step.standard_error);
    curve.push_back(std::move(entry));
  }
  Json part = score_json(list.score);
  part["features"] = names;
  part["made_by"] = word_of(list.made_by);
  part["cost"] = json_number(list.cost);
  part["cost_standard_error"] = json_number(list.cost_error);
  part["as_good"] = list.as_good();
  part["by_length"] = curve;
  object["list"] = part;
  return object;
}

}  // namespace

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string description(const Model& model) {
  const Settings& settings = model.settings;
  const std::string what = model.task == Task::regress   ? std::string("regression")
                           : model.task == Task::anomaly ? std::string("anomaly detector")
                           : model.labels.size() > 2
                               ? fmt::format("classifier of {} labels", model.labels.size())
                               : fmt::format("classifier of '{}' against '{}'", model.labels[1], model.labels[0]);
  std::string sentence = fmt::format("a {} {}: {} margins", word_of(settings.model), what, word_of(settings.margin));
  if (settings.c) sentence += fmt::format(" with c = {}", brief(*settings.c));
  if (model.task == Task::regress && settings.epsilon)
    sentence += fmt::format(", epsilon = {}", brief(*settings.epsilon));
  if (model.kernel) {
    sentence += fmt::format(", {} kernel", word_of(settings.kernel));
    const bool with_gamma = settings.kernel != KernelKind::linear && settings.kernel != KernelKind::precomputed;
    if (with_gamma && settings.gamma) sentence += fmt::format(" with gamma = {}", brief(*settings.gamma));
  }
  if (model.generative) {
    const GenerativePart& part = *model.generative;
    sentence += fmt::format(" at {}, families {}, prior {}", brief(part.margin_location), text_of(settings.family),
                            word_of(model.prior()));
    sentence += fmt::format(" of strength {}", brief(settings.prior_strength));
    if (settings.switches != SwitchKind::none)
      sentence += fmt::format(", switches {} with p0 = {}", word_of(settings.switches), brief(settings.p0));
    sentence += model.task == Task::anomaly
                    ? fmt::format(", alpha = {}, trim = {}", brief(settings.alpha), brief(settings.trim))
                    : fmt::format(", bias {}, median margin {}", text_of(settings.bias), brief(part.margin_scale));
    return sentence + fmt::format(", scale {}", word_of(settings.scale));
  }
  sentence += model.prior() == PriorKind::gaussian
                  ? ", no selection (p0 = 1)"
                  : fmt::format(", prior {} with p0 = {}", word_of(model.prior()), brief(settings.p0));
  sentence += fmt::format(", variance {}, bias {}, scale {}", brief(*settings.prior_variance), text_of(settings.bias),
                          word_of(settings.scale));
  if (model.latent) sentence += ", " + latent_description(model);
  if (settings.expand != ExpansionKind::none) sentence += fmt::format(", expand {}", text_of(settings.expand));
  return sentence;
}

Json fitted_json(const Model& model, const Dataset& data, const Seconds& seconds, const std::string& output) {
  const Report& report = model.report;
  const Settings& settings = model.settings;
  Json object = {
      {"status", to_string(report.status)},
      {"message", report.message},
      {"task", word_of(model.task)},
      {"model", word_of(settings.model)},
      {"prior", word_of(model.prior())},
      {"margin", word_of(settings.margin)},
      {"solver", report.solver},
      {"why", report.why},
      {"labels", model.labels},
      {"examples", model.examples},
      {"features", feature_count(model)},
      {"p0", settings.p0},
      {"c", settings.c ? json_number(*settings.c) : Json(nullptr)},
      {"epsilon", settings.epsilon ? json_number(*settings.epsilon) : Json(nullptr)},
      {"prior_variance", settings.prior_variance ? json_number(*settings.prior_variance) : Json(nullptr)},
      {"scale", word_of(settings.scale)},
      {"expand", text_of(settings.expand)},
      {"objective", json_number(report.objective)},
      {"primal", json_number(report.primal)},
      {"gap", json_number(report.gap)},
      {"relative_gap", json_number(report.relative_gap)},
      {"tolerance", json_number(report.tolerance)},
      {"iterations", report.iterations},
      {"passes", report.passes},
      {"support", model.support.size()},
      {"selected", model.selected()},
      {"selected_by", word_of(model.selected_by())},
      {"bias", json_number(model.bias)},
      {"notes", data.notes},
      {"seconds",
       {{"read", seconds.read}, {"prepare", seconds.prepare}, {"fit", seconds.fit}, {"total", seconds.total}}},
      {"output", output.empty() ? Json(nullptr) : Json(output)}};
  if (!verdict(model).empty()) object["verdict"] = verdict(model);
  if (model.answer) object["left_out"] = answer_json(model);
  if (model.recalibration) object["recalibration"] = recalibration_json(*model.recalibration);
  if (model.multiclass) object["class_bias"] = model.multiclass->class_bias;
  if (model.kernel && !model.kernel->class_bias.empty()) object["class_bias"] = model.kernel->class_bias;
  if (model.generative) {
    const GenerativePart& part = *model.generative;
    object["family"] = text_of(settings.family);
    object["members"] = part.members.size();
    object["class_bias"] = part.class_bias;
    object["margin_location"] = json_number(part.margin_location);
    object["margin_scale"] = json_number(part.margin_scale);
    if (model.task == Task::anomaly) object["threshold"] = json_number(part.threshold);
  }
  if (model.latent) {
    object["latent"] = text_of(settings.latent);
    object["latent_mode"] = word_of(settings.latent_mode);
    object["unlabelled"] = model.latent->unlabelled.size();
    object["share"] = model.latent->share;
    object["kl"] = model.latent->kl;
  }
  return object;
}

// How it was fitted, for those who want to know how sure the optimum is.
std::string technical(const Globals& globals, const Model& model, const Seconds& seconds) {
  const Report& report = model.report;
  std::string text = fmt::format("fitted {}\n", shown(description(model)));
  text += fmt::format("{} ({:.2f} s)\n", shown(report.message), seconds.fit);
  if (globals.verbose) {
    text += fmt::format("solver {}: {}\n", report.solver, shown(report.why));
    text += fmt::format("J = {:.10g}, F = {:.10g}, gap = {:.2e}, relative gap = {:.2e}\n", report.objective,
                        report.primal, report.gap, report.relative_gap);
  }
  if (model.recalibration) text += recalibration_text(*model.recalibration);
  return text;
}

// What its numbers are, if probabilities are to be taken for what they say.
std::string honesty(const Model& model) {
  const bool log_odds = model.settings.margin == MarginKind::logistic && model.labels.size() == 2;
  const bool own = model.task == Task::classify && !model.recalibration && !model.latent && !log_odds;
  return own ? "probabilities are not calibrated: they rank, but their size is not to be trusted; tune calibrates "
               "them, "
               "and so does --recalibrate folds\n"
             : "";
}

std::string fitted_text(const Globals& globals, const Model& model, const Dataset& data, const Seconds& seconds,
                        const std::string& output) {
  std::string text = fmt::format("{}: {} examples, {} features ({:.2f} s to read)\n", shown(data.source),
                                 data.examples(), data.features(), seconds.read);
  for (const std::string& note : data.notes) text += fmt::format("note: {}\n", shown(note));
  for (const std::string& sentence : verdict(model)) text += shown(sentence) + "\n";
  const std::string ending = output.empty() ? "\nno model was written; give -o MODEL to keep it\n"
                                            : fmt::format("\nmodel written to {}\n", shown(output));
  const std::string how = technical(globals, model, seconds) + honesty(model);
  if (model.kernel) {
    const std::string bias = model.labels.size() <= 2 ? fmt::format("; bias {}", brief(model.bias)) : "";
    return text + how + fmt::format("support: {} of {} examples{}\n", model.support.size(), model.examples, bias) +
           ending;
  }
  text += selected_text(model) + "\n";
  auto top = sorted_features(model, "selected");
  const std::size_t listed =
      std::clamp<std::size_t>(static_cast<std::size_t>(model.selected()), least_shown, most_shown);
  const std::size_t more = top.size() > listed ? top.size() - listed : 0;
  top.resize(top.size() - more);
  text += "\n" + feature_table(model, top, globals.verbose);
  if (more > 0) text += fmt::format("... and {} more\n", more);
  text += "\n" + how + fmt::format("support: {} of {} examples", model.support.size(), model.examples);
  text += model.task == Task::anomaly ? fmt::format("; odd below {}\n", brief(model.generative->threshold))
          : model.labels.size() > 2   ? std::string("\n")
                                      : fmt::format("; bias {}\n", brief(model.bias));
  return text + ending;
}

bool same_target(const Dataset& data) {
  const auto& y = data.target.values;
  return data.target.numeric && std::adjacent_find(y.begin(), y.end(), std::not_equal_to<>()) == y.end();
}

void note_guesses(const Settings& asked, const Model& model, Dataset& data) {
  if (asked.task == Task::automatic) {
    data.notes.push_back(fmt::format("task: {} (guessed from the target; set it with --task)", word_of(model.task)));
  }
  if (model.support.empty() && model.report.status == Status::converged && !model.generative) {
    data.notes.push_back(same_target(data)
                             ? "every example has the same target, so the model is constant"
                             : "no example asks for more than the prior gives, so the model is constant; raise --c");
  }
}

int exit_code(const Model& model) {
  if (model.report.status == Status::interrupted) return interrupted;
  return model.report.status == Status::converged ? ok : not_converged;
}

}  // namespace medlar::cli

// One self-contained page about a model.
#include "medlar/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/report/html_text.hpp"
#include "medlar/report/plots.hpp"

namespace medlar {
namespace {

std::string row(std::string_view name, std::string_view value) {
  return fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", html_escaped(name), html_escaped(value));
}

std::string metric_row(std::string_view name, double value) {
  return row(name, std::isnan(value) ? "undefined" : short_number(value));
}

std::string what_was_fitted(const Model& model) {
  const Settings& settings = model.settings;
  const std::string what = model.task == "classify"
                               ? fmt::format("tells ‘{}’ from ‘{}’", model.labels[1], model.labels[0])
                               : "predicts a number";
  const std::string prior = model.prior() == "gaussian" ? "without feature selection (p0 = 1)"
                                                        : fmt::format("with feature selection (prior {}, p0 = {})",
                                                                      model.prior(), short_number(settings.p0));
  const std::string c = settings.c ? fmt::format(", c = {}", short_number(*settings.c)) : "";
  return fmt::format("A {} model that {}, fitted on {} examples and {} features {}; {} margins{}, {} scaling.",
                     settings.model, what, model.examples, model.features.size(), prior, settings.margin, c,
                     settings.scale);
}

std::string certificate(const Model& model) {
  const Report& report = model.report;
  return fmt::format("<h2>Certificate</h2>\n<p>{}</p>\n<table>\n", html_escaped(report.message)) +
         row("objective J", fmt::format("{:.10g}", report.objective)) +
         row("primal F ≥ optimum ≥ J", fmt::format("{:.10g}", report.primal)) +
         row("relative gap", fmt::format("{:.2e}", report.relative_gap)) + row("solver", report.solver) +
         row("passes over the data", fmt::format("{}", report.passes)) + row("seconds", short_number(report.seconds)) +
         row("support", fmt::format("{} of {} examples", model.support.size(), model.examples)) + "</table>\n";
}

std::string feature_rows(const Model& model, Index top) {
  std::vector<Feature> features = model.features;
  std::stable_sort(features.begin(), features.end(), [](const Feature& a, const Feature& b) {
    if (a.inclusion != b.inclusion) return a.inclusion > b.inclusion;
    return std::abs(a.coefficient) > std::abs(b.coefficient);
  });
  features.resize(std::min(features.size(), static_cast<std::size_t>(top)));
  double reach = 0;
  for (const Feature& f : features) reach = std::max(reach, std::abs(f.coefficient) + f.sd);
  std::string rows;
  for (const Feature& f : features) {
    rows += fmt::format("<tr><td>{}</td><td>{:.4f}</td><td>{}</td><td>{} ± {}</td><td>{}</td></tr>\n",
                        html_escaped(f.name), f.inclusion, inclusion_bar(f.inclusion), short_number(f.coefficient),
                        short_number(f.sd), coefficient_whisker(f.coefficient, f.sd, reach));
  }
  return rows;
}

std::string feature_section(const Model& model, Index top) {
  const Index shown = std::min(top, static_cast<Index>(model.features.size()));
  return fmt::format(
      "<h2>Features</h2>\n<p>{} of {} features are selected (inclusion above 1/2); the first {} are shown. "
      "Coefficients "
      "are of the scaled features; bias {}.</p>\n<div class=\"wide\"><table>\n<tr><th>feature</th><th>inclusion</th>"
      "<th></th><th>coefficient ± sd</th><th></th></tr>\n{}</table></div>\n",
      model.selected(), model.features.size(), shown, short_number(model.bias), feature_rows(model, top));
}

std::string classification_section(const Model& model, const Comparison& compared) {
  const auto m = classification_metrics(compared.predicted, compared.y, compared.weights);
  std::vector<double> score;
  for (const Prediction& each : compared.predicted) score.push_back(each.score);
  const auto curve = roc_curve(score, compared.y, compared.weights);
  std::string text = "<table>\n" + metric_row("accuracy", m.accuracy) + metric_row("AUC", m.auc) +
                     metric_row("log loss", m.log_loss) + metric_row("Brier score", m.brier) +
                     metric_row("balanced accuracy", m.balanced_accuracy) + metric_row("precision", m.precision) +
                     metric_row("recall", m.recall) + "</table>\n";
  text += fmt::format(
      "<table>\n<tr><th>truth \\ predicted</th><th>{0}</th><th>{1}</th></tr>\n<tr><td>{0}</td><td>{2}</td><td>{3}</td>"
      "</tr>\n<tr><td>{1}</td><td>{4}</td><td>{5}</td></tr>\n</table>\n",
      html_escaped(model.labels[0]), html_escaped(model.labels[1]), m.true_negative, m.false_positive, m.false_negative,
      m.true_positive);
  return text + (curve.empty() ? "<p>There is one class only, hence no ROC curve.</p>\n" : roc_plot(curve) + "\n");
}

std::string regression_section(const Model& model, const Comparison& compared) {
  const double epsilon = model.settings.epsilon.value_or(0);
  const auto m = regression_metrics(compared.predicted, compared.values, epsilon, compared.weights);
  return "<table>\n" + metric_row("RMSE", m.rmse) + metric_row("MAE", m.mae) +
         metric_row(fmt::format("loss beyond {}", short_number(epsilon)), m.eps_loss) + metric_row("R²", m.r2) +
         "</table>\n" + scatter_plot(compared.values, compared.predicted) + "\n";
}

std::string data_section(const Model& model, const Dataset& data) {
  const Comparison compared = compare(model, data);
  std::string text =
      fmt::format("<h2>Predictions</h2>\n<p>{} examples of {}", compared.predicted.size(), html_escaped(data.source));
  if (compared.left_out > 0) text += fmt::format("; {} without a known target are left out", compared.left_out);
  return text + ".</p>\n" +
         (model.task == "classify" ? classification_section(model, compared) : regression_section(model, compared));
}

}  // namespace

std::string html_report(const Model& model, const Dataset* data, Index top) {
  return fmt::format(
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<title>Medlar report</title>\n<style>{}</style>\n</head>\n<body>\n<h1>Medlar report</h1>\n<p>{}</p>\n",
             page_style, html_escaped(what_was_fitted(model))) +
         certificate(model) + feature_section(model, top) + (data != nullptr ? data_section(model, *data) : "") +
         "</body>\n</html>\n";
}

}  // namespace medlar
